"""A server for this machine alone: its socket, and the names by which it may be called."""

import signal
import socket
import sys

from core.errors import ConstellationError

HOST = "127.0.0.1"


def listening(port: int) -> socket.socket:
    """A socket that listens on this machine only; ConstellationError where the port is taken.

    Args:
        port: 0 for any that is free.
    """
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((HOST, port))
        listener.listen(128)
    except OSError as error:
        listener.close()
        raise ConstellationError(f"Port {port} can't be used", where=HOST, detail=str(error),
                                 do="Choose another one, or 0 for any that is free") from error
    return listener


def end_in_order() -> None:
    """Have a process that is told to end close its door and its file first; for its main thread."""
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))


def hosts(port: int) -> list[str]:
    """What the header Host may say; anything else may be a page that had its name changed."""
    return [f"{HOST}:{port}", f"localhost:{port}"]


def origins(port: int) -> list[str]:
    """What the header Origin may say, where a request has one."""
    return [f"http://{host}" for host in hosts(port)]
