"""Tasks that only a newer release knows: they go back to the queue until one of its workers takes them."""

import structlog
from dramatiq import Broker, Middleware
from dramatiq.broker import MessageProxy

PAUSE = 5_000  # milliseconds before it is offered again

log = structlog.get_logger()


class LeaveToNewer(Middleware):
    """Without it an unknown task would count as failed for good."""

    def after_nack(self, broker: Broker, message: MessageProxy) -> None:
        """Put a task back that was given up since it is not declared here."""
        if message.actor_name not in broker.get_declared_actors():
            log.warning("a task for a newer release", task=message.actor_name)
            broker.enqueue(message.copy(), delay=PAUSE)
