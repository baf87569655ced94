"""All faults by name, in the order in which they are tried."""

from collections.abc import Mapping

from services.cli.faults import again, clocks, databases, disks, networks, processes, routes
from services.cli.faults.fault import Fault

KINDS = (processes, databases, disks, networks, routes, clocks, again)

CATALOG: Mapping[str, Fault] = {fault.name: fault for kind in KINDS for fault in kind.faults()}
