"""Reads tables (CSV): pairs of names with a word between, or entities, facts and links."""

import csv
import sys
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from core.errors import OpenError
from core.model.names import spoken
from core.progress import Report, part
from core.transfer.readers.property_facts import facts_of, telling_fields
from core.transfer.readers.reader_interface import ImportFormat, Look, Notes, Placed
from core.transfer.readers.unnamed_columns import columns_told_by_rows
from core.transfer.text_encodings import PART, TextParts
from core.transfer.unknown_formats import DO_WITH_A_TABLE
from core.transfer.write_csv_tables import ENTITIES, FACTS, LINKS, unguarded

_FROM = ("source", "from", "subject", "start", "head", "entity1", "node1", "a")
_TO = ("target", "to", "object", "end", "tail", "entity2", "node2", "b")
_WORDS = ("reason", "relation", "relationtype", "relation_type", "relationship", "predicate",
          "label", "type", "words", "edge", "kind")
_NAME = ("name", "entity", "label", "title", "node")
_TYPE = ("type", "entity_type", "entitytype", "kind", "category", "typ")
_FACT = ("value", "fact", "observation", "observations", "content", "text", "note", "notes",
         "body", "memory", "notiz", "notizen")
_TIME = ("created", "date", "createdat", "created_at", "timestamp", "time")
_OF_A_FACT = frozenset((
    "id", "entity_id", "aspect", "group", "claim", "importance", "confidence", "source", "author",
    "who", "url", "line", "score", "status", "tags", *_TYPE, *_TIME))
"""What a column beside a fact may say of it; any other tells something of its entity itself."""
_TABLES = (".csv", ".tsv")
_NO_TABLE = ("{", "[", "<", "#", "-", "")
"""What a file of another kind begins with."""
_SAMPLE = 20
_TELLING = 50_000
"""Characters that tell what columns without a name that is known are."""
_STEP = 2_000
"""Rows between two reports of progress."""
_FIELD = 10_000_000
"""Characters of one cell that are read; the reader's own limit is 131,072."""
_SIGNS = ",;\t|"
_ALIASES = "; "

Row = dict[str, str]


def _knows(look: Look) -> bool:
    if look.is_folder:
        return any((look.path / name).is_file() for name in (ENTITIES, FACTS, LINKS))
    if look.is_database or "\0" in look.text[:200]:
        return False
    return bool(_header(look.text, look.path)) or _is_unnamed(look.text, look.path)


def _header(text: str, path: Path) -> list[str]:
    """The names of the columns, in small letters; empty where the text is no table."""
    if text[:1] in _NO_TABLE:
        return []
    first = text.splitlines()[0]
    sign = _sign(first)
    cells = _names(first, sign)
    is_table = path.suffix.lower() in _TABLES
    if _role(cells, any_columns=is_table):
        return cells
    is_header = bool({*_NAME, *_FACT, *_TIME, "id"} & set(cells))
    if not is_header and _is_unnamed(text, path):
        shown = text[:_TELLING].splitlines()[1:]
        return columns_told_by_rows(cells, _records(
            shown[:-1] if len(text) > _TELLING else shown, sign))
    return []


def _is_unnamed(text: str, path: Path) -> bool:
    """A table of two or three columns is known by its ending and by its even rows."""
    if text[:1] in _NO_TABLE or path.suffix.lower() not in _TABLES:
        return False
    first, *rest = text.splitlines()
    sign = _sign(first)
    cells = _names(first, sign)
    if len(cells) not in (2, 3) or not all(cells):
        return False
    rows = [len(row) for row in _records(rest[:_SAMPLE], sign) if row]
    return not rows[:-1] or set(rows[:-1]) == {len(cells)}


def _names(line: str, sign: str) -> list[str]:
    """The cells of one line, in small letters; none where it is no line of a table."""
    return [cell.strip().lower() for cell in next(iter(_records([line], sign)), [])]


def _records(lines: list[str], sign: str) -> list[list[str]]:
    try:
        return list(csv.reader(lines, delimiter=sign))
    except csv.Error:
        return []


def _sign(line: str) -> str:
    return max(_SIGNS, key=line.count)


def _role(header: list[str], *, any_columns: bool = True) -> str:
    """What the rows of a table are: links, facts or entities; empty where nothing tells.

    Args:
        any_columns: a column of names makes a table of entities, whatever the others are called.
    """
    names = set(header)
    if names & set(_FROM) and names & set(_TO):
        return "links"
    if names & {"entity", "entity_id", *_NAME} and names & set(_FACT) and (
            "entity_id" in names or names <= {*_NAME, *_FACT, *_OF_A_FACT}):
        return "facts"
    known = {*_TYPE, "id", *_FACT}
    return "entities" if names & {"name", "entity"} and (
        names & known or any_columns and len(names) > 1) else ""


def _read(look: Look, notes: Notes, report: Report) -> Iterator[Placed]:
    if not look.is_folder:
        yield from _table(look.path, notes, 0, report)
        return
    places = [look.path / name for name in (ENTITIES, FACTS, LINKS)]
    tables = [path for path in places if path.is_file()]
    for number, path in enumerate(tables):
        with path.open("rb") as stream:
            lines = 1 + sum(raw.count(b"\n") for raw in iter(lambda: stream.read(PART), b""))
        start = notes.begin(path.name, lines)
        share = part(report, number / len(tables), (number + 1) / len(tables))
        yield from _table(path, notes, start, share)
    for other in sorted(look.path.iterdir()):
        if other not in places and other.is_file() and not other.name.startswith("."):
            notes.remark(0, f"{other.name} is none of the three tables: it is left out")


