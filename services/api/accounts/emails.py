"""E-mail addresses: which ones can be used, and the one form in which each is kept."""

import idna
import regex

from services.api.problems import Problem

LONGEST, LONGEST_LOCAL = 254, 64

_LOCAL = regex.compile(r"(?!.*=\?)[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*")
_LABEL = regex.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")


def address(text: str) -> str:
    """An address in small letters, its domain in ASCII. Raises `Problem` (email) for anything else than one address.

    Mail goes to this form too, so that nobody gets the mail of somebody whose address differs only in case. Nor does
    one address become another: faß.example is not fass.example, and a Kelvin sign is no k. With =? in it (RFC 2047),
    mail programs would read another one than we do.
    """
    local, at, domain = text.strip(" ").rpartition("@")
    domain = _ascii(domain)
    local = local.lower() if local.isascii() else ""
    labels = domain.split(".")
    good = (
        at
        and len(local) <= LONGEST_LOCAL
        and len(local) + 1 + len(domain) <= LONGEST
        and _LOCAL.fullmatch(local)
        and len(labels) > 1
        and all(_LABEL.fullmatch(label) for label in labels)
        and not labels[-1].isdigit()
    )
    if not good:
        raise Problem("email")
    return f"{local}@{domain}"


def _ascii(domain: str) -> str:
    if domain.isascii():
        return domain.lower()
    try:
        return idna.encode(domain, uts46=True).decode()
    except UnicodeError:
        return ""
