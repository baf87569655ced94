"""Where refusals become HTTP: the only table of status codes, and the one form in which a problem is told."""

import math
from typing import Any

import msgspec
import structlog
from litestar.exceptions import HTTPException, ValidationException
from msgspec import Struct

from libs.core.calls import TRY_AGAIN
from libs.core.refusals import Refused
from libs.runtime.bus import Unavailable
from libs.runtime.direct import Unread
from libs.runtime.storing import Down, Unknown
from services.api.problems import Problem
from services.api.replies import Reply, Scope
from services.api.visits import Visit, visit_of

log = structlog.get_logger()

PROBLEM_JSON = "application/problem+json"

PROBLEMS: dict[str, tuple[int, str]] = {
    # the request
    "malformed": (400, "The request cannot be read."),
    "bad_key": (400, "An Idempotency-Key has 1 to 128 printable ASCII characters."),
    "unauthorized": (401, "This needs a player: a guest, or for some things an account."),
    "csrf": (403, "The request does not come from our own page."),
    "scope": (403, "This token may not be used for that; `needs` names the scope."),
    "not_found": (404, "There is nothing here."),
    "method_not_allowed": (405, "That cannot be done here."),
    "too_large": (413, "A body has at most 16 KiB."),
    "unsupported_media_type": (415, "A body is JSON: Content-Type application/json."),
    "headers_too_large": (431, "A request has at most 64 KiB beside its body."),
    "rate_limited": (429, "That was a lot at once. Wait a little."),
    "too_many_sockets": (429, "Too many live connections are open. Close one."),
    "internal": (500, "Something went wrong on our side."),
    "try_again": (503, "It is not known whether this was done. Ask again with the same key."),
    "reads_down": (503, "Lists and accounts cannot be reached. Games that are on can be played."),
    "starting": (503, "The service has just begun, and does not know yet which sessions have ended."),
    # the word
    "letters": (422, "Five letters A to Z, and nothing else."),
    "unknown_word": (422, "The word is not in the list. It cost nothing."),
    "not_a_secret": (422, "The word is not in the list of secrets."),
    "secret_required": (422, "A secret word is needed."),
    # the game
    "unknown_game": (404, "There is no such game."),
    "not_a_player": (403, "This game belongs to others."),
    "too_early": (409, "Not every secret is set."),
    "closed": (409, "The game is over."),
    "finished": (409, "No guess is left in this game."),
    "secret_set": (409, "The secret is set, and never changes."),
    "not_possible": (409, "This game has no such move."),
    "key_reused": (409, "The key was used for another request."),
    "not_ended": (409, "The game has not ended."),
    # the Daily
    "unknown_day": (404, "There is no Daily of this day."),
    "not_finished": (409, "Finish the Daily first, or wait until its day is over."),
    # practice
    "practice_token": (422, "This token is none of ours, or no longer."),
    # invites and rivals
    "unknown_invite": (404, "There is no such invite."),
    "invite_used": (409, "The invite was taken."),
    "invite_withdrawn": (410, "The invite was withdrawn."),
    "invite_expired": (410, "The invite has run out."),
    "own_invite": (409, "An invite is for somebody else than its maker."),
    "not_the_maker": (403, "Only its maker can withdraw an invite."),
    "rival_game_exists": (409, "The two already have today's game."),
    "not_a_rival": (404, "There was no game with this player yet."),
    "player_unavailable": (409, "That is not possible with this player."),
    "unknown_player": (404, "There is no such player."),
    # chat
    "chat_closed": (409, "The chat is closed."),
    "chat_empty": (422, "There is nothing in this message."),
    "chat_too_long": (422, "A message has at most 500 characters."),
    "unknown_message": (404, "There is no such message."),
    "muted": (403, "The operators let this player write in no chat; `until` says for how long."),
    # the desk
    "not_an_operator": (403, "This is for operators of the service."),
    "unknown_version": (404, "The game has no such version."),
    "unknown_report": (404, "There is no such report."),
    "report_decided": (409, "The reports of this message have been decided."),
    "own_account": (409, "Operators do not close their own account."),
    "account_closed": (403, "The operators have closed this account."),
    # the solver
    "board_refused": (422, "The board has a fault; it says where."),
    "board_impossible": (422, "No game marks a letter gray left of where it is yellow."),
    "answer_refused": (422, "The answer has five letters A to Z and fits every row."),
    "solver_busy": (503, "The solver has its hands full. Ask again in a moment."),
    # people
    "email": (422, "That is not an e-mail address that we can use."),
    "sign_in_unknown": (404, "This link is not one of ours."),
    "sign_in_used": (410, "This link was used."),
    "sign_in_expired": (410, "This link is older than 15 minutes."),
    "sign_in_failed": (403, "It is not proven who this is. Begin the sign-in anew."),
    "sign_in_cancelled": (403, "The provider says that nobody has signed in."),
    "provider_down": (503, "The provider does not answer. A link by mail works as ever."),
    "name_length": (422, "A name has 3 to 20 characters."),
    "name_letters": (422, "A name has letters of one script, digits, spaces, - and _."),
    "name_taken": (422, "Somebody has this name, or one that looks like it."),
    "name_crude": (422, "Please choose another name."),
    "unsubscribe_unknown": (404, "This link is not one of ours, or its account is gone."),
    "push_unusable": (422, "Notices cannot be sent to this browser."),
    "not_confirmed": (422, "That is not the display name of this account."),
}
"""Status and words of every code. Clients and translations rest on the codes for ever; the words may change."""

