"""Marking a five-letter guess against a secret: C right spot, R another spot, I not in the word (any more).

The rule has two passes: green tiles spend their letter first, then the others from left to right take what is left.
"""

from string import ascii_letters

from libs.core.refusals import Reason, Refused

LENGTH = 5
SOLVED = "CCCCC"
MARKS = "IRC"

_FOLDED = str.maketrans({letter: letter.lower() for letter in ascii_letters})


def letters(text: str, length: int = LENGTH) -> str:
    """A word as it was meant: blanks and tabs around dropped, A to Z folded to lower case.

    Raises `Refused` (letters) for anything else: a letter that only folds, normalises or looks like A to Z is not one.
    """
    word = text.strip(" \t").translate(_FOLDED)
    if len(word) != length or not all("a" <= letter <= "z" for letter in word):
        raise Refused(Reason.LETTERS)
    return word


def mark(guess: str, secret: str) -> str:
    """The marks of a guess against a secret, both five lower-case letters: `mark("eerie", "crepe") == "RIRIC"`."""
    unspent = [s for g, s in zip(guess, secret, strict=True) if g != s]
    row = []
    for g, s in zip(guess, secret, strict=True):
        if g == s:
            row.append("C")
        elif g in unspent:
            unspent.remove(g)
            row.append("R")
        else:
            row.append("I")
    return "".join(row)


def number(row: str) -> int:
    """A row of marks as a number from 0 (IIIII) to 242 (CCCCC): base 3, I=0, R=1, C=2, the first tile counts most."""
    value = 0
    for tile in row:
        value = 3 * value + MARKS.index(tile)
    return value


def from_number(value: int) -> str:
    """The row of marks that has this number."""
    return "".join(MARKS[value // 3**place % 3] for place in reversed(range(LENGTH)))
