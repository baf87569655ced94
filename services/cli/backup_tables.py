"""The database as a file: PostgreSQL's own dump, and putting it back into an empty database."""

import shutil
import subprocess
from pathlib import Path

import psycopg

from libs.runtime.embedded.postgres_server import binaries
from services.cli.backup_streams import BackupFailed

FILE = "tables.dump"

_ANY_TABLE = "select from pg_tables where schemaname not in ('pg_catalog', 'information_schema') limit 1"


def save(url: str, folder: Path) -> Path:
    """Write all tables, as they are at one instant, into a file. Raises `BackupFailed`."""
    file = folder / FILE
    _run("pg_dump", "--format=custom", "--no-owner", "--no-privileges", f"--file={file}", f"--dbname={url}")
    return file


def put_back(url: str, file: Path) -> None:
    """Make the tables out of this file, all or none. Raises `BackupFailed`, also if there are tables already."""
    with psycopg.connect(url) as connection:
        if connection.execute(_ANY_TABLE).fetchall():
            raise BackupFailed("the database is not empty")
    _run(
        "pg_restore", "--single-transaction", "--no-owner", "--no-privileges", "--exit-on-error",
        f"--dbname={url}", str(file),
    )  # fmt: skip


def _run(program: str, *arguments: str) -> None:
    """Run one of PostgreSQL's programs: the machine's own, else that of the embedded server."""
    embedded = binaries() / program
    path = str(embedded) if embedded.exists() else shutil.which(program)
    if path is None:
        raise BackupFailed(f"there is no {program} on this machine")
    done = subprocess.run([path, *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        raise BackupFailed(
            f"{program}: {done.stderr.strip().splitlines()[-1] if done.stderr.strip() else done.returncode}"
        )
