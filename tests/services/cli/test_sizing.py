"""What a day of so many games takes: nothing is lost between minutes and machines, and more never takes less."""

import msgspec
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from services.cli.__main__ import main
from services.cli.sizing import Costs, Machines, Play, day, sizes

COUNTS = st.floats(1, 1e9)


@given(COUNTS, st.floats(1, 10))
def test_the_minutes_hold_every_command_of_the_day(games: float, peak: float) -> None:
    play = Play(games=games, peak=peak)
    wanted = games * (0.4 * play.commands_of_duel + 0.6 * play.commands_of_daily)
    assert sum(minute.commands * 60 for minute in day(play, Costs())) == pytest.approx(wanted)


@given(COUNTS, COUNTS)
def test_more_games_never_need_fewer_machines(one: float, other: float) -> None:
    fewer, more = (sizes(Play(games=games), Costs(), Machines()) for games in sorted((one, other)))
    assert all(few.machines <= many.machines for few, many in zip(fewer.needs, more.needs, strict=True))
    assert fewer.streams <= more.streams


def test_even_one_game_a_day_survives_the_loss_of_any_machine() -> None:
    found = sizes(Play(games=1), Costs(), Machines())
    assert {need.what: need.machines for need in found.needs} == {
        "api": 2, "game": 2, "solver": 2, "scheduler": 2, "worker": 2, "NATS": 3, "PostgreSQL": 2
    }  # fmt: skip


def test_the_busiest_minute_decides_about_the_api_and_midnight_about_the_log() -> None:
    costs = replace(Costs(), api=1000, closing=0)
    found = sizes(
        Play(games=8_640_000, share_of_duels=1, commands_of_duel=10, boards_a_game=0, peak=1), costs, Machines()
    )
    assert found.commands_at_peak == pytest.approx(1000)  # 86.4 million commands spread evenly over 86,400 seconds
    assert {need.what: need.cores for need in found.needs}["api"] == pytest.approx(1)
    assert found.appends_at_midnight == pytest.approx(1000 + 8_640_000 * 0.15 / 27.5)
    assert found.streams == 7  # 48,127 appends a second, 7,900 in each


def test_the_command_answers_in_words_and_in_json() -> None:
    words = CliRunner().invoke(main, ["sizing", "--games", "1000000"])
    assert words.exit_code == 0
    assert "PostgreSQL" in words.output
    found = msgspec.json.decode(CliRunner().invoke(main, ["sizing", "--json"]).output)
    assert found["streams"] >= 1
