"""Reads what a page of the plain Markdown export says in words of its own."""

import re

from core.transfer.markdown_pages import ALWAYS, CONSTRAINT, INDEX, INDEX_TITLE
from core.transfer.readers.note_text import unescaped

_HEAD = re.compile(
    r"\A(?P<title># [^\n]+\n\n)Type: (?P<type>[^\n]+?)(?P<marks>(?:, (?:pinned|muted))*)\n"
    r"(?:\nAlso called: (?P<aliases>[^\n]+)\n)?")
_ALWAYS = re.compile(rf" {re.escape(ALWAYS)}$", re.MULTILINE)


def read_page(text: str) -> tuple[dict[str, object], str]:
    """The title, and the type, other names and pin below it, as fields of a note.

    Returns:
        The fields, none for any other note; and the text without what is read here, its lines
        where they were.
    """
    head = _HEAD.match(text)
    if head is None:
        return {}, text
    fields: dict[str, object] = {
        "title": unescaped(head["title"][2:].strip()), "type": unescaped(head["type"])}
    if head["aliases"]:
        fields["aliases"] = unescaped(head["aliases"]).split(", ")
    if head["marks"]:
        fields["tags"] = head["marks"].removeprefix(", ").split(", ")
    rest = _ALWAYS.sub(f" #{CONSTRAINT}", text[head.end():])
    gone = "\n" * head[0].removeprefix(head["title"]).count("\n")
    return fields, f"{head['title']}{gone}{rest}"


def is_index(name: str, text: str) -> bool:
    """Whether a note is the list of pages that is written beside them."""
    return name == f"{INDEX}.md" and text.startswith(f"# {INDEX_TITLE}\n\n- [")
