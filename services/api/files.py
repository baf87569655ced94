"""Files kept in memory: sent whole or not at all, packed where that pays, each under the tag of its content."""

import gzip
from collections.abc import Mapping, Sequence
from hashlib import sha256

from services.api.replies import Reply, matches

TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".mjs": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
}

CHECK_AGAIN = "no-cache"
FOR_EVER = "public, max-age=31536000, immutable"
WORTH_PACKING = 1024  # bytes


class File:
    """One file; `vary` names the headers of a request that it was chosen by. Raises `KeyError` for an unknown type."""

    def __init__(self, name: str, content: bytes, cache: str = CHECK_AGAIN, vary: Sequence[str] = ()) -> None:
        self.content = content
        self._type = TYPES[name[name.rindex(".") :]]
        self._cache = cache
        self._tag = sha256(content).hexdigest()[:16]
        packed = gzip.compress(content, 9, mtime=0) if len(content) >= WORTH_PACKING else content
        self._packed = packed if len(packed) < len(content) else None
        self._vary = ", ".join([*vary, *(["Accept-Encoding"] if self._packed is not None else [])])

    def reply(self, headers: Mapping[bytes, bytes], status: int = 200) -> Reply:
        """The file, or that the asker has it already."""
        pack = self._packed is not None and b"gzip" in headers.get(b"accept-encoding", b"")
        etag = f'"{self._tag}-gz"' if pack else f'"{self._tag}"'
        if matches(headers, etag):
            answer = Reply(status=304)
        else:
            answer = Reply(self._packed if pack and self._packed else self.content, status, self._type)
            if pack:
                answer.add("content-encoding", "gzip")
        if self._vary:
            answer.add("vary", self._vary)
        return answer.add("etag", etag).add("cache-control", self._cache)
