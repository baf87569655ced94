"""GAMES by kind: the one line that a new game adds."""

from typing import Any

from libs.core.decider import Decider
from libs.core.games.daily import DAILY
from libs.core.games.day import DAY
from libs.core.games.duel import DUEL
from libs.core.games.person import PERSON

GAMES: dict[str, Decider[Any]] = {game.kind: game for game in (DUEL, DAILY, DAY, PERSON)}
