"""The projections: each turns facts into rows of its own schema, and knows no game."""

from services.game.projections.daily import Daily
from services.game.projections.games import Games
from services.game.projections.moderation import Moderation
from services.game.projections.results import Results
from services.game.projections.shape import Projection

PROJECTIONS: dict[str, type[Projection]] = {
    projection.name: projection for projection in (Games, Results, Daily, Moderation)
}
"""By name, which is the name of the schema too."""
