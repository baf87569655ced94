"""How players come in: as guests, or with an account by the link that the outbox of an embedded service shows."""

from typing import Any

import msgspec

from libs.runtime import ids
from services.cli.load.acts import Ask, Reply, Script
from services.cli.load.player import Player


def enter(player: Player, *, account: bool = False) -> Script[bool]:
    """Come in with a token; answers whether that was possible.

    Where the service has no outbox, a player who wanted an account stays a guest.
    """
    if account and (yield from _sign_in(player)):
        return True
    ask = Ask(method="POST", route="/session/guest", body={"token": True}, key=ids.new_id())
    reply = yield from player.insist(ask)
    if reply.ok:
        _settle(player, msgspec.json.decode(reply.body))
    return bool(player.token)


def _sign_in(player: Player) -> Script[bool]:
    email = f"load-{ids.new_id()}@wordyard.example"
    ask = Ask(method="POST", route="/sign-in/email", body={"email": email}, key=ids.new_id())
    reply = yield from player.insist(ask)
    if not reply.ok or (link := (yield from _link(player, email))) is None:
        return False
    ask = Ask(method="POST", route="/sign-in/confirm", body={"token": link}, key=ids.new_id())
    reply = yield from player.insist(ask)
    if not reply.ok:
        return False
    me = msgspec.json.decode(reply.body)
    headers = {"Cookie": _cookie(reply), "X-CSRF-Token": me["csrf"]}
    ask = Ask(method="POST", route="/me/tokens", body={"label": "load"}, key=ids.new_id(), headers=headers)
    reply = yield from player.insist(ask)
    if reply.ok:
        _settle(player, {**me, **msgspec.json.decode(reply.body)})
    return reply.ok


def _link(player: Player, email: str) -> Script[str | None]:
    """The part of the link that signs in; none if the outbox is not shown."""
    reply = yield from player.insist(Ask(method="GET", route="/outbox"))
    if not reply.ok:
        return None
    mails = msgspec.json.decode(reply.body)["mails"]
    return next((mail["text"].split("/sign-in#")[1].split()[0] for mail in mails if mail["to"] == email), None)


def _cookie(reply: Reply) -> str:
    return reply.headers.get("set-cookie", "").partition(";")[0]


def _settle(player: Player, session: Any) -> None:
    player.id, player.token = session["player"]["id"], session["token"]
