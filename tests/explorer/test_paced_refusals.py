"""Refusals come one after the other, so that who means no good can't keep the window busy."""

import asyncio
import time

import pytest

pytest.importorskip("explorer.paced_refusals")

from explorer.paced_refusals import Message, Paced, Receive, Send


def answering(status: int) -> object:
    async def app(scope: Message, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": status})
        await send({"type": "http.response.body", "body": b"{}"})

    return app


async def _ask(app: Paced, many: int) -> list[float]:
    came: list[float] = []
    began = time.monotonic()

    async def receive() -> Message:
        return {}

    async def one() -> None:
        async def send(message: Message) -> None:
            if message["type"] == "http.response.start":
                came.append(time.monotonic() - began)

        await app({"type": "http"}, receive, send)

    await asyncio.gather(*(one() for _ in range(many)))
    return came


def test_refusals_are_apart_and_answers_are_not() -> None:
    came = asyncio.run(_ask(Paced(answering(403), 0.02), 5))
    assert len(came) == 5
    assert came[-1] >= 0.1
    assert asyncio.run(_ask(Paced(answering(200), 10.0), 5))[-1] < 5


def test_a_refusal_never_waits_for_all_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("explorer.paced_refusals.LONGEST_S", 0.05)
    assert max(asyncio.run(_ask(Paced(answering(404), 10.0), 20))) < 5