_OF_STATUS = {
    400: "malformed",
    401: "unauthorized",
    404: "not_found",
    405: "method_not_allowed",
    413: "too_large",
    415: "unsupported_media_type",
    429: "rate_limited",
}


class ProblemDetails(Struct, kw_only=True):
    """A refusal (RFC 9457). Some codes bring further members, such as `game`, `where` or `key`."""

    type: str
    title: str
    status: int
    detail: str
    code: str


def told(problem: Problem) -> Reply:
    """A problem as the answer that tells it."""
    status, detail = PROBLEMS[problem.code]
    body = {
        "type": f"urn:wordyard:problem:{problem.code}",
        "title": problem.code.replace("_", " ").capitalize(),
        "status": status,
        "detail": detail,
        "code": problem.code,
        **problem.facts,
    }
    reply = Reply(msgspec.json.encode(body), status, PROBLEM_JSON)
    if problem.retry_after is not None:
        reply.add("retry-after", str(max(1, math.ceil(problem.retry_after))))
    return reply


def understood(error: Exception) -> Problem:
    """Whatever was raised, as a problem; what nobody foresaw is logged and becomes `internal`."""
    match error:
        case Problem() if error.code in PROBLEMS:
            return error
        case Problem():  # a refusal by a newer release, whose words a newer copy of the api has
            log.warning("refusal not understood", code=error.code)
            return Problem(TRY_AGAIN, retry_after=1)
        case Refused():
            return Problem(error.reason.value, **error.facts)
        case Unavailable() | Down() | Unknown() | Unread():
            return Problem(TRY_AGAIN, retry_after=1)
        case msgspec.ValidationError():
            text, _, where = str(error).partition(" - at ")
            return Problem("malformed", detail=text, where=where.strip("`") or "$")
        case msgspec.DecodeError():
            return Problem("malformed", detail="The body is not JSON.", where="$")
        case ValidationException():
            return _invalid(error)
        case HTTPException() if error.status_code in _OF_STATUS:
            return Problem(_OF_STATUS[error.status_code])
        case _:
            log.exception("request failed")
            return Problem("internal")


def answer(error: Exception, visit: Visit, scope: Scope) -> Reply:
    """The answer to a request that has failed."""
    problem = understood(error)
    if PROBLEMS[problem.code][0] == 503 and scope.get("method") == "POST":
        problem.facts.setdefault("key", visit.key)
    reply = told(problem)
    allowed = error.headers if isinstance(error, HTTPException) else None
    for name, value in (allowed or {}).items():
        reply.add(name.lower(), value)
    return reply


def handle(request: Any, error: Exception) -> Reply:
    """Litestar's handler for every exception."""
    return answer(error, visit_of(request.scope), request.scope)


def _invalid(error: ValidationException) -> Problem:
    extra = error.extra if isinstance(error.extra, list) else []
    first: dict[str, Any] = extra[0] if extra else {}
    where = first.get("key", "data")
    if where == "data":
        return Problem("malformed", detail="A JSON body is needed.", where="$")
    return Problem("malformed", detail=str(first.get("message", "")), where=where)
