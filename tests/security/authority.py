"""Certificates as an operator would have them, and those that must be refused."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import trustme

HOST = "127.0.0.1"


class Pair(NamedTuple):
    """Where a certificate and its key are."""

    cert: str
    key: str


class Authority:
    """One authority: its own file, and what it vouches for."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder = folder
        self._name = name
        self._ca = trustme.CA(organization_name=name)
        self.file = str(folder / f"{name}.pem")
        self._ca.cert_pem.write_to_path(self.file)

    def server(self, name: str = HOST, *, expired: bool = False) -> Pair:
        """A certificate for a server of this name or address."""
        yesterday = datetime.now(UTC) - timedelta(days=1)
        issued = self._ca.issue_cert(
            name, not_before=yesterday - timedelta(days=90), not_after=yesterday if expired else None
        )
        return self._keep(issued, f"{name}{'-expired' if expired else ''}")

    def client(self, name: str) -> Pair:
        """A certificate for one of our services."""
        return self._keep(self._ca.issue_cert(f"{name}.wordyard.example", common_name=name), name)

    def _keep(self, issued: trustme.LeafCert, name: str) -> Pair:
        pair = Pair(str(self._folder / f"{self._name}-{name}.crt"), str(self._folder / f"{self._name}-{name}.key"))
        issued.private_key_pem.write_to_path(pair.key)
        for number, part in enumerate(issued.cert_chain_pems):
            part.write_to_path(pair.cert, append=number > 0)
        return pair
