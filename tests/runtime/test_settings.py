"""Settings come from the environment, and the example names all of them."""

from pathlib import Path

import msgspec
import pytest

from libs.runtime.settings import PREFIX, BadSetting, Settings, environment, read

EXAMPLE = Path(__file__).parents[2] / "deploy" / "env.example"


def example() -> dict[str, str]:
    lines = (line for line in EXAMPLE.read_text().splitlines() if line.startswith(PREFIX))
    return dict(line.split("=", 1) for line in lines)


def test_the_example_names_every_setting_and_its_default() -> None:
    assert set(example()) == {PREFIX + field.name.upper() for field in msgspec.structs.fields(Settings)}
    assert read(example()) == Settings()


def test_what_is_written_is_read_again() -> None:
    settings = Settings(port=9, trusted_proxies=("10.0.0.1", "10.0.0.2"), rate_limit=False, trace_share=0.5)
    assert read(environment(settings)) == settings


@pytest.mark.parametrize(
    ("name", "value"),
    [("PORT", "many"), ("LOG_LEVEL", "loud"), ("TRACE_SHARE", "2"), ("RATE_LIMIT", "perhaps"), ("CLOCK_OFFSET", "60")],
)
def test_a_wrong_value_is_refused(name: str, value: str) -> None:
    with pytest.raises(BadSetting, match=PREFIX):
        read({PREFIX + name: value})


def test_the_clock_is_shifted_in_an_embedded_service_alone() -> None:
    assert read({"WORDYARD_CLOCK_OFFSET": "60", "WORDYARD_EMBEDDED": "true"}).clock_offset == 60
