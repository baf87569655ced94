"""Display names: which ones may be had, and which two are too alike to tell apart."""

import unicodedata
from functools import cache
from hashlib import sha256

import regex

from libs.core.lookalikes import prototype, small
from libs.core.profanity import is_crude

SHORTEST, LONGEST = 3, 20

# The scripts in everyday use (Unicode UAX 31, recommended and limited use); one name is written in one of them.
# Japanese, Korean and Chinese each use several, which count as one.
_SCRIPTS = (
    "Latn", "Cyrl", "Grek", "Armn", "Hebr", "Arab", "Syrc", "Thaa", "Nkoo", "Geor", "Ethi", "Tfng", "Vaii", "Adlm",
    "Cher", "Cans", "Osge", "Deva", "Beng", "Guru", "Gujr", "Orya", "Taml", "Telu", "Knda", "Mlym", "Sinh", "Thai",
    "Laoo", "Tibt", "Mymr", "Khmr", "Mong", "Yiii", "Bali", "Batk", "Bamu", "Cakm", "Cham", "Hmnp", "Java", "Kali",
    "Lana", "Lepc", "Limb", "Lisu", "Mand", "Mtei", "Newa", "Olck", "Plrd", "Rohg", "Saur", "Sund", "Sylo", "Tale",
    "Talu", "Tavt", "Wcho",
    "Hira Kana Hani", "Hang Hani", "Hani Bopo",
)  # fmt: skip


class BadName(ValueError):
    """A text that can't be a display name; `code` says why: name_length, name_letters or name_crude."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def clean_name(text: str) -> str:
    """The display name that a text makes: NFKC, without blanks around it and with single ones inside.

    Raises `BadName`: name_length unless it then has 3 to 20 code points; name_letters unless it is made of letters of
    one script, digits 0 to 9, blanks, - and _, with a letter or digit among them; name_crude for a crude word.
    """
    name = " ".join(part for part in unicodedata.normalize("NFKC", text).split(" ") if part)
    if not SHORTEST <= len(name) <= LONGEST:
        raise BadName("name_length")
    if not _written().fullmatch(name) or _INVISIBLE.search(name):
        raise BadName("name_letters")
    if is_crude(name):
        raise BadName("name_crude")
    return name


def skeleton(name: str) -> str:
    """What makes a name unique: equal for two names that differ only in case or in letters that look alike.

    It is the TR39 skeleton of the small letters, in which i and l are one since I and l look alike.
    """
    folded = "".join(small(letter) for letter in unicodedata.normalize("NFKC", name))
    return prototype(folded).casefold().replace("i", "l")


def guest_name(seed: bytes) -> str:
    """A guest's display name, always the same for the same seed: "Guest 4821"."""
    return f"Guest {1000 + int.from_bytes(sha256(seed).digest()[:8], 'big') % 9000}"


def _one_script(scripts: str) -> str:
    # Marks must be the script's own, like vowel signs: those that all scripts share can be piled up on a letter.
    letters = "".join(rf"\p{{scx={script}}}" for script in scripts.split())
    marks = "".join(rf"\p{{sc={script}}}" for script in scripts.split())
    return rf"(?:[\p{{L}}&&[{letters}]][\p{{M}}&&[{marks}]]{{0,3}}|[0-9 _-])+"


@cache
def _written() -> regex.Pattern[str]:
    systems = "|".join(_one_script(scripts) for scripts in _SCRIPTS)
    return regex.compile(rf"(?=.*[\p{{L}}0-9])(?:{systems})", regex.V1)


_INVISIBLE = regex.compile(r"\p{Default_Ignorable_Code_Point}")
