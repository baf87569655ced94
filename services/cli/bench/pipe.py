"""The bare pipe: what any service of this shape pays before it has a rule.

HTTP POST, one NATS request to another process, one append to a stream of its own, the answer back: the same server,
client and settings as the real thing. `python -m services.cli.bench.pipe front|back` with the service's environment.
"""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import nats
import uvicorn
import uvloop
from litestar import Litestar, Request, Response, post
from nats.aio.msg import Msg
from nats.js.api import StorageType, StreamConfig

from libs.runtime import settings as settings_module

STREAM = "PIPE"
SUBJECT = "pipe.ask"


@asynccontextmanager
async def _connected(app: Litestar) -> AsyncIterator[None]:
    app.state.nats = await nats.connect(settings_module.read().nats_url, pending_size=0)
    yield
    await app.state.nats.close()


@post("/pipe")
async def pipe(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Pass the body on, and answer with what comes back."""
    answer = await request.app.state.nats.request(SUBJECT, await request.body(), timeout=5)
    return Response(answer.data, media_type="application/json")


app = Litestar([pipe], lifespan=[_connected], openapi_config=None)


def front() -> None:
    """Serve HTTP on the port of the settings, by the server that the api has."""
    settings = settings_module.read()
    uvicorn.run(
        app, host=settings.host, port=settings.port, loop="uvloop", http="httptools", access_log=False, log_config=None
    )


async def back() -> None:
    """Append each body to a stream of its own subject, and send the body back."""
    client = await nats.connect(settings_module.read().nats_url, pending_size=0)
    log = client.jetstream()
    await log.add_stream(StreamConfig(name=STREAM, subjects=["pipe.log.>"], storage=StorageType.FILE))
    games = [f"pipe.log.{number}" for number in range(512)]
    count = 0

    async def append(message: Msg) -> None:
        nonlocal count
        count += 1
        await log.publish(games[count % len(games)], message.data, headers={"Nats-Msg-Id": f"{os.getpid()}.{count}"})
        await message.respond(message.data)

    async def start(message: Msg) -> None:
        task = asyncio.create_task(append(message))
        running.add(task)
        task.add_done_callback(running.discard)

    running: set[asyncio.Task[None]] = set()
    await client.subscribe(SUBJECT, cb=start)
    await asyncio.Event().wait()


if __name__ == "__main__":
    front() if sys.argv[1] == "front" else uvloop.run(back())
