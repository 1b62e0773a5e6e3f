"""Is there a screen? Qt ends the process without a word to us when there is none."""

import os
import socket
import sys
from pathlib import Path


def is_there() -> bool:
    """True if a window can be shown here; also if a platform was set explicitly."""
    if not sys.platform.startswith("linux"):
        return True
    if os.environ.get("QT_QPA_PLATFORM"):
        return True
    return _wayland_answers(os.environ.get("WAYLAND_DISPLAY", "")) or _x_answers(
        os.environ.get("DISPLAY", "")
    )


def shows_nothing() -> bool:
    """True if a platform was set that draws and shows no window."""
    return os.environ.get("QT_QPA_PLATFORM", "").partition(":")[0] in ("offscreen", "minimal")


def _wayland_answers(name: str) -> bool:
    return bool(name) and Path(os.environ.get("XDG_RUNTIME_DIR", "/"), name).exists()


def _x_answers(name: str) -> bool:
    """Ask the X server behind a name such as `:0`, `:0.1` or `host:10.0`."""
    host, _, rest = name.rpartition(":")
    number = rest.split(".")[0]
    if not number.isdigit():
        return False
    if host in ("", "unix"):
        # The abstract socket is the one that a sandbox leaves open.
        path = f"/tmp/.X11-unix/X{number}"
        return _connects(socket.AF_UNIX, path) or _connects(socket.AF_UNIX, f"\0{path}")
    return _connects(socket.AF_INET, (host, 6000 + int(number)))


def _connects(family: socket.AddressFamily, address: str | tuple[str, int]) -> bool:
    with socket.socket(family, socket.SOCK_STREAM) as plug:
        plug.settimeout(2)
        try:
            plug.connect(address)
        except OSError:
            return False
    return True
