"""What a player does alone: the Daily, boards for the solver, Practice, and looking around."""

import msgspec

from libs.core import marks
from libs.runtime import ids
from services.cli.load.acts import Ask, Drop, Follow, Leave, Script, Think
from services.cli.load.duels import check
from services.cli.load.player import Player
from services.cli.load.words import chance, next_word

OPENINGS = ("crane", "slate", "audio", "stare", "raise", "train")


def daily(player: Player) -> Script[None]:
    """Today's Daily, as far as it is still open for this player."""
    reply = yield from player.ask(Ask(method="GET", route="/daily"))
    if not reply.ok:
        return
    view = msgspec.json.decode(reply.body)
    game, day = view["id"], view["day"]
    player.saw(game, reply.body)
    yield Follow(game)
    words = player.world.words
    while player.views[game]["state"] == "open" and (yield Think()):
        if chance(0.05):
            yield Drop(game)
        word = next_word(words, player.views[game]["guesses"], player.world.dailies.get(day))
        body = {"word": word, "day": day}
        ask = Ask(method="POST", route="/daily/guesses", body=body, key=ids.new_id())
        reply = yield from player.guess(game, word, ask)
        if not reply.ok:
            break
    view = player.views[game]
    if view["word"]:
        player.world.dailies[day] = view["word"]
        yield from player.ask(Ask(method="GET", route="/daily/{}/results", parts=(day,)))
        yield from player.ask(Ask(method="GET", route="/daily/statistics"))
        yield from check(player, game)
    yield Leave(game)
    player.forget(game)


def boards(player: Player) -> Script[None]:
    """Ask the solver about a game played elsewhere, row by row, and look back on it."""
    secret, rows, words = ids.one_of(player.world.words), list[dict[str, str]](), OPENINGS
    for _ in range(4):
        guess = ids.one_of(words)
        rows.append({"guess": guess, "marks": marks.mark(guess, secret)})
        ask = Ask(method="POST", route="/solver", body={"rows": rows, "limit": 5}, key=ids.new_id())
        reply = yield from player.ask(ask)
        if not reply.ok or guess == secret or not (yield Think()):
            break
        words = tuple(one["word"] for one in msgspec.json.decode(reply.body)["candidates"]) or OPENINGS
    ask = Ask(method="POST", route="/solver/review", body={"rows": rows, "answer": secret}, key=ids.new_id())
    yield from player.ask(ask)


def practice(player: Player) -> Script[None]:
    """A game of Practice."""
    reply = yield from player.ask(Ask(method="POST", route="/practice", body={}, key=ids.new_id()))
    while reply.ok and (game := msgspec.json.decode(reply.body))["state"] == "open" and (yield Think()):
        body = {"token": game["token"], "word": ids.one_of(player.world.words)}
        reply = yield from player.ask(Ask(method="POST", route="/practice/guesses", body=body, key=ids.new_id()))


def browse(player: Player) -> Script[None]:
    """Look at one's games, one of them in full, and rivals."""
    reply = yield from player.ask(Ask(method="GET", route="/games"))
    if reply.ok and (games := msgspec.json.decode(reply.body)["games"]):
        game = ids.one_of([one["id"] for one in games])
        yield Think()
        seen = yield from player.ask(Ask(method="GET", route="/games/{}", parts=(game,)), game)
        if seen.ok:
            ended = player.saw(game, seen.body)["state"] == "finished"
            player.forget(game)
            if ended:
                yield from check(player, game)
    yield from player.ask(Ask(method="GET", route="/rivals"))