def _table(path: Path, notes: Notes, start: int, report: Report) -> Iterator[Placed]:
    with path.open("rb") as stream:
        yield from _of_parts(path, notes.parts(stream, start), notes, start, report)


def _of_parts(
    path: Path, parts: TextParts, notes: Notes, start: int, report: Report
) -> Iterator[Placed]:
    text = parts.beginning().removeprefix("\ufeff")
    first = next(iter(text.splitlines()), "")
    header = _header(text.lstrip("\ufeff \t\r\n"), path)
    if not header and _is_unnamed(text, path):
        raise OpenError("foreign", "Its first line does not say what its columns are",
                        where=str(path), do=DO_WITH_A_TABLE)
    if not header:
        notes.complain(start + 1, "names no columns that tell entities, facts or links")
        return
    csv.field_size_limit(min(_FIELD, sys.maxsize))
    rows = csv.reader(_lines(parts), delimiter=_sign(first))
    own = _names(first, _sign(first))
    take = _ROLES[_role(header)]
    is_named = own == header or "name" in header
    if is_named and own != header:
        name = _records([first], _sign(first))[0][header.index("name")].strip()
        notes.remark(start + 1, f"“{name}” was taken as the name")
    for count, cells in enumerate(_rows(rows, notes, start)):
        if count % _STEP == 0:
            report(parts.share)
        if rows.line_num == 1 and is_named or not any(cells):
            continue
        line = start + rows.line_num
        if len(cells) > len(header):
            notes.complain(line, f"has {len(cells)} cells, the header {len(header)}")
        given = {name: unguarded(cell) for name, cell in zip(header, cells, strict=False)
                 if cell != ""}
        yield from take(line, given, notes)
    report(1.0)


def _lines(parts: TextParts) -> Iterator[str]:
    """The lines of a text with their ends, however they are parted."""
    held, begins = "", True
    for words in parts:
        words = words.removeprefix("\ufeff") if begins else words
        begins = begins and not words
        lines = (held + words).splitlines(keepends=True)
        # The last line may go on.
        held = lines.pop() if lines else ""
        yield from lines
    if held:
        yield held


def _rows(rows: Any, notes: Notes, start: int) -> Iterator[list[str]]:
    while True:
        try:
            yield from islice(rows, 1_000_000)
            return
        except csv.Error as error:
            notes.complain(start + rows.line_num, f"is no row of a table: {error}")


def _entity(line: int, given: Row, notes: Notes) -> Iterator[Placed]:
    name = _take(given, _NAME)
    if not name.strip():
        notes.complain(line, "has no name", "name")
        return
    given.pop("id", None)
    record: dict[str, object] = {"type": "entity", "name": name, "entityType": _take(given, _TYPE)}
    if (when := _take(given, _TIME)):
        record["created_at"] = when
    if "aliases" in given:
        record["aliases"] = given.pop("aliases").split(_ALIASES)
    for mark in ("pinned", "muted"):
        if given.get(mark) == "0":
            del given[mark]
    given.pop("mentions", None)
    facts = [given.pop(key) for key in _FACT if key in given]
    told = telling_fields(given)
    facts += [fact for key in [*given] if key in told for fact in facts_of(key, given.pop(key))]
    if facts:
        record["observations"] = facts
    yield line, {**given, **record}


def _fact(line: int, given: Row, notes: Notes) -> Iterator[Placed]:
    name = _take(given, ("entity", *_NAME, "entity_id"))
    given.pop("entity_id", None)
    text, claim = _take(given, _FACT), given.pop("claim", "")
    # Our own tables say the kind of a fact so; in others it is the type of the entity.
    of_entity = {"entityType": kind} if (kind := _take(given, _TYPE[:3])) else {}
    if not name.strip() or not (text.strip() or of_entity):
        notes.complain(line, "names no entity" if text else "has no fact", "value")
        return
    if not text.strip():
        yield line, {"type": "entity", "name": name, **of_entity}
        return
    if given.get("group") == "general":
        del given["group"]
    if (when := _take(given, _TIME)):
        given["created_at"] = when
    fact = {"text": f"{spoken(claim)}: {text}" if claim else text, **given}
    yield line, {"type": "entity", "name": name, **of_entity, "observations": [fact]}


def _link(line: int, given: Row, notes: Notes) -> Iterator[Placed]:
    given.pop("source_id", None)
    given.pop("target_id", None)
    source, target = _take(given, _FROM), _take(given, _TO)
    if not source.strip() or not target.strip():
        notes.complain(line, "names no two ends", "from" if target else "to")
        return
    # Our own tables have both a type and the words of a link that is merely related.
    if given.get("type", "related_to") != "related_to":
        words = given.pop("type")
    else:
        words = _take(given, _WORDS)
        given.pop("type", None)
    yield line, {**given, "type": "relation", "from": source, "to": target, "relationType": words}


def _take(given: Row, keys: tuple[str, ...]) -> str:
    key = next((key for key in keys if given.get(key)), "")
    return given.pop(key) if key else ""


_ROLES: dict[str, Callable[[int, Row, Notes], Iterator[Placed]]] = {
    "entities": _entity, "facts": _fact, "links": _link}

TABLES = ImportFormat("csv", "table (CSV)", _knows, _read)
