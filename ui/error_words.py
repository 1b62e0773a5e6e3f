"""An error in the words of somebody with a window and no shell: the one place that says them."""

import re

from core.error_advice import Advice
from core.errors import ConstellationError

_FORCE = re.compile(r"\b([Uu])se force\b")
_PERHAPS_OPERATION = re.compile(r"\b[a-z]+(_[a-z]+)+\b")


def words_of(error: BaseException) -> str:
    """What happened, where and what to do, as one text."""
    return told(error.in_window if isinstance(error, ConstellationError) else str(error))


def what_to_do(error: BaseException) -> str:
    """What to do alone; empty where there is nothing."""
    return told(getattr(error, "do", ""))


def told(text: str) -> str:
    """A text of the engine: `force` is a second press here, and an operation has a title."""
    text = text.window if isinstance(text, Advice) else text
    text = _FORCE.sub(lambda found: "Confirm" if found[1] == "U" else "confirm", text)
    return _PERHAPS_OPERATION.sub(_label, text)


def _label(found: re.Match[str]) -> str:
    # Few errors name an operation: all of them take long to load.
    from core.ontology.operation_catalog import CATALOG  # noqa: PLC0415

    operation = CATALOG.get(found[0])
    return f"“{operation.label}”" if operation else found[0]
