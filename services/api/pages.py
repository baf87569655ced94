"""What a browser gets: the pages, which are all the same file, and the files that this loads."""

from litestar import get
from litestar.exceptions import NotFoundException

from services.api import edge
from services.api.problems import Problem
from services.api.replies import Reply
from services.api.visits import Request

PAGES = (
    "/",
    "/new",
    "/invite/{token:str}",
    "/game/{id:str}",
    "/rivals",
    "/history",
    "/sign-in",
    "/account",
    "/unsubscribe/{token:str}",
    "/how-to-play",
    "/about",
    "/daily",
    "/daily/calendar",
    "/daily/{day:str}",
    "/daily/{day:str}/verify",
    "/practice",
    "/solver",
    "/solver/help",
    "/verify/{id:str}",
)


@get(list(PAGES), include_in_schema=False)
async def page(request: Request) -> Reply:
    """Every page is the same file, in the reader's language; what it shows is decided in the browser."""
    return request.parts.client.page(request.visit.headers)


@get("/outbox", include_in_schema=False)
async def outbox_page(request: Request) -> Reply:
    """The page of the outbox, where there is one."""
    return request.parts.client.page(request.visit.headers)


@get("/desk", include_in_schema=False)
async def desk_page(request: Request) -> Reply:
    """The page of the desk, where there are operators."""
    return request.parts.client.page(request.visit.headers)


def lost(request: Request, error: NotFoundException) -> Reply:
    """What an address without a route gives: a person the page that says so, a program the problem."""
    asked = request.visit.headers.get(b"accept", b"")
    if request.scope["method"] != "GET" or request.scope["path"].startswith("/api/") or b"text/html" not in asked:
        return edge.handle(request, error)
    return request.parts.client.page(request.visit.headers, 404)


@get(["/static/{path:path}", "/vendor/{path:path}"], include_in_schema=False)
async def static(request: Request) -> Reply:
    """A file of the client."""
    file = request.parts.client.files.get(request.scope["path"])
    if file is None:
        raise Problem("not_found")
    return file.reply(request.visit.headers)


@get("/sw.js", include_in_schema=False)
async def worker(request: Request) -> Reply:
    """The service worker, which must lie at the root."""
    return request.parts.client.worker.reply(request.visit.headers)
