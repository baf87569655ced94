"""Boards as players of other games have them: popular openings against random secrets, then words that still fit."""

import numpy as np

from libs.core import lexicon
from libs.core.board import Row
from libs.core.marks import from_number
from libs.core.solver_query import compile_rows
from services.solver.addends import patterns
from services.solver.common import POPULAR
from services.solver.letters import newest

SMALL = 100  # words that a small board leaves at most
SEED = 5


class Boards:
    """The same ones in every run."""

    def __init__(self) -> None:
        self._letters = newest()
        self._draw = np.random.default_rng(SEED)
        edition = lexicon.newest()
        self._secrets = [self._letters.ids[word] for word in edition.secrets if word in self._letters.ids]

    def game(self, rows: int) -> tuple[list[Row], int]:
        """The first rows of a game against some secret, and how many words they leave."""
        secret = self._draw.choice(self._secrets)
        board = [self._row(str(self._draw.choice(POPULAR)), secret)]
        standing = self._letters.standing(compile_rows(board))
        while len(board) < rows:
            board.append(self._row(self._letters.words[self._draw.choice(standing)], secret))
            standing = self._letters.standing(compile_rows(board))
        return board, len(standing)

    def _row(self, guess: str, secret: int) -> Row:
        return Row(guess, from_number(int(patterns(self._letters, guess)[secret])))

    def small(self, count: int) -> list[list[Row]]:
        """So many different boards of two rows or three that leave few words."""
        found: dict[frozenset[Row], list[Row]] = {}
        while len(found) < count:
            board, left = self.game(2 + len(found) % 2)
            if left <= SMALL:
                found.setdefault(frozenset(board), board)
        return list(found.values())

    def mixed(self, count: int) -> list[list[Row]]:
        """So many boards of one row, of two and of three, as they come."""
        return [self.game(1 + number % 3)[0] for number in range(count)]

    def fifty(self, count: int) -> list[list[Row]]:
        """So many different boards that leave about fifty words."""
        found: dict[frozenset[Row], list[Row]] = {}
        while len(found) < count:
            board, left = self.game(2)
            if 40 <= left <= 60:
                found.setdefault(frozenset(board), board)
        return list(found.values())
