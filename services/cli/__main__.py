"""The command `wordyard`. Each subcommand is imported when it is called, so that help is instant."""

import logging
import sys
from importlib import import_module

import click
import structlog

COMMANDS = {
    "up": ("services.cli.up:up", "Run everything on this machine and print where to play."),
    "service": ("services.cli.service:service", "Run one service, configured by the environment."),
    "prepare": ("services.cli.prepare:prepare", "Make the tables and streams of a hosted service."),
    "audit": ("services.cli.audit:audit", "Prove that a game, or all games, went by the rules."),
    "replay": ("services.cli.replay:replay", "Fold the log into the tables anew."),
    "backup": ("services.cli.backup:backup", "Write everything that cannot be made again into a folder."),
    "restore": ("services.cli.backup:restore", "Put a backup back where there is nothing yet."),
    "doctor": ("services.cli.doctor:doctor", "Check that this machine has what Wordyard needs."),
    "bench": ("services.cli.bench:bench", "Measure the service against its own bare pipe."),
    "sizing": ("services.cli.sizing:sizing", "Work out how many machines so many games a day need."),
    "load": ("services.cli.load.command:load", "Load a service with players, and verify what they were told."),
    "faults": ("services.cli.faults.command:faults", "Harm a cluster under load, and verify that nothing came of it."),
    "matrix": ("services.cli.matrix:matrix", "Make what the solver works with."),
    "moderate": ("services.cli.moderate:moderate", "Do what operators do about reports and players."),
    "daily": ("services.cli.daily:daily", "Show the words of coming days to an operator."),
    "words": ("services.cli.words:words", "Make the word lists."),
}
"""Where each command is, and its line in the help."""


class Lazy(click.Group):
    """A group that knows its commands by name alone."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order above."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name; none if there is no such."""
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name][0].partition(":")
        command: click.Command = getattr(import_module(module), name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list in the help, without importing what it lists."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])


@click.group(cls=Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="wordyard")
def main() -> None:
    """Wordyard: word games in which every move is an event."""
    # a command's output is its answer; `service` sets up log lines of its own
    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )


if __name__ == "__main__":
    main()
