"""deploy/local-cluster as a command, and what it makes of the files of deploy/."""

import os
import shutil
import signal
import subprocess
from pathlib import Path
from typing import Any

import httpx
import msgspec
import psutil
import pytest

from libs.runtime.embedded.nats_server import BINARY
from libs.runtime.embedded.ports import HOST
from libs.runtime.embedded.processes import have_ended
from services.cli.cluster import composed
from tests import servers
from tests.deploy.checkers import DEPLOY, USERS


def test_nats_is_configured_by_the_same_file(tmp_path: Path) -> None:
    shutil.copy(DEPLOY / "nats-users.conf", tmp_path)
    (tmp_path / "nats-encryption.conf").write_text(composed.nats_encryption(None))
    text = composed.nats_config(tmp_path, HOST, 20001, 20002, 1, [20003, 20004, 20005])
    (tmp_path / "nats.conf").write_text(text)
    variables = {f"{user}_PASSWORD": f"p{user}" for user in USERS} | {"SERVER_NAME": "nats-2"}
    checked = subprocess.run(
        [str(BINARY), "-t", "-c", str(tmp_path / "nats.conf")], env={**os.environ, **variables}, capture_output=True
    )
    assert checked.returncode == 0, checked.stderr
    lines = [line.split("#")[0].strip() for line in text.splitlines()]
    assert {f'listen: "{HOST}:20001"', f'listen: "{HOST}:20004"', f'"nats://{HOST}:20005"'} <= set(lines)
    assert "sync_interval: always" in lines
    assert "0.0.0.0" not in text


def test_a_value_that_compose_needs_must_be_given() -> None:
    with pytest.raises(KeyError, match="POSTGRES_PASSWORD"):
        composed.environments({})


@pytest.mark.timeout(240)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL], ids=["told to end", "killed"])
def test_it_says_where_it_is_and_leaves_nothing_behind(number: signal.Signals) -> None:
    with servers.folder() as folder:
        command = [DEPLOY / "local-cluster", "--data", folder / "c", "--json"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        assert process.stdout is not None
        facts: dict[str, Any] = msgspec.json.decode(process.stdout.readline())
        parts = [psutil.Process(pid) for pid in facts["processes"].values()]
        assert len(parts) == 3 + 1 + 10 + 1
        assert httpx.get(facts["address"], trust_env=False).status_code == 200
        assert httpx.get(f"{facts['address']}/metrics", trust_env=False).status_code == 404
        connections = [connection for part in parts for connection in part.net_connections("inet")]
        assert {one.laddr.ip for one in connections if one.status == psutil.CONN_LISTEN} == {HOST}
        process.send_signal(number)
        process.communicate(timeout=60)
        assert process.returncode == (0 if number == signal.SIGINT else -signal.SIGKILL)
        assert have_ended(parts, 40)
