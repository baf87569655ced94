"""The Daily: one word for each Eastern day, the same for everyone, six guesses, one attempt for each player.

A game is one player's attempt of one day. The first guess makes it, under an id that follows from player and day.
So two devices play one attempt, and the log puts their guesses in order.
"""

from libs.core.decider import Decider
from libs.core.games.daily.audit import audit, problems
from libs.core.games.daily.commands import DailyCommand, DailyMove
from libs.core.games.daily.decide import decide
from libs.core.games.daily.events import DailyEvent, claims, facts
from libs.core.games.daily.state import KIND, Attempt, evolve, invitation, standing
from libs.core.games.daily.view import view

DAILY: Decider[Attempt] = Decider(
    kind=KIND,
    start=Attempt(),
    decide=decide,
    evolve=evolve,
    view=view,
    standing=standing,
    invitation=invitation,
    audit=audit,
    facts=facts,
    claims=claims,
    problems=problems,
    moves=DailyMove,
    commands=DailyCommand,
    events=DailyEvent,
)
