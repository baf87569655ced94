"""What the checks of `wordyard doctor` find."""

from typing import Literal

from msgspec import Struct


class Finding(Struct, frozen=True, kw_only=True):
    """What a check found; `missing` needs mending, `without` is something one can do without."""

    name: str
    state: Literal["ok", "missing", "without"]
    detail: str
    mend: str = ""
