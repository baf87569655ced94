"""Refusals that leave as problem details (RFC 9457): a stable code, and facts that help to say it."""

from typing import Any


class Problem(Exception):
    """A request is not done, and nothing has changed; `edge.PROBLEMS` knows the code's status and words.

    `facts` are JSON values for the answer's body, never secrets.
    """

    def __init__(self, code: str, retry_after: float | None = None, **facts: Any) -> None:
        super().__init__(code)
        self.code = code
        self.retry_after = retry_after  # seconds
        self.facts = facts


class ReadsDown(Problem):
    """PostgreSQL does not answer."""

    def __init__(self) -> None:
        super().__init__("reads_down", retry_after=2)
