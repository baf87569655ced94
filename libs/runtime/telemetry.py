"""Log lines, traces and what keeps both free of secrets.

A log line is one JSON object on standard output. Request and game ids come from the context
(`structlog.contextvars.bound_contextvars`), so that whoever logs need not know them. Traces follow a request over NATS
in its headers. What is counted is in `libs.runtime.metrics`.
"""

import logging
import sys
from collections.abc import Mapping, MutableMapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any, BinaryIO

import msgspec
import structlog
from opentelemetry import context, trace
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.sdk.trace.sampling import ParentBased, TraceIdRatioBased
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from libs.runtime import secrecy
from libs.runtime.clock import clock
from libs.runtime.settings import Settings

TRACEPARENT = "traceparent"
"""The header that carries a trace (W3C Trace Context)."""

_PROPAGATOR = TraceContextTextMapPropagator()
_QUIET = {
    "httpx": "WARNING",
    "httpcore": "WARNING",
    "urllib3": "WARNING",
    "asyncio": "WARNING",
    "psycopg.pool": "ERROR",
}
"""Libraries whose daily chatter says nothing that our own lines do not."""


def setup(settings: Settings, service: str, output: BinaryIO | None = None, *, lasting: bool = False) -> None:
    """Log lines of this level and above go to `output` (none: standard output), traces to where they are collected.

    `lasting`: nothing will be set up again in this process, so loggers may keep what they find, which is cheaper.
    """
    level = logging.getLevelNamesMapping()[settings.log_level.upper()]
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            _stamp,
            _name_trace,
            secrecy.shorten_exception,
            secrecy.drop_secrets,
            _line,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.BytesLoggerFactory(output or sys.stdout.buffer),
        cache_logger_on_first_use=lasting,
    )
    structlog.contextvars.clear_contextvars()
    structlog.contextvars.bind_contextvars(service=service)
    logging.basicConfig(handlers=[_Forward()], level=level, force=True)
    for name, least in _QUIET.items():
        logging.getLogger(name).setLevel(max(level, logging.getLevelNamesMapping()[least]))
    trace_as(service, settings)
    if settings.otlp_endpoint:
        # half a second and 15 MB that a service without traces does not pay for
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

        watch_spans(BatchSpanProcessor(OTLPSpanExporter(endpoint=settings.otlp_endpoint)))


_ENCODER = msgspec.json.Encoder(enc_hook=str)


_now = clock()


def _stamp(_: Any, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    event["at"] = _now()  # the encoder writes it as RFC 3339, UTC
    return event


def _line(_: Any, __: str, event: Mapping[str, Any]) -> bytes:
    return _ENCODER.encode(event)


class _Forward(logging.Handler):
    """What libraries log by the standard module, as lines like our own."""

    def emit(self, record: logging.LogRecord) -> None:
        structlog.get_logger().log(
            record.levelno,
            secrecy.mask(record.getMessage().partition("\n")[0]),  # the rest repeats rows and addresses
            logger=record.name,
            exc_info=record.exc_info if record.exc_info and record.exc_info[0] else None,
        )


def _name_trace(_: Any, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    if _tracing.watched:
        current = trace.get_current_span().get_span_context()
        if current.trace_flags.sampled:
            event["trace"] = trace.format_trace_id(current.trace_id)
    return event


class _Tracing:
    """Where spans are made. While nobody watches, and for requests that are not traced, one costs next to nothing."""

    def __init__(self) -> None:
        self.watched = False
        self.provider = TracerProvider()
        self.tracer = self.provider.get_tracer("wordyard")

    def begin(self, settings: Settings, service: str) -> None:
        self.watched = False
        self.provider = TracerProvider(
            sampler=ParentBased(TraceIdRatioBased(settings.trace_share)),
            resource=Resource.create({"service.name": f"wordyard-{service}"}),
        )
        self.tracer = self.provider.get_tracer("wordyard")

    def start(
        self, name: str, parent: context.Context | None, attributes: dict[str, Any]
    ) -> AbstractContextManager[trace.Span]:
        return self.tracer.start_as_current_span(name, parent, attributes=attributes, record_exception=False)


_tracing = _Tracing()
_NO_SPAN = nullcontext(trace.INVALID_SPAN)


def trace_as(service: str, settings: Settings) -> None:
    """From now on make spans in this service's name; until somebody watches, none."""
    _tracing.begin(settings, service)


def watch_spans(processor: SpanProcessor) -> None:
    """Show every finished span to this processor; after `setup` or `trace_as`."""
    _tracing.provider.add_span_processor(processor)
    _tracing.watched = True


def close() -> None:
    """Send the spans that are still waiting."""
    _tracing.provider.shutdown()


def root(name: str, **attributes: Any) -> AbstractContextManager[trace.Span]:
    """A span around a block in which a new trace begins, if chance has it; no secrets among the attributes."""
    return _tracing.start(name, context.Context(), attributes) if _tracing.watched else _NO_SPAN


def part(name: str, headers: Mapping[str, str] | None = None, **attributes: Any) -> AbstractContextManager[trace.Span]:
    """A span around a block within the present trace, or the one in these message headers; outside of one, nothing."""
    if not _tracing.watched:
        return _NO_SPAN
    parent = _PROPAGATOR.extract(headers) if headers and TRACEPARENT in headers else None
    if parent is None and not trace.get_current_span().is_recording():
        return _NO_SPAN
    return _tracing.start(name, parent, attributes)


def inject(headers: MutableMapping[str, str]) -> None:
    """Put the present trace, if there is one, into message headers."""
    if _tracing.watched and trace.get_current_span().is_recording():
        _PROPAGATOR.inject(headers)
