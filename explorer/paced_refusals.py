"""Lets refusals out one after the other: who means no good can't keep the window busy with them."""

import asyncio
import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]

APART_S = 0.01
"""Seconds between two refusals."""
LONGEST_S = 1.0
"""Seconds that one of them waits at most, so that a mistake is told in time, whoever else asks."""


class Paced:
    """An ASGI application whose refusals come at a measured pace."""

    def __init__(self, app: App, apart_s: float = APART_S) -> None:
        self._app, self._apart, self._next = app, apart_s, 0.0

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        async def paced(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] >= 400:
                await self._turn()
            await send(message)

        await self._app(scope, receive, paced)

    async def _turn(self) -> None:
        now = time.monotonic()
        self._next = min(max(self._next, now) + self._apart, now + LONGEST_S)
        await asyncio.sleep(self._next - now)
