"""`wordyard doctor` says of each server that the environment names whether it is reached, encrypted, or why not."""

import re
from urllib.parse import quote

import msgspec
import pytest
from click.testing import CliRunner

from services.cli.__main__ import main
from services.cli.findings import Finding
from tests.security.authority import HOST, Authority, Pair
from tests.security.encrypted_nats import encrypted_nats
from tests.security.encrypted_postgres import in_front_of
from tests.security.test_tls_mail import mail_server


def found(**variables: str) -> dict[str, Finding]:
    env = {f"WORDYARD_{name}": value for name, value in variables.items()}
    done = CliRunner().invoke(main, ["doctor", "--json"], env=env)
    return {one.name: one for one in msgspec.json.decode(done.stdout, type=list[Finding])}


def everything(authority: Authority, pair: Pair, postgres_url: str) -> dict[str, Finding]:
    with encrypted_nats(pair) as port, in_front_of(postgres_url, pair) as url, mail_server(pair) as box:
        return found(
            NATS_URL=f"tls://{HOST}:{port}",
            NATS_CA=authority.file,
            POSTGRES_URL=f"{url}?sslmode=verify-full&sslrootcert={quote(authority.file, safe='')}",
            SMTP_URL=box.url,
            SMTP_CA=authority.file,
        )


def test_servers_that_have_proven_who_they_are_are_well(authority: Authority, right: Pair, postgres_url: str) -> None:
    findings = everything(authority, right, postgres_url)
    for name in ("NATS", "database", "mail server"):
        assert (findings[name].state, findings[name].detail) == ("ok", "answers, encrypted")


def test_servers_that_have_not_are_named_with_the_reason(
    authority: Authority, wrong: tuple[Pair, str], postgres_url: str
) -> None:
    pair, said = wrong
    findings = everything(authority, pair, postgres_url)
    for name in ("NATS", "mail server"):
        assert findings[name].state == "missing"
        assert re.search(said, findings[name].detail), findings[name].detail
    assert findings["database"].state == "missing"
    assert re.search(f"certificate verify failed|{said}", findings["database"].detail)


@pytest.mark.parametrize("variable", ["NATS_CA", "TLS_CERT"])
def test_a_setting_that_cannot_be_is_named(variable: str) -> None:
    finding = found(**{variable: "/nowhere.pem"})["settings"]
    assert finding.state == "missing"
    assert f"WORDYARD_{variable}" in finding.detail
