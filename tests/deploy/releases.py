"""Releases that are not out yet: copies of this one in a folder, with changes, that run beside it."""

import re
import shutil
from collections.abc import Mapping
from pathlib import Path

from services.cli.cluster import Cluster
from services.cli.cluster.parts import Process

ROOT = Path(__file__).parents[2]
LEFT_OUT = shutil.ignore_patterns("node_modules")
MODULES = "services/api/web/node_modules"


class Release:
    """A copy of the source tree in a folder. `of` is the folder that it is copied from."""

    def __init__(self, folder: Path, number: str, of: Path = ROOT) -> None:
        self.folder = folder
        for package in ("libs", "services"):
            shutil.copytree(of / package, folder / package, ignore=LEFT_OUT)
        (folder / MODULES).symlink_to(ROOT / MODULES)
        installed = folder / f"wordyard-{number}.dist-info"
        installed.mkdir()
        (installed / "METADATA").write_text(f"Metadata-Version: 2.1\nName: wordyard\nVersion: {number}\n")

    def change(self, file: str, old: str, new: str) -> None:
        """Replace a text that is in this file once."""
        path = self.folder / file
        text = path.read_text()
        assert text.count(old) == 1, (file, old)
        path.write_text(text.replace(old, new))

    def raise_version(self, version: int) -> None:
        """Let it write records of this version."""
        path = self.folder / "libs/core/version.py"
        path.write_text(re.sub(r"^VERSION = \d+$", f"VERSION = {version}", path.read_text(), flags=re.MULTILINE))

    def add_tables(self, package: str, name: str, sql: str) -> str:
        """Add a table file after those of this release and those added before; answers with its name."""
        there = self.folder / package.replace(".", "/")
        number = max(int(file.name[:4]) for file in there.glob("*.sql")) + 1
        (there / f"{number:04}_{name}.sql").write_text(sql)
        return f"{package}/{number:04}_{name}.sql"

    @property
    def variables(self) -> Mapping[str, str]:
        """What lets a Python of this environment run the copy."""
        return {"PYTHONPATH": str(self.folder), "PYTHONSAFEPATH": "1"}

    def take_over(self, cluster: Cluster, *names: str) -> None:
        """From their next start on, these run the copy."""
        for name in names:
            process = cluster.processes[name]
            assert isinstance(process, Process)
            process.environment = {**process.environment, **self.variables}


def this_release(cluster: Cluster, *names: str) -> None:
    """From their next start on, these run what is checked out here."""
    for name in names:
        process = cluster.processes[name]
        assert isinstance(process, Process)
        process.environment = {
            name: value for name, value in process.environment.items() if name not in ("PYTHONPATH", "PYTHONSAFEPATH")
        }


def adding(folder: Path) -> Release:
    """The next release: tables that are added to, and further fields of records and answers."""
    release = Release(folder, "98.0.0")
    release.raise_version(98)
    commit = "    due: datetime | None = None\n    v: int = 1\n"
    release.change("libs/core/messages.py", commit, commit + "    mood: str | None = None\n")
    release.change("services/game/handle.py", "v=VERSION)", 'v=VERSION, mood="calm")')
    kind = '    kind: str = ""\n    player: PlayerId'
    release.change("libs/core/calls.py", kind, f'    release: str = ""\n{kind}')
    game = "        game=folded.id,\n        kind=folded"
    release.change("services/game/look.py", game, f'        release="98.0.0",\n{game}')
    release.add_tables("services.api.tables", "mood", "alter table players add mood text default 'calm';\n")
    index = "create index concurrently if not exists by_mood on games.games (mood) where mood is not null;\n"
    release.add_tables("services.game.tables", "mood", "alter table games.games add mood text;\n")
    release.add_tables("services.game.tables", "by_mood", f"-- outside of transactions\n{index}")
    return release


def saying_more(folder: Path, before: Release) -> Release:
    """The one after it: each guess in a duel comes with an event of a new kind, and a column is needed no more."""
    release = Release(folder, "99.0.0", before.folder)
    release.raise_version(99)
    events = "libs/core/games/duel/events.py"
    release.change(
        events,
        "class Withdrawn(Event",
        'class Noted(Event, frozen=True, kw_only=True, tag="noted"):\n    """How it felt."""\n\n    by: PlayerId\n\n\n'
        "class Withdrawn(Event",
    )
    release.change(events, "DuelEvent: TypeAlias = Opened", "DuelEvent: TypeAlias = Noted | Opened")
    state = "libs/core/games/duel/state.py"
    case = "        case Withdrawn():\n"
    release.change(state, case, f"        case Noted():\n            return duel\n{case}")
    decide = "libs/core/games/duel/decide.py"
    release.change(decide, "    return [guessed]\n", "    return [Noted(at=now, by=asker.by), guessed]\n")
    for file in (state, decide):
        release.change(file, "    Guessed,\n", "    Guessed,\n    Noted,\n")
    release.add_tables("services.api.tables", "no_mood", "-- contract: 99.0.0\nalter table players drop mood;\n")
    return release
