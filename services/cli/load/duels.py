"""A duel from the invite to the end, as one of its two players goes through it."""

from typing import Any

import msgspec

from libs.core.messages import GameId
from libs.runtime import ids
from services.cli.load.acts import Ask, Await, Drop, Follow, Leave, Rest, Script, Think
from services.cli.load.player import Offer, Player
from services.cli.load.words import chance, next_word, slip

TAKEN_WITHIN = 20.0  # seconds for somebody to take an invite
SOON = 0.05  # seconds until one looks again whether an invite is made
ENDED_WITHIN = 60.0  # seconds for the opponent to finish, once oneself has

LINES = ("Good luck!", "Hm.", "That was close.", "One more after this?", "¡Vamos! 🎉")


def duel(player: Player) -> Script[None]:
    """Take an invite that is open, or make one and wait; then play it to its end."""
    game = yield from _begin(player)
    if not game:
        return
    try:
        if player.views[game]["state"] == "playing":
            yield from _play(player, game)
    finally:
        player.forget(game)


def _begin(player: Player) -> Script[GameId]:
    """The game, with a view of it in hand and its socket open; empty if it came to nothing."""
    offers = player.world.offers
    if not offers:
        return (yield from _make(player))
    offer = offers.popleft()
    while not (offer.token or offer.gone):
        yield Rest(SOON)
    game = "" if offer.gone else (yield from _accept(player, offer))
    yield Follow(game) if game else Think()
    return game


def _accept(player: Player, offer: Offer) -> Script[GameId]:
    secret, key = ids.one_of(player.world.words), ids.new_id()
    route = "/invites/{}/accept"
    ask = Ask(method="POST", route=route, parts=(offer.token,), body={"secret": secret}, key=key)
    yield from player.ask(Ask(method="GET", route="/invites/{}", parts=(offer.token,)))
    reply = yield from player.insist(ask)
    if not reply.ok:
        if (
            reply.code == "rival_game_exists" and not offer.gone
        ):  # the two have had today's game; somebody else may take it
            player.world.offers.append(offer)
        return ""
    game: GameId = msgspec.json.decode(reply.body)["id"]
    view = player.saw(game, reply.body)
    player.took(game, key, view["version"])
    player.world.secrets[game, player.id] = offer.secret
    player.world.secrets[game, view["opponent"]["player"]["id"]] = secret
    return game


def _make(player: Player) -> Script[GameId]:
    offer, key = Offer(ids.one_of(player.world.words)), ids.new_id()
    player.world.offers.append(offer)  # before anything else, so that the next player waits for it and makes no other
    try:
        body = {"kind": "duel", "secret": offer.secret}
        reply = yield from player.insist(Ask(method="POST", route="/invites", body=body, key=key))
        if not reply.ok:
            return ""
        made = msgspec.json.decode(reply.body)
        game: GameId = made["game"]
        player.took(game, key, 1)
        yield Follow(game)
        offer.token = made["token"]
        if not (yield Await(game, _joined, TAKEN_WITHIN)):
            yield from player.insist(Ask(method="DELETE", route="/invites/{}", parts=(offer.token,), key=ids.new_id()))
            yield from look(player, game)
    finally:
        offer.gone = True
        if offer in player.world.offers:
            player.world.offers.remove(offer)
    if player.views.get(game, {}).get("state") != "playing":
        yield Leave(game)
        player.forget(game)
        return ""
    return game


def _play(player: Player, game: GameId) -> Script[None]:
    """Guess until there is nothing left to guess, then wait for the other."""
    route, going = "/games/{}/guesses", True
    while not _done(player.views[game]) and (going := (yield Think())):
        if chance(0.05):
            yield Drop(game)
        if chance(0.1):
            yield from _say(player, game)
        if chance(0.03):
            ask = Ask(method="POST", route=route, parts=(game,), body={"word": slip()}, key=ids.new_id())
            yield from player.guess(game, ask.body["word"], ask)
            continue
        view = player.views[game]
        word = next_word(player.world.words, view["you"]["guesses"], player.world.secrets.get((game, player.id)))
        ask = Ask(method="POST", route=route, parts=(game,), body={"word": word}, key=ids.new_id())
        reply = yield from player.guess(game, word, ask)
        if not reply.ok:
            yield from look(player, game)  # it has closed, or somebody plays from a second device
        elif chance(0.03):
            yield from player.guess(game, word, ask)  # a double tap: the same key, the same answer
    if going and (yield Await(game, lambda view: view["state"] != "playing", ENDED_WITHIN)):
        yield from check(player, game)
    yield Leave(game)


def _done(view: Any) -> bool:
    return bool(view["you"]["finished"] or view["state"] != "playing")


def _joined(view: Any) -> bool:
    return bool(view["state"] != "waiting")


def _say(player: Player, game: GameId) -> Script[None]:
    text = ids.one_of(LINES)
    ask = Ask(method="POST", route="/games/{}/chat", parts=(game,), body={"text": text}, key=ids.new_id())
    yield from player.insist(ask, game)


def look(player: Player, game: GameId) -> Script[None]:
    """Look at a game."""
    reply = yield from player.ask(Ask(method="GET", route="/games/{}", parts=(game,)), game)
    if reply.ok:
        player.saw(game, reply.body)


def check(player: Player, game: GameId) -> Script[None]:
    """Ask for all that an ended game can be checked by."""
    reply = yield from player.ask(Ask(method="GET", route="/games/{}/audit", parts=(game,)), game)
    if reply.ok:
        player.audited(game, reply.body)
