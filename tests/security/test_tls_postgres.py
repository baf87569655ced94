"""PostgreSQL over TLS: its address says what is wanted, and everything that connects keeps to it."""

import re
from urllib.parse import quote

import psycopg
import pytest
from click.testing import CliRunner

from libs.runtime import postgres
from libs.runtime.settings import Settings
from services.cli.__main__ import main
from services.solver import broker
from tests.security.authority import Authority, Pair
from tests.security.encrypted_postgres import in_front_of


def verified(url: str, authority: Authority) -> str:
    return f"{url}?sslmode=verify-full&sslrootcert={quote(authority.file, safe='')}"


async def test_everything_that_connects_does_so_encrypted(postgres_url: str, authority: Authority, right: Pair) -> None:
    with in_front_of(postgres_url, right) as url:
        settings = Settings(postgres_url=verified(url, authority))
        assert postgres.migrate(settings.postgres_url)
        async with postgres.pool(settings) as pool:
            assert await postgres.is_up(pool)
            async with pool.connection() as connection:
                assert connection.pgconn.ssl_in_use
        queue, tasks = broker.connect(settings)
        with tasks.connection() as task:
            assert task.pgconn.ssl_in_use
        queue.close()
        tasks.close()


async def test_a_server_with_a_wrong_certificate_is_refused_and_prepare_says_why(
    postgres_url: str, authority: Authority, wrong: tuple[Pair, str]
) -> None:
    pair, said = wrong[0], f"certificate verify failed|{wrong[1]}"  # its client tells not more
    with in_front_of(postgres_url, pair) as url:
        address = verified(url, authority)
        with pytest.raises(psycopg.OperationalError, match=said):
            postgres.migrate(address)
        done = CliRunner().invoke(main, ["prepare"], env={"WORDYARD_POSTGRES_URL": address})
        async with postgres.pool(Settings(postgres_url=address)) as pool:
            assert not await postgres.is_up(pool)
    assert done.exit_code == 1
    assert re.search(said, done.output), done.output


def test_a_server_that_offers_no_encryption_is_refused(postgres_url: str, authority: Authority) -> None:
    with (
        in_front_of(postgres_url, None) as url,
        pytest.raises(psycopg.OperationalError, match="does not support SSL"),
    ):
        postgres.migrate(verified(url, authority))
