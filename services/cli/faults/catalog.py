"""All faults by name, in the order in which they are tried."""

from collections.abc import Mapping

from services.cli.faults import processes
from services.cli.faults.fault import Fault

CATALOG: Mapping[str, Fault] = {fault.name: fault for fault in processes.faults()}
