"""The Duel: two secret words, six guesses each, no turns, until midnight Eastern. It never shows one player's letters
to the other before the end."""

from libs.core.decider import Decider
from libs.core.games.duel.audit import audit, problems
from libs.core.games.duel.commands import DuelCommand, DuelMove
from libs.core.games.duel.decide import decide
from libs.core.games.duel.events import DuelEvent, claims, facts
from libs.core.games.duel.state import KIND, Duel, evolve, invitation, standing
from libs.core.games.duel.view import view

DUEL: Decider[Duel] = Decider(
    kind=KIND,
    start=Duel(),
    decide=decide,
    evolve=evolve,
    view=view,
    standing=standing,
    invitation=invitation,
    audit=audit,
    facts=facts,
    claims=claims,
    problems=problems,
    moves=DuelMove,
    commands=DuelCommand,
    events=DuelEvent,
)
