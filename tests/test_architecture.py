"""Who may import whom: core thinks and never acts, runtime acts and never thinks, services never meet."""

import ast
from collections.abc import Iterable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FORBIDDEN_IN_CORE = {
    "asyncio", "os", "random", "secrets", "socket", "subprocess", "threading", "time",
    "click", "dramatiq", "httpx", "litestar", "nats", "opentelemetry", "psycopg", "structlog",
}  # fmt: skip


def imports(file: Path) -> Iterable[str]:
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}: a relative import"
            yield node.module or ""
            yield from (f"{node.module}.{name.name}" for name in node.names)


def files(folder: str) -> list[Path]:
    return sorted(file for file in (ROOT / folder).rglob("*.py") if "node_modules" not in file.parts)


@pytest.mark.parametrize("file", files("libs/core"), ids=lambda file: str(file.relative_to(ROOT)))
def test_core_only_thinks(file: Path) -> None:
    for name in imports(file):
        assert name.split(".")[0] not in FORBIDDEN_IN_CORE
        assert not name.startswith(("libs.runtime", "services"))


@pytest.mark.parametrize("file", files("libs/runtime"), ids=lambda file: str(file.relative_to(ROOT)))
def test_runtime_knows_no_service(file: Path) -> None:
    assert not [name for name in imports(file) if name.startswith("services")]


@pytest.mark.parametrize("service", ["api", "game", "scheduler", "solver"])
def test_services_never_import_each_other(service: str) -> None:
    for file in files(f"services/{service}"):
        strangers = [
            name
            for name in imports(file)
            if name.startswith("services.") and not name.startswith(f"services.{service}")
        ]
        assert strangers == [], f"{file.relative_to(ROOT)} imports {strangers}"


@pytest.mark.parametrize(("needle", "home"), [("datetime.now", "clock.py"), ("secrets.token", "ids.py")])
def test_the_hour_and_chance_have_one_home(needle: str, home: str) -> None:
    guilty = [
        str(file.relative_to(ROOT))
        for folder in ("libs", "services")
        for file in files(folder)
        if needle in file.read_text() and file.name != home
    ]
    assert guilty == []
