"""What the memory of this process is made of: pages of files, and what is the program's own."""

import ctypes
import gc
import sys
from dataclasses import dataclass
from pathlib import Path


class _Mallinfo(ctypes.Structure):
    """`mallinfo2` of the C library."""

    _fields_ = [(name, ctypes.c_size_t) for name in (
        "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks",
        "fordblks", "keepcost")]


@dataclass(frozen=True, slots=True)
class Memory:
    """Megabytes, and how many blocks Python holds.

    Attributes:
        own: what belongs to this process alone (`RssAnon`); a leak is here.
        files: pages of files that are mapped, which the system takes back as it needs them.
        used: of its own, what the program has asked for and not given back.
        kept: of its own, what the C library keeps to give out again.
        blocks: Python's own blocks.
    """

    own: float
    files: float
    used: float
    kept: float
    blocks: int

    def __str__(self) -> str:
        return (f"own {self.own:.0f} MB (asked for {self.used:.0f}, kept by the C library "
                f"{self.kept:.0f}), files {self.files:.0f} MB, {self.blocks:,} Python blocks")


def memory_kinds() -> Memory:
    """The memory now, after a collection of what nobody holds."""
    gc.collect()
    fields = dict(line.split(":", 1) for line in
                  Path("/proc/self/status").read_text().splitlines() if ":" in line)
    own, files, shared = (int(fields[name].split()[0]) / 1024
                          for name in ("RssAnon", "RssFile", "RssShmem"))
    info = _mallinfo()
    return Memory(own, files + shared, (info.uordblks + info.hblkhd) / 2**20,
                  info.fordblks / 2**20, sys.getallocatedblocks())


def _mallinfo() -> _Mallinfo:
    """What the C library tells; nothing where it is another one."""
    try:
        ask = ctypes.CDLL("libc.so.6").mallinfo2
    except (OSError, AttributeError):
        return _Mallinfo()
    ask.restype = _Mallinfo
    info: _Mallinfo = ask()
    return info
