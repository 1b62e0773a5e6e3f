"""Reads the text of a note: facts, relations and links to other notes, each with its line."""

import re
from collections.abc import Iterator

from msgspec import Struct, field

from core.transfer.readers.note_tables import table_in

_CATEGORY = re.compile(r"\[([^\[\]\n]{2,60})\]\s(.*)", re.DOTALL)
"""A word in brackets before a fact; a single sign there is a task's state."""
_TASK = re.compile(r"\[(.)\]\s+(.*)", re.DOTALL)
_BULLET = re.compile(r"([-*+]|\d+[.)])\s+(.*)")
_RELATION = re.compile(r"([^\[\]]{0,60}?)\s*(?<!!)\[\[([^\[\]]+)\]\]\s*(\([^()]*\))?\s*", re.DOTALL)
_LINK = re.compile(r"(!?)\[\[([^\[\]\n]+)\]\]")
_EMBEDDED = re.compile(r"[ \t]?!\[\[([^\[\]\n]+)\]\]")
_TAG = re.compile(r"(?<![\\\w&])#([^\W\d][\w/-]*|\d[\w/-]*[^\W\d][\w/-]*)")
_LAST_TAGS = re.compile(r"(?:\s+#[^\s#]+)+\s*\Z")
_ESCAPED = re.compile(r"\\([\\`*_\[\]<>|~#$%+=.)!(-])")
_FENCE = re.compile(r"(```+|~~~+)")
_HEADING = re.compile(r"(#{1,6})\s+(.*?)\s*(?:(?<!\\)#+)?\s*\Z")
_EMPHASIS = re.compile(r"(?<!\\)[*`]+")
_UNDERLINED = re.compile(r"\A(.+)\n=+[ \t]*\Z")
"""A heading of the first level that has a line of signs below it; our notes indent such a line."""
_FILE = re.compile(r"\.(?!(?:md|markdown)\Z)[A-Za-z][A-Za-z0-9]{1,9}\Z")
_WORD = re.compile(r"\w")
_CONSTRAINT = "constraint"
_LONGEST_NAME = 80
_HEADINGS = {"observations", "relations", "facts", "notes", "links"}
"""Headings that say no more than what stands below them."""
LINKS_TO = "links to"


class Fact(Struct, frozen=True):
    """A fact of a note.

    Attributes:
        opens: it is a paragraph before all lists and all headings but the note's own.
        is_bare: it has no words beside its tags and its links to other notes.
    """

    line: int
    text: str
    aspect: str = ""
    tags: tuple[str, ...] = ()
    is_constraint: bool = False
    opens: bool = False
    is_bare: bool = False


class Link(Struct, frozen=True):
    """A relation of a note to another, named as its link says it."""

    line: int
    target: str
    words: str = LINKS_TO
    is_embedded: bool = False
    context: str = ""


class _Block(Struct):
    """A paragraph or an item of a list."""

    line: int
    lines: list[str] = field(default_factory=list)
    bullet: bool = False


def blocks_of(text: str, start: int) -> Iterator[Fact | Link]:
    """What a note says, in its order.

    Args:
        start: the number of the line before the text.
    """
    aspect, opens = "", True
    for block in _blocks(text, start):
        words = "\n".join(block.lines)
        words = words if block.bullet else _UNDERLINED.sub(r"# \1", words)
        heading = None if block.bullet or "\n" in words else _HEADING.match(words)
        if heading:
            name = unescaped(heading.group(2))
            opens = opens and len(heading.group(1)) == 1
            aspect = "" if len(heading.group(1)) == 1 or name.lower() in _HEADINGS else name
        elif block.bullet:
            opens = False
            yield from item(block.line, words, aspect)
        elif table := table_in(block.lines):
            above = "\n".join(block.lines[:table.before])
            yield from _paragraph(block.line, above, aspect, opens=opens)
            opens = False
            for number, row in table.rows:
                yield from _paragraph(block.line + number, row, aspect)
        else:
            yield from _paragraph(block.line, words, aspect, opens=opens)


def _paragraph(line: int, words: str, aspect: str, *, opens: bool = False) -> Iterator[Fact | Link]:
    """A paragraph, or a row of a table: its links, and its text as a fact."""
    yield from _links(line, words)
    if text := unescaped(_named(words)).strip():
        yield Fact(line, text, aspect, _tags(words), opens=opens,
                   is_bare=_WORD.search(_TAG.sub("", _LINK.sub("", words))) is None)


