"""Lines and sections of an injected text.

What comes from the graph is put on one line each, so that no memory can pass for a heading or for
a constraint.
"""

import re
from collections.abc import Sequence

_BREAKS = re.compile("[\x00-\x20\x7f-\xa0\u2028\u2029]+")
_CONTROLS = re.compile("[\u202a-\u202e\u2066-\u2069]")


def one_line(text: str) -> str:
    """The text on one line, without signs that turn the line around."""
    return _BREAKS.sub(" ", _CONTROLS.sub("", text)).strip()


def section(title: str, lines: Sequence[str]) -> str:
    """A heading with lines under it; empty without any."""
    return "\n".join(("", title, "", *lines, "")) if lines else ""
