"""What each version wrote is read for ever, and what older copies cannot read has a version of its own.

`written.json` has for each version what it wrote: every event, command and call with its fields. A version that is out
is never changed there. The first change after it that fails here raises `VERSION`, and adds what `today()` answers.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from msgspec.structs import FieldInfo, fields

from libs.core.calls import Call
from libs.core.games import GAMES
from libs.core.games.duel.commands import Accept, Guess, Open
from libs.core.messages import Command, digest
from libs.core.version import VERSION

Shapes = dict[str, dict[str, list[str]]]
"""Of each union by its name, each tag with the names of its fields."""

WRITTEN = msgspec.json.decode(Path(__file__).with_name("written.json").read_bytes(), type=dict[str, dict[str, Shapes]])


def members(union: Any) -> dict[str, tuple[FieldInfo, ...]]:
    """The fields of each member of a union of structs, by its tag."""
    structs = get_args(union) or (union,)
    return {str(struct.__struct_config__.tag): fields(struct) for struct in structs}


def unions() -> dict[str, dict[str, Any]]:
    """All that is written and asked, by group and name."""
    return {
        "events": {kind: game.events for kind, game in GAMES.items()},
        "commands": {kind: game.commands for kind, game in GAMES.items()},
        "calls": {"game": Call},
    }


def today() -> dict[str, Shapes]:
    """What this release writes."""
    return {
        group: {
            name: {tag: sorted(field.encode_name for field in found) for tag, found in members(union).items()}
            for name, union in of_group.items()
        }
        for group, of_group in unions().items()
    }


def tags(shapes: dict[str, Shapes]) -> Iterable[tuple[str, str, str]]:
    return ((group, name, tag) for group, named in shapes.items() for name, tagged in named.items() for tag in tagged)


def test_what_an_older_copy_cannot_read_raises_the_version() -> None:
    """A kind, an event, a command or a call; and a command's field, for with an unknown one it is not understood."""
    known = WRITTEN[str(VERSION)]
    assert set(tags(today())) == set(tags(known))
    assert today()["commands"] == known["commands"]


@pytest.mark.parametrize("version", WRITTEN)
def test_what_a_version_wrote_is_read_for_ever(version: str) -> None:
    """Its events are known, and have all the fields that must be there."""
    for kind, tagged in WRITTEN[version]["events"].items():
        game = GAMES[kind]
        read = members(game.events) | (members(game.past) if game.past is not None else {})
        for tag, written in tagged.items():
            required = {field.encode_name for field in read[tag] if field.required}
            assert required <= set(written), (kind, tag)


@pytest.mark.parametrize(
    ("command", "known"),
    [
        (Open(game="", secret="crepe"), "d7ca71bfdce1ff2394cb92b8daf123d0"),
        (Accept(secret="banal"), "c792281fb2a3b998976c7787999e9c7e"),
        (Guess(word="about"), "c330ebb78ff12f0170b275c0525e8d18"),
    ],
)
def test_a_command_has_the_same_digest_in_every_release(command: Command, known: str) -> None:
    """Else a key that is used again after an upgrade would be refused: a new field is unset where it is not used."""
    assert digest(command) == known


def test_versions_are_told_without_a_gap() -> None:
    assert list(WRITTEN) == [str(version) for version in range(1, VERSION + 1)]
