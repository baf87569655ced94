"""Open duels by the thousand, written into the log as the game service writes them, many in one batch."""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from libs.core import subjects
from libs.core.calls import Do, Person
from libs.core.messages import GameId
from libs.runtime import ids
from libs.runtime.clock import Clock
from libs.runtime.log import Log, Next
from services.cli.bench.players import SECRETS, WORDS
from services.game import claims
from services.game.asking import Question
from services.game.claims import Claim
from services.game.handle import Asked, Decided, decide
from services.game.store import Folded, unmade

TOGETHER = 300  # games
PER_GAME = 4.5  # records on average, with claims
KIND = "duel"

_encode = msgspec.json.Encoder().encode


async def make(log: Log, count: int, now: Clock, made: Callable[[int], None]) -> Sequence[GameId]:
    """So many duels of two guests each, with none to three guesses; answers with their ids and tells how many are made.

    They are valid records with their claims, decided by the rules, and differ from real ones in nothing but their way.
    Raises `Conflict`, `Unknown` or `Down`.
    """
    games: list[GameId] = []
    while len(games) < count:
        group = [_Duel(len(games) + number) for number in range(min(TOGETHER, count - len(games)))]
        while parts := [(duel, step) for duel in group if (step := duel.step(now)) is not None]:
            records = [record for _, (record, *_) in parts]
            sequences = await log.append_all(records)
            for (duel, (_, decided, _)), sequence in zip(parts, sequences, strict=True):
                duel.folded = replace(decided.after, sequence=sequence)
            for some in _some([claim for _, (*_, own) in parts for claim in own], TOGETHER):
                await log.append_all(some)
        games += [duel.folded.id for duel in group]
        made(len(games))
    return games


def _some(records: Sequence[Next], most: int) -> Iterator[Sequence[Next]]:
    rest = iter(records)
    while some := list(islice(rest, most)):
        yield some


class _Duel:
    """One duel and what is still to be done in it."""

    def __init__(self, number: int) -> None:
        self.folded: Folded = unmade(KIND, ids.new_id())
        maker, taker = (Person(id=ids.new_id(), guest=True) for _ in range(2))
        game = self.folded.id
        self._todo = iter(
            [
                (maker, {"type": "open", "game": game, "secret": SECRETS[0]}),
                (taker, {"type": "accept", "secret": SECRETS[1]}),
                *(((maker, taker)[turn % 2], {"type": "guess", "word": WORDS[turn]}) for turn in range(number % 4)),
            ]
        )

    def step(self, now: Clock) -> tuple[Next, Decided, Sequence[Next]] | None:
        """The next record, what was decided, and the claims that belong to it; none when all is done."""
        if (todo := next(self._todo, None)) is None:
            return None
        person, command = todo
        at, folded = now(), self.folded
        call = Do(game=folded.id, by=person, key=ids.new_id(), received=at, command=Raw(_encode(command)))
        asked = Question(call, ids.seed(), b"")(folded)
        decided = decide(folded, asked, at)
        assert isinstance(decided, Decided)  # noqa: S101 - each of these changes the game
        commit = decided.commit
        record = Next(subjects.game(KIND, folded.id), _encode(commit), folded.sequence, commit.id)
        return record, decided, self._claims(asked)

    def _claims(self, asked: Asked) -> Sequence[Next]:
        if not asked.makes:
            return ()
        claim = Claim(game=self.folded.id, kind=KIND, digest=asked.digest)
        return (Next(claims.subject_of_key(asked.id), _encode(claim), 0, asked.id),)
