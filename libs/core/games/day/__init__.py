"""A day of the Daily, as everybody sees it: the commitment to its word before it begins, the word once it is over.

It has the shape of a game in which nobody sits; only the clock speaks.
"""

from libs.core.decider import Decider
from libs.core.games.day.audit import audit, problems
from libs.core.games.day.commands import DayCommand, DayMove
from libs.core.games.day.decide import decide
from libs.core.games.day.events import DayEvent, claims, facts
from libs.core.games.day.state import KIND, Day, evolve, invitation, standing, view

DAY: Decider[Day] = Decider(
    kind=KIND,
    start=Day(),
    decide=decide,
    evolve=evolve,
    view=view,
    standing=standing,
    invitation=invitation,
    audit=audit,
    facts=facts,
    claims=claims,
    problems=problems,
    moves=DayMove,
    commands=DayCommand,
    events=DayEvent,
)
