"""Says which version of the program is installed."""

from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed


def version() -> str:
    """The program's version; `unknown` where it was never installed."""
    try:
        return installed("constellation-explorer")
    except PackageNotFoundError:
        return "unknown"
