"""A person, as far as the log must know: which guests are a part of the account, what operators have done about it.

It has the shape of a game in which nobody sits, under the account's own id. Names and addresses are never told here.
"""

from libs.core.decider import Decider
from libs.core.games.person.audit import audit, problems
from libs.core.games.person.commands import PersonCommand, PersonMove
from libs.core.games.person.decide import decide
from libs.core.games.person.events import PersonEvent, claims, facts
from libs.core.games.person.state import KIND, Person, evolve, invitation, standing, view

PERSON: Decider[Person] = Decider(
    kind=KIND,
    start=Person(),
    decide=decide,
    evolve=evolve,
    view=view,
    standing=standing,
    invitation=invitation,
    audit=audit,
    facts=facts,
    claims=claims,
    problems=problems,
    moves=PersonMove,
    commands=PersonCommand,
    events=PersonEvent,
)