def name_in_heading(text: str) -> str:
    """What the heading of the first level calls a note that begins it; empty if it names nothing.
    """
    lines = [line.rstrip() for line in text.strip().split("\n", 2)[:2]]
    heading = _HEADING.match(_UNDERLINED.sub(r"# \1", "\n".join(lines)).split("\n")[0])
    if heading is None or len(heading.group(1)) != 1:
        return ""
    words = _EMPHASIS.sub("", _LAST_TAGS.sub("", _named(heading.group(2))))
    name = " ".join(unescaped(words).split())
    is_name = _WORD.search(name) and len(name) <= _LONGEST_NAME and name.lower() not in _HEADINGS
    return name if is_name else ""


def _blocks(text: str, start: int) -> Iterator[_Block]:
    """Paragraphs, headings and items of lists; code keeps together."""
    block: _Block | None = None
    fence = ""
    for number, line in enumerate(text.split("\n"), start + 1):
        line = line.removesuffix("\r")
        bare = line.strip()
        inside = fence or block is not None and block.bullet and line[:2] == "  " and \
            not _BULLET.match(bare)
        if inside and block is not None:
            block.lines.append(line.removeprefix("  ") if block.bullet else line)
        elif (item := _BULLET.match(bare)) and not (len(line) - len(line.lstrip()) > 3 and
                                                    block is None):
            yield from _whole(block)
            block = _Block(number, [line.lstrip()[item.start(2):]], bullet=True)
        elif not bare or _HEADING.match(bare) and line[:1] == "#":
            yield from _whole(block)
            block = None
            if bare:
                yield _Block(number, [bare])
        elif block is None or block.bullet:
            yield from _whole(block)
            block = _Block(number, [line])
        else:
            block.lines.append(line)
        if (sign := _FENCE.match(bare)) and (not fence or bare == fence):
            fence = "" if fence else sign.group(1)
    yield from _whole(block)


def _whole(block: _Block | None) -> Iterator[_Block]:
    if block is not None:
        yield block


def item(line: int, words: str, heading: str) -> Iterator[Fact | Link]:
    """An item of a list: a relation, a fact of a category, a task, or a plain fact."""
    relation = _RELATION.fullmatch(words)
    if relation:
        target = relation.group(2)
        yield Link(line, target, unescaped(relation.group(1)).strip().rstrip(":") or LINKS_TO,
                   context=unescaped((relation.group(3) or "")[1:-1]).strip())
        return
    yield from _links(line, words)
    category, task = _CATEGORY.fullmatch(words), _TASK.fullmatch(words)
    if category:
        aspect, words = category.group(1).strip(), category.group(2)
    elif task:
        aspect, words = "tasks", f"{task.group(2)}{' (done)' if task.group(1) in 'xX' else ''}"
    else:
        aspect = heading
    is_constraint = any(tag.group(1) == _CONSTRAINT for tag in _TAG.finditer(words))
    plain = unescaped(_named(_LAST_TAGS.sub("", words)))
    if plain.strip():
        yield Fact(line, plain, aspect, _tags(words), is_constraint)


def _tags(words: str) -> tuple[str, ...]:
    tags = (tag.group(1) for tag in _TAG.finditer(words))
    return tuple(dict.fromkeys(tag for tag in tags if tag != _CONSTRAINT))


def _links(line: int, words: str) -> Iterator[Link]:
    for link in _LINK.finditer(words):
        yield Link(line, link.group(2), is_embedded=bool(link.group(1)))


def _named(words: str) -> str:
    """The text with the names of notes in place of links to them, without the files in it."""
    words = _EMBEDDED.sub(lambda link: "" if is_file(link.group(1)) else link.group(0), words)
    return _LINK.sub(lambda link: link.group(2).split("|")[-1].split("#")[0], words)


def is_file(target: str) -> bool:
    """True of the end of a link that is a picture or another file, no note: `boat.png`."""
    return _FILE.search(target.split("|")[0].split("#")[0]) is not None


def unescaped(words: str) -> str:
    """The text without the marks that keep Markdown from reading signs as its own."""
    return _ESCAPED.sub(r"\1", words)
