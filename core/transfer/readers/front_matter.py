"""Reads the front matter of a note: the fields in YAML that stand above its text."""

import re
from datetime import date, datetime
from typing import Any

_MATTER = re.compile(r"\A---[ \t]*\r?\n(.*?)^(?:---|\.\.\.)[ \t]*\r?(?:\n|\Z)",
                     re.DOTALL | re.MULTILINE)
_LONGEST = 65_536


def split_matter(text: str) -> tuple[dict[str, object], str, int, str]:
    """The fields, the text below them, how many lines they take, and what is wrong with them."""
    match = _MATTER.match(text)
    if match is None:
        return {}, text, 0, ""
    lines = text.count("\n", 0, match.end())
    body = text[match.end():]
    if len(match.group(1)) > _LONGEST:
        return {}, body, lines, "its front matter is too long to be read"
    try:
        fields = _loaded(match.group(1))
    except Exception as error:  # noqa: BLE001 (YAML raises what it likes on hostile text)
        return {}, body, lines, f"its front matter is no YAML: {_first_line(error)}"
    if fields is None:
        return {}, body, lines, ""
    if not isinstance(fields, dict):
        return {}, body, lines, "its front matter names no fields"
    return {str(key): _plain(value) for key, value in fields.items()}, body, lines, ""


def _loaded(text: str) -> object:
    """The YAML as plain values; a name for a part, which may stand in itself, is refused."""
    import yaml  # noqa: PLC0415 (only notes need it)

    class Loader(yaml.SafeLoader):  # type: ignore[misc]
        """Reads plain values alone."""

        def compose_node(self, parent: Any, index: Any) -> Any:
            if self.check_event(yaml.AliasEvent):
                raise yaml.YAMLError("it refers to another part of itself")
            return super().compose_node(parent, index)

    return yaml.load(text, Loader)  # noqa: S506 (a SafeLoader)


def _plain(value: object) -> object:
    """The value as JSON can hold it."""
    if isinstance(value, dict):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple | set):
        return [_plain(each) for each in value]
    if isinstance(value, datetime | date):
        return value.isoformat()
    return value if isinstance(value, str | int | float | bool | None) else str(value)


def _first_line(error: Exception) -> str:
    """What a fault of YAML says, without where it was when it found it."""
    words = getattr(error, "problem", None) or str(error)
    return next(iter(str(words).splitlines()), type(error).__name__)
