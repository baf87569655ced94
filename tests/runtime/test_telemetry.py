"""Log lines say what happened and never what is secret; traces cross NATS."""

import io
import json
import logging
from typing import Any

import pytest
import structlog
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from libs.runtime import secrecy, telemetry
from libs.runtime.settings import Settings


class Lines:
    """What has been logged since the last look."""

    def __init__(self) -> None:
        self.output = io.BytesIO()

    def take(self) -> list[dict[str, Any]]:
        text = self.output.getvalue().decode()
        self.output.seek(0)
        self.output.truncate()
        return [json.loads(line) for line in text.splitlines()]


@pytest.fixture
def lines() -> Lines:
    lines = Lines()
    telemetry.setup(Settings(), "test", lines.output)
    return lines


def test_a_line_is_one_json_object_with_the_ids_of_its_context(lines: Lines) -> None:
    with structlog.contextvars.bound_contextvars(request="r-1", game="g-1"):
        structlog.get_logger().info("stored", kind="duel")
    (line,) = lines.take()
    assert line.pop("at")
    assert line == {
        "event": "stored", "kind": "duel", "level": "info", "service": "test", "request": "r-1", "game": "g-1",
    }  # fmt: skip


def test_what_is_below_the_level_is_not_written(lines: Lines) -> None:
    structlog.get_logger().debug("chatter")
    assert lines.take() == []


@pytest.mark.parametrize("key", sorted(secrecy.SECRET))
def test_secret_keys_are_dropped_at_any_depth(lines: Lines, key: str) -> None:
    structlog.get_logger().info("moved", **{key: "crane"}, command={"type": "guess", "inner": {key: "crane"}})
    (line,) = lines.take()
    assert "crane" not in json.dumps(line)
    assert line["command"] == {"type": "guess", "inner": {}}


def test_an_exception_is_told_without_what_its_message_repeats(lines: Lines) -> None:
    try:
        raise ValueError("no mail to ann@example.com\nDETAIL: Key (email)=(ann@example.com) exists, word crane")
    except ValueError:
        structlog.get_logger().exception("failed")
    (line,) = lines.take()
    assert (line["error"], line["message"]) == ("ValueError", "no mail to …@…")
    assert line["where"][-1].startswith("tests/runtime/test_telemetry.py:")
    assert "ann" not in json.dumps(line)
    assert "crane" not in json.dumps(line)


def test_a_group_of_exceptions_is_told_by_its_first(lines: Lines) -> None:
    structlog.get_logger().error("failed", exc_info=ExceptionGroup("many", [ExceptionGroup("few", [KeyError("a")])]))
    assert lines.take()[0]["error"] == "KeyError"


def test_what_libraries_log_becomes_the_same_lines_with_addresses_masked(lines: Lines) -> None:
    logging.getLogger("some.library").warning("refused %s", "nats://token@127.0.0.1:4222")
    (line,) = lines.take()
    assert line["level"] == "warning"
    assert line["logger"] == "some.library"
    assert "token" not in line["event"]


def test_a_trace_goes_on_in_the_next_service(lines: Lines) -> None:
    spans = InMemorySpanExporter()
    telemetry.setup(Settings(trace_share=1), "test", lines.output)
    telemetry.watch_spans(SimpleSpanProcessor(spans))
    headers: dict[str, str] = {}
    with telemetry.root("request", kind="duel"):
        telemetry.inject(headers)
        structlog.get_logger().info("asked")
    with telemetry.part("command", headers), telemetry.part("append"):
        pass
    append, command, request = sorted(spans.get_finished_spans(), key=lambda span: span.name)
    assert append.parent is not None
    assert command.parent is not None
    assert append.parent.span_id == command.context.span_id
    assert command.parent.span_id == request.context.span_id
    assert dict(request.attributes or {}) == {"kind": "duel"}
    assert lines.take()[-1]["trace"] == f"{request.context.trace_id:032x}"


def test_outside_of_a_trace_a_part_starts_none(lines: Lines) -> None:
    spans = InMemorySpanExporter()
    telemetry.watch_spans(SimpleSpanProcessor(spans))
    with telemetry.part("append", {}):
        pass
    assert spans.get_finished_spans() == ()
