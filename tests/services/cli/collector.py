"""A collector of traces: takes what services export, as OTLP over HTTP."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest


@dataclass(frozen=True)
class Exported:
    """What a test wants to know of a span."""

    service: str
    name: str
    trace: bytes
    attributes: str


class Collector:
    """All spans that came."""

    def __init__(self) -> None:
        self.spans: list[Exported] = []
        self.url = ""

    def take(self, body: bytes) -> None:
        for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
            named = {pair.key: pair.value.string_value for pair in resource.resource.attributes}
            self.spans += [
                Exported(named["service.name"], span.name, span.trace_id, str(span.attributes))
                for scope in resource.scope_spans
                for span in scope.spans
            ]


@contextmanager
def collector() -> Iterator[Collector]:
    """One on a free port."""
    collected = Collector()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            collected.take(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    collected.url = f"http://127.0.0.1:{server.server_port}/v1/traces"
    try:
        yield collected
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
