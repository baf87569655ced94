"""Which versions of a game a socket has been sent, and which are known to exist: every version once, in order."""

from libs.core.calls import Answer, Seen


class Order:
    """One socket's place in the versions of one game; pure, so that it can be tested without one.

    Views come from two sides, in any order and more than once: looked up, and published after a command. The log's
    notices only tell that there is a newer record. Nothing is sent before the first look.
    """

    def __init__(self, after: int | None) -> None:
        self.sent = after  # the newest version sent; none: the first one that is looked up is the first one sent
        self._exists = 0  # the newest version known to exist
        self._sequence = 0  # the log's number of the newest record known ...
        self._counted = 0  # ... and which version that is
        self._noticed = 0  # the newest number that a notice told before the first look
        self._waiting: dict[int, Seen] = {}

    @property
    def unseen(self) -> bool:
        """Was the game never looked at?"""
        return not self._counted

    @property
    def behind(self) -> bool:
        """Does a version exist that has not been sent?"""
        return self._counted > 0 and self._exists > (self.sent or 0)

    def looked(self, answer: Answer) -> list[Seen]:
        """What is to be sent after a look at the game."""
        oldest, newest = answer.seen[0].version, answer.seen[-1].version
        if self.sent is None:
            self.sent = newest - 1
        if not self._counted:  # whoever asked for more than there is goes on from here; a later look may only be late
            self.sent = min(self.sent, newest)
        self.sent = max(self.sent, oldest - 1)  # what came before the oldest was not for this player
        if answer.sequence >= self._sequence:
            self._sequence, self._counted = answer.sequence, newest
        if self._noticed > answer.sequence:
            self.noticed(self._noticed)
        self._noticed = 0
        for seen in answer.seen:
            self._put(seen)
        return self._ready()

    def published(self, seen: Seen) -> list[Seen]:
        """What is to be sent after a view was published."""
        self._put(seen)
        return self._ready()

    def noticed(self, sequence: int) -> None:
        """The log has a record of this number; notices come in order, though some may be lost."""
        if not self._counted:
            self._noticed = sequence
        elif sequence > self._sequence:
            self._sequence = sequence
            self._counted += 1
            self._exists = max(self._exists, self._counted)

    def _put(self, seen: Seen) -> None:
        self._exists = max(self._exists, seen.version)
        if self.sent is None or seen.version > self.sent:
            self._waiting[seen.version] = seen

    def _ready(self) -> list[Seen]:
        ready: list[Seen] = []
        while self._counted and self.sent is not None and (seen := self._waiting.pop(self.sent + 1, None)):
            ready.append(seen)
            self.sent += 1
        return ready
