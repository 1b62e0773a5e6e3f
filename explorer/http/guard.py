"""Stands before every endpoint: only this machine, no page of a browser, no endless body."""

from collections.abc import Awaitable, Callable, Collection, MutableMapping
from typing import Any

from starlette.exceptions import HTTPException

from explorer.http.refusals import JsonResponse, refusal

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]

LARGEST = 4_000_000
"""Bytes of a body that are taken."""


class Guard:
    """An ASGI application before another one.

    Args:
        hosts: what the header Host may say, so that a name that leads here by trickery is refused.
        origins: what the header Origin may say, so that no other page can write.
    """

    def __init__(self, app: App, hosts: Collection[str], origins: Collection[str]) -> None:
        self._app, self._hosts, self._origins = app, hosts, origins

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refused = self._refused(scope)
        if refused is not None:
            await refused(scope, receive, send)
            return
        await self._app(scope, _bounded(receive), send)

    def _refused(self, scope: Message) -> JsonResponse | None:
        headers = [(name.lower(), value.decode("latin-1")) for name, value in scope["headers"]]
        of = {name: [value for each, value in headers if each == name]
              for name in (b"host", b"origin", b"content-length")}
        if len(of[b"host"]) != 1 or of[b"host"][0].lower() not in self._hosts:
            return refusal(421, "This server answers to this machine's own name only",
                           do="Use the address that it printed")
        if any(origin not in self._origins for origin in of[b"origin"]):
            return refusal(403, "Pages of a browser from elsewhere are not answered")
        if any(length.isdigit() and int(length) > LARGEST for length in of[b"content-length"]):
            return too_large()
        return None


def _bounded(receive: Receive) -> Receive:
    """A body while it is not too large, whatever its header says; then HTTPException (413)."""
    size = 0

    async def counted() -> Message:
        nonlocal size
        message = await receive()
        size += len(message.get("body", b""))
        if size > LARGEST:
            raise HTTPException(413)
        return message

    return counted


def too_large() -> JsonResponse:
    """The refusal of such a body."""
    return refusal(413, f"The body is larger than {LARGEST // 1_000_000} MB",
                   do="Send it in parts")
