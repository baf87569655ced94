"""What HTTP clients of our own have in common."""

import ssl
from functools import cache

import httpx


@cache
def authorities() -> ssl.SSLContext:
    """Whose certificates an HTTP client believes: for `verify`.

    Made once, since a client that reads them for itself holds up everybody else in its process for 20 to 100 ms.
    """
    return httpx.create_ssl_context(trust_env=False)
