"""Callers that mean no good, as a process of their own: what each wave of them was answered.

Reads `{"port", "token", "path", "wave"}` from standard input; prints how often each status came,
what was not said in words, and how long it took. `path` is what is asked with POST: the door for
programs, or that of the Model Context Protocol.
"""

import json
import resource
import socket
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle, islice

AT_ONCE, MANY, CONNECTIONS = 8, 1000, 10_000
LARGE, CHUNK = 100_000_000, b"x" * 65536
LIST = "/api/knowledge/entities"
SILENT = "closed"
"""What is counted where a connection was closed without an answer."""


class Caller:
    """Sends what no client library would send."""

    def __init__(self, port: int, token: str, path: str) -> None:
        self.port, self.token, self.path = port, token, path

    def head(self, method: str = "POST", path: str = "", body: int | None = None,
             **headers: str) -> bytes:
        """The head of a request; a header that is given takes the place of the usual one."""
        usual = {"Host": f"127.0.0.1:{self.port}", "Authorization": f"Bearer {self.token}",
                 "Content-Type": "application/json", "Connection": "close",
                 "Accept": "application/json, text/event-stream",
                 **({} if body is None else {"Content-Length": str(body)})}
        named = {**usual, **{name.replace("_", "-"): text for name, text in headers.items()}}
        lines = [f"{method} {path or self.path} HTTP/1.1",
                 *(f"{name}: {text}" for name, text in named.items())]
        return "\r\n".join([*lines, "", ""]).encode("latin-1")

    def send(self, parts: Iterable[bytes]) -> tuple[str, str]:
        """The status that is answered, and the body."""
        answer = b""
        with socket.create_connection(("127.0.0.1", self.port), timeout=60) as connection:
            try:
                for part in parts:
                    connection.sendall(part)
            except OSError:
                pass  # It has heard enough.
            try:
                while part := connection.recv(65536):
                    answer += part
            except OSError:
                pass
        head, _, body = answer.partition(b"\r\n\r\n")
        status = head.split(b" ", 2)[1].decode() if head.startswith(b"HTTP/") else SILENT
        return status, body.decode("utf-8", "replace")

    def ask(self, body: bytes, **headers: str) -> tuple[str, str]:
        """What a body is answered."""
        return self.send([self.head(body=len(body), **headers), body])

    def get(self, path: str) -> tuple[str, str]:
        """What a path is answered."""
        return self.send([self.head("GET", path)])


Wave = Callable[[Caller], Iterator[Callable[[], tuple[str, str]]]]


def tokens(caller: Caller) -> Iterator[Callable[[], tuple[str, str]]]:
    """Wrong and missing tokens."""
    shown = ("", "Bearer", "Bearer cst_guessed", "Basic dXNlcjpwdw==", "Bearer " + "x" * 5000,
             f"Bearer {caller.token[:-1]}")
    for one in shown:
        yield lambda one=one: caller.ask(b'{"query": "run"}', Authorization=one)


def strangers(caller: Caller) -> Iterator[Callable[[], tuple[str, str]]]:
    """Another Host, a page of another Origin."""
    for host in ("evil.example", f"127.0.0.1.evil.example:{caller.port}", "127.0.0.1:1"):
        yield lambda host=host: caller.ask(b'{"query": "run"}', Host=host)
    for origin in ("https://evil.example", "null", f"https://127.0.0.1:{caller.port}"):
        yield lambda origin=origin: caller.ask(b'{"query": "run"}', Origin=origin)


def broken(caller: Caller) -> Iterator[Callable[[], tuple[str, str]]]:
    """Bodies that are no JSON, or no object."""
    for body in (b"{", b"nonsense", b"[" * 100_000, b'{"query": "\xff"}', b"\x00", b"[]", b"null",
                 b'{"limit": ' + b"9" * 5000 + b"}", b'{"query": 5}', b'{"a":' * 50_000):
        yield lambda body=body: caller.ask(body)


def paths(caller: Caller) -> Iterator[Callable[[], tuple[str, str]]]:
    """Paths that would lead elsewhere."""
    for path in (f"{LIST}/../../../etc/passwd", "/..%2f..%2fetc%2fpasswd", "//etc/passwd",
                 f"{LIST}/%00", f"{LIST}/%ff", f"{LIST}/%2e%2e%2f%2e%2e", "/static/../../x",
                 f"{LIST}/" + "a" * 20_000):
        yield lambda path=path: caller.get(path)


def texts(caller: Caller) -> Iterator[Callable[[], tuple[str, str]]]:
    """Markup, NUL, halves of characters, statements: as words that are asked for."""
    for text in ("<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "a\x00b", "\ud800",
                 "'; DROP TABLE entities; --", "\u202egnp.exe", "%s%n" * 500, "(((\"*" * 200):
        body = json.dumps({"query": text}).encode()
        yield lambda body=body: caller.ask(body)


def large(caller: Caller) -> Iterator[Callable[[], tuple[str, str]]]:
    """Bodies of 100 MB: said beforehand, in parts, and with a small number in the head."""
    def body() -> Iterator[bytes]:
        return (CHUNK for _ in range(LARGE // len(CHUNK)))

    def in_parts() -> Iterator[bytes]:
        yield caller.head(Transfer_Encoding="chunked")
        for part in body():
            yield f"{len(part):x}\r\n".encode() + part + b"\r\n"
        yield b"0\r\n\r\n"

    yield lambda: caller.send([caller.head(body=LARGE), *[CHUNK] * (LARGE // len(CHUNK))])
    yield lambda: caller.send(in_parts())
    yield lambda: caller.send([caller.head(body=10), *body()])


def connections(caller: Caller) -> Iterator[Callable[[], tuple[str, str]]]:
    """Connections that ask nothing, and stay as long as they are let."""
    kept: list[socket.socket] = []

    def hold() -> tuple[str, str]:
        try:
            kept.append(socket.create_connection(("127.0.0.1", caller.port), timeout=60))
        except OSError:
            return "refused", ""
        return "held", ""

    yield hold


WAVES: dict[str, tuple[Wave, int]] = {
    "wrong and missing tokens": (tokens, MANY), "foreign Host and Origin": (strangers, MANY),
    "broken JSON": (broken, MANY), "path tricks": (paths, MANY),
    "markup, NUL, half characters": (texts, MANY), "bodies of 100 MB": (large, 30),
    "connections that ask nothing": (connections, CONNECTIONS)}
"""Each kind, and how many of it call."""


def call(given: dict[str, object]) -> dict[str, object]:
    """What became of one wave."""
    allowed = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(allowed, 20_000), allowed))
    caller = Caller(int(str(given["port"])), str(given["token"]), str(given["path"]))
    kind, times = WAVES[str(given["wave"])]
    began = time.perf_counter()
    with ThreadPoolExecutor(AT_ONCE) as pool:
        answers = list(pool.map(lambda one: one(), islice(cycle(list(kind(caller))), times)))
    seconds = time.perf_counter() - began
    return {"statuses": dict(Counter(status for status, _ in answers)), "seconds": seconds,
            "wordless": sorted({f"{status} {body[:80]}" for status, body in answers
                                if status[0] in "45" and not _in_words(body)})}


def _in_words(body: str) -> bool:
    """True if a refusal says why, and nothing of the inside of the program."""
    return bool(body.strip()) and "Traceback" not in body and '.py"' not in body


if __name__ == "__main__":
    json.dump(call(json.load(sys.stdin)), sys.stdout)
