"""Asks a server on the person's word: JSON there, bytes back, within a time and a size."""

import http.client
import json
import socket
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from threading import Timer
from typing import Any
from urllib.parse import urlsplit

from core.errors import ConstellationError

_HERE = {"localhost", "127.0.0.1", "::1"}


class NoAnswer(Exception):  # noqa: N818 - said in the words of who has asked
    """The server gave no answer; its text says why, in words."""


def post(url: str, body: object, *, key: str, timeout_s: float, most_bytes: int) -> bytes:
    """What a server answers to a JSON object.

    Args:
        key: sent as a bearer token; empty for none. It goes to no other server.
        timeout_s: for all of it, however slowly it comes.
        most_bytes: a longer answer is none.

    Raises:
        NoAnswer: it is not there, refuses, takes too long, or says too much.
    """
    headers = {"Content-Type": "application/json"}
    if key:
        headers["Authorization"] = f"Bearer {key}"
    request = urllib.request.Request(url, json.dumps(body).encode(), headers)
    sockets: list[socket.socket] = []
    try:
        with (_ending(sockets, timeout_s),
              _opener(url, sockets).open(request, timeout=timeout_s) as response):
            answer: bytes = response.read(most_bytes + 1)
    except urllib.error.HTTPError as error:
        with error:
            raise NoAnswer(f"it answered {error.code}: {_start(error)}") from error
    except (OSError, ValueError, http.client.HTTPException) as error:
        raise NoAnswer(_words(error)) from error
    if len(answer) > most_bytes:
        raise NoAnswer(f"its answer is longer than {most_bytes // 1_000_000} MB")
    return answer


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A key that was meant for one server goes to no other."""

    def redirect_request(self, *arguments: object, **named: object) -> None:
        return None


@contextmanager
def _ending(sockets: Sequence[socket.socket], seconds: float) -> Iterator[None]:
    """Close the sockets after so many seconds: the library's own time limit begins anew with each
    byte that comes."""
    def end() -> None:
        for each in sockets:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    timer = Timer(seconds, end)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _opener(url: str, sockets: list[socket.socket]) -> urllib.request.OpenerDirector:
    """What asks a server; notes the sockets that it opens."""
    handlers: list[urllib.request.BaseHandler] = [_NoRedirects(), _Http(sockets), _Https(sockets)]
    if urlsplit(url).hostname in _HERE:
        handlers.append(urllib.request.ProxyHandler({}))  # a proxy can't reach this machine
    return urllib.request.build_opener(*handlers)


class _NotesSockets:
    """A handler that notes each socket that it opens."""

    def __init__(self, sockets: list[socket.socket]) -> None:
        super().__init__()
        self._sockets = sockets


class _Http(_NotesSockets, urllib.request.HTTPHandler):
    def http_open(self, request: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(partial(_noted, http.client.HTTPConnection, self._sockets), request)


class _Https(_NotesSockets, urllib.request.HTTPSHandler):
    def https_open(self, request: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(partial(_noted, http.client.HTTPSConnection, self._sockets), request)


def _noted(
    kind: type[http.client.HTTPConnection], sockets: list[socket.socket], host: str, **more: Any
) -> http.client.HTTPConnection:
    connection = kind(host, **more)
    connect = connection.connect

    def connect_and_note() -> None:
        connect()
        sockets.append(connection.sock)

    connection.connect = connect_and_note  # type: ignore[method-assign]
    return connection


def checked_url(url: str) -> str:
    """A server's address without a slash at its end; ConstellationError where it is none."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ConstellationError("This is not a server address", where=url,
                                 do="Write it as http://127.0.0.1:11434")
    return url.rstrip("/")


def _words(error: Exception) -> str:
    """What went wrong, without the names that Python has for it: `Connection refused`."""
    if isinstance(error, http.client.HTTPException):
        return "its answer is cut short, or no answer of a web server"
    reason = getattr(error, "reason", error)
    return str(getattr(reason, "strerror", None) or reason)


def _start(error: urllib.error.HTTPError) -> str:
    try:
        return error.read(300).decode("utf-8", "replace")
    except OSError:
        return str(error.reason)
