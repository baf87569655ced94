"""`wordyard service NAME`: one service, configured by the environment."""

from importlib import import_module

import click

SERVICES = {
    "api": "services.api.__main__",
    "game": "services.game.__main__",
    "scheduler": "services.scheduler.__main__",
    "solver": "services.solver.serve",
    "worker": "services.solver.__main__",
}


@click.command()
@click.argument("name", type=click.Choice(list(SERVICES)))
@click.option("--json", "as_json", is_flag=True, help="Accepted everywhere; a service's log lines are always JSON.")
def service(name: str, as_json: bool) -> None:
    """Run one service until it is told to end. deploy/env.example lists its settings."""
    import_module(SERVICES[name]).main()
