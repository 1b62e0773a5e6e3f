"""Servers that should give vectors and do something else instead, each a function of a socket."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

Answer = Callable[[socket.socket], None]


def hang(talk: socket.socket) -> None:
    while talk.recv(65536):
        pass


def drip(talk: socket.socket) -> None:
    talk.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
    while True:
        talk.sendall(b" ")
        time.sleep(0.05)


def drip_head(talk: socket.socket) -> None:
    talk.sendall(b"HTTP/1.1 200 OK\r\n")
    while True:
        talk.sendall(b"X")
        time.sleep(0.05)


def flood(talk: socket.socket) -> None:
    talk.sendall(b"HTTP/1.1 200 OK\r\n\r\n[")
    while True:
        talk.sendall(b" " * 1_000_000)


def garbage(talk: socket.socket) -> None:
    talk.sendall(bytes(range(256)) * 4)


def cut(talk: socket.socket) -> None:
    talk.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{")


def turn_away(talk: socket.socket) -> None:
    talk.sendall(b"HTTP/1.1 307 Elsewhere\r\nLocation: /again\r\nContent-Length: 0\r\n\r\n")


def other_length(talk: socket.socket) -> None:
    body = b'{"embeddings": [[0.6, 0.8]]}'
    talk.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body))


WAYS: tuple[Answer, ...] = (
    hang, drip, drip_head, flood, garbage, cut, turn_away, other_length)


class Serving:
    """A server on this machine that answers everybody in one way.

    Attributes:
        asked, ended: released by each request, and by the end of each answer.
    """

    def __init__(self, listener: socket.socket, answer: Answer) -> None:
        self.url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        self.asked, self.ended = threading.Semaphore(0), threading.Semaphore(0)
        self._listener, self._answer = listener, answer
        self._threads: list[threading.Thread] = []
        self._start(self._accept)

    def close(self) -> None:
        """Answer nobody any more; returns when every answer has ended."""
        self._listener.shutdown(socket.SHUT_RDWR)
        for thread in list(self._threads):
            thread.join(30)

    def _start(self, work: Callable[..., None], *given: object) -> None:
        self._threads.append(threading.Thread(target=work, args=given, daemon=True))
        self._threads[-1].start()

    def _accept(self) -> None:
        with suppress(OSError):  # Closed.
            while True:
                talk, _ = self._listener.accept()
                self._start(self._serve, talk)

    def _serve(self, talk: socket.socket) -> None:
        with talk, suppress(OSError):
            talk.recv(65536)
            self.asked.release()
            self._answer(talk)
        self.ended.release()


@contextmanager
def serving(answer: Answer) -> Iterator[Serving]:
    """Such a server, while the block lasts."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = Serving(listener, answer)
        yield server
        server.close()
