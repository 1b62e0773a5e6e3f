"""Says which version of the program is installed."""

import os
import sys
from contextlib import suppress

_BEFORE, _AFTER = "constellation_explorer-", ".dist-info"


def version() -> str:
    """The program's version; `unknown` where it was never installed.

    It is a part of the name of the folder in which an installer leaves what it installed:
    importlib.metadata says the same, but loads for longer than Python itself starts.
    """
    for folder in sys.path:
        with suppress(OSError):
            for name in os.listdir(folder or "."):  # noqa: PTH208  pathlib takes long to load
                if name.startswith(_BEFORE) and name.endswith(_AFTER):
                    return name.removeprefix(_BEFORE).removesuffix(_AFTER)
    return "unknown"
