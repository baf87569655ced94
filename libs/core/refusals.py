"""Every way in which a command can be refused: a stable code, and the facts that go with it."""

from enum import StrEnum
from typing import Any


class Reason(StrEnum):
    """Why a command was not taken. The code is stored nowhere, but clients and translations rest on it for ever."""

    # the word
    LETTERS = "letters"  # not five letters A to Z
    UNKNOWN_WORD = "unknown_word"  # not in the list of guesses
    NOT_A_SECRET = "not_a_secret"  # not in the list of secrets
    SECRET_REQUIRED = "secret_required"
    # the game
    UNKNOWN_GAME = "unknown_game"
    NOT_A_PLAYER = "not_a_player"
    TOO_EARLY = "too_early"  # not every secret is set
    CLOSED = "closed"  # its midnight has passed, or it has ended
    FINISHED = "finished"  # this player has solved it or used all guesses
    SECRET_SET = "secret_set"  # a secret never changes
    NOT_POSSIBLE = "not_possible"  # this game has no such move
    KEY_REUSED = "key_reused"  # the request key was used for another request
    NOT_ENDED = "not_ended"  # an audit before the end
    # invites and rivals
    UNKNOWN_INVITE = "unknown_invite"
    INVITE_USED = "invite_used"
    INVITE_WITHDRAWN = "invite_withdrawn"
    INVITE_EXPIRED = "invite_expired"
    OWN_INVITE = "own_invite"
    NOT_THE_MAKER = "not_the_maker"
    RIVAL_GAME_EXISTS = "rival_game_exists"  # facts: game
    NOT_A_RIVAL = "not_a_rival"
    # chat
    CHAT_CLOSED = "chat_closed"
    CHAT_EMPTY = "chat_empty"
    CHAT_TOO_LONG = "chat_too_long"
    # the desk
    NOT_AN_OPERATOR = "not_an_operator"
    REPORT_DECIDED = "report_decided"
    OWN_ACCOUNT = "own_account"  # operators do not close their own
    # the solver
    BOARD_REFUSED = "board_refused"  # facts: fault (rows, guess or marks), row, tile (null for rows)
    ANSWER_REFUSED = "answer_refused"  # the told answer is not five letters, or does not fit a row; facts: row
    BOARD_IMPOSSIBLE = "board_impossible"  # gray before yellow of one letter; facts: row, tiles (the gray, the yellow)


class Refused(Exception):
    """A command is not taken and nothing has changed.

    `reason` is the stable code; `facts` are JSON values that help to say it (never a secret).
    """

    def __init__(self, reason: Reason, **facts: Any) -> None:
        super().__init__(reason.value)
        self.reason = reason
        self.facts = facts
