"""A whole service and real browsers, as a person would have them."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from libs.core.calendar import eastern_day
from libs.runtime.clock import clock
from tests.e2e.vocabulary import draw_key

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

VISITED = """localStorage.setItem("wordyard.daily.opened", JSON.stringify(
  new Intl.DateTimeFormat("en-CA", { timeZone: "America/New_York" }).format(Date.now())))"""
"""The Daily was opened today: the lobby does not open it by itself."""


@dataclass(frozen=True)
class Running:
    """A running `wordyard up`."""

    address: str
    data: Path
    pid: int

    def wordyard(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run a command on its data, as an operator would beside it."""
        return subprocess.run(
            [sys.executable, "-m", "services.cli", *words, "--data", str(self.data)],
            capture_output=True,
            text=True,
            timeout=60,
        )


@contextmanager
def up(*options: str) -> Iterator[Running]:
    """`wordyard up` in a folder that goes with it."""
    data = Path(tempfile.mkdtemp(prefix="wy-e2e-"))
    now = datetime.fromisoformat(options[options.index("--now") + 1]) if "--now" in options else clock()()
    draw_key(data, eastern_day(now))
    process = subprocess.Popen(
        [sys.executable, "-m", "services.cli", "up", "--data", str(data), "--port", "0", "--json", *options],
        stdout=subprocess.PIPE,
        env={**os.environ, "WORDYARD_RATE_LIMIT": "false"},
    )
    try:
        assert process.stdout
        line = process.stdout.readline()
        assert line, "it did not start"
        yield Running(json.loads(line)["address"], data, process.pid)
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(30)
        shutil.rmtree(data, ignore_errors=True)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """Debian's Chromium; without it these tests are left out, or fail where they must run.

    For a module at a time: while Playwright runs, its own event loop leaves no room for those of other tests.
    """
    if CHROMIUM is None:
        if os.environ.get("WORDYARD_REQUIRE_BROWSER"):
            pytest.fail("Chromium is needed here: apt-get install chromium")
        pytest.skip("no Chromium here: apt-get install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def service() -> Iterator[Running]:
    """One service for the module."""
    with up() as running:
        yield running


NewPerson = Callable[..., Page]


@pytest.fixture
def person(chromium: Browser, request: pytest.FixtureRequest) -> Iterator[NewPerson]:
    """Makes people: each has a browser of their own, and none may see an error, or a page that breaks its own policy.

    They have been here today, unless it is their `first_visit`.
    """
    contexts: list[BrowserContext] = []
    errors: list[str] = []

    def new(
        address: str,
        width: int = 1280,
        height: int = 800,
        scheme: str = "light",
        locale: str = "en-US",
        first_visit: bool = False,
    ) -> Page:
        context = chromium.new_context(
            base_url=address,
            viewport={"width": width, "height": height},
            color_scheme=scheme,
            locale=locale,
            reduced_motion="reduce",
        )
        context.set_default_timeout(10_000)
        contexts.append(context)
        if not first_visit:
            context.add_init_script(VISITED)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: errors.extend([message.text] if "Policy" in message.text else []))
        return page

    yield new
    for context in contexts:
        context.close()
    assert errors == []
