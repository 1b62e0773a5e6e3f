"""Reads GraphML and GEXF, element by element; what stands before a damage is kept."""

from collections.abc import Iterator
from xml.parsers import expat

from msgspec import Struct, field

from core.errors import OpenError
from core.model.text_formatting import one_line
from core.progress import Report
from core.transfer.readers.graph_records import GraphRecords
from core.transfer.readers.property_facts import telling_fields
from core.transfer.readers.reader_interface import ImportFormat, Look, Notes, Placed

_CHUNK = 262_144
_SKIPPED = {"hyperedge": "an edge of more than two ends", "port": "a port of a node",
            "viz:position": "a place", "viz:color": "a colour", "viz:size": "a size",
            "viz:shape": "a shape", "spell": "a span of time"}
"""Elements that a graph of entities has no place for."""
_NUMBERS = {"int": int, "integer": int, "long": int, "float": float, "double": float}

Attributes = dict[str, str]


class _Open(Struct):
    """A node or edge whose end has not come yet."""

    element: str
    line: int
    attributes: Attributes
    fields: dict[str, object] = field(default_factory=dict)
    labels: list[str] = field(default_factory=list)


class _Handler:
    """Hears the elements of a file and keeps the records that are ready."""

    def __init__(self, notes: Notes, parser: expat.XMLParserType) -> None:
        self.notes, self.parser = notes, parser
        self.records = GraphRecords(notes)
        self.ready: list[Placed] = []
        self.open: list[_Open] = []
        self.titles: dict[str, tuple[str, str, str]] = {}
        """What a field is called, its type and what it is where none is given, by its id."""
        self.group, self.field, self.words = "", "", [""]
        self.skipped: dict[str, tuple[int, int]] = {}
        parser.StartElementHandler = self.start
        parser.EndElementHandler = self.end
        parser.CharacterDataHandler = self.text
        parser.StartDoctypeDeclHandler = self.refuse

    def refuse(self, *_: object) -> None:
        """No graph needs a document type, which may expand to any size or read other files."""
        raise OpenError("foreign", "This XML declares a document type, which is not read",
                        detail=f"line {self.parser.CurrentLineNumber}: <!DOCTYPE",
                        do="Save it without one; nothing was changed")

    def start(self, name: str, given: Attributes) -> None:
        """An element begins."""
        name, line = name.split(":")[-1] if name[:4] != "viz:" else name, self._line
        self.words = []
        if name in ("key", "attribute"):
            self.field = given.get("id", "")
            self._declare(name, given)
        elif name == "attributes":
            self.group = given.get("class", "")
        elif name in ("node", "edge"):
            self.open.append(_Open(name, line, given))
        elif name == "data":
            self.field = given.get("key", "")
        elif name == "attvalue" and self.open:
            self._set(given.get("for", given.get("id", "")), given.get("value", ""))
        elif name in _SKIPPED:
            first, count = self.skipped.get(name, (line, 0))
            self.skipped[name] = first, count + 1

    def _declare(self, name: str, given: Attributes) -> None:
        """A field of nodes or edges; GEXF counts them apart."""
        group = given.get("for", "all") if name == "key" else self.group
        title = given.get("attr.name") or given.get("title") or self.field
        kind = given.get("attr.type") or given.get("type", "")
        self.titles[f"{group} {self.field}"] = title, kind, ""

    def text(self, words: str) -> None:
        """A part of the text of an element."""
        self.words.append(words)

    def end(self, name: str) -> None:
        """An element is whole."""
        name, words = name.split(":")[-1], "".join(self.words)
        if name == "default":
            group = next((key for key in reversed(self.titles) if key.endswith(f" {self.field}")),
                         "")
            if group:
                self.titles[group] = *self.titles[group][:2], words
        elif name == "NodeLabel" and self.open:
            self.open[-1].labels.append(words.strip())
        elif name == "EdgeLabel" and self.open:
            self.open[-1].fields.setdefault("label", words.strip())
        elif name == "data" and self.open:
            self._set(self.field, words)
            self.words = []
        elif name in ("node", "edge") and self.open:
            self._close(self.open.pop())

    def _set(self, id: str, value: str) -> None:
        owner = self.open[-1]
        title, kind, _ = self._title(owner.element, id)
        if value.strip() or kind == "string":
            owner.fields[title] = _converted(value, kind)

    def _title(self, element: str, id: str) -> tuple[str, str, str]:
        for group in (element, "all"):
            if f"{group} {id}" in self.titles:
                return self.titles[f"{group} {id}"]
        return id, "", ""

    def _close(self, item: _Open) -> None:
        fields = {title: _converted(default, kind)
                  for key, (title, kind, default) in self.titles.items()
                  if default and key.split(" ", 1)[0] in (item.element, "all")} | item.fields
        if item.element == "node":
            id = item.attributes.get("id", "")
            called = item.attributes.get("label", "") or next(filter(None, item.labels), "")
            if not id and not called:
                self.notes.complain(item.line, "has no id", "node")
                return
            # Our own files say facts as such, and of each node whether it is pinned.
            telling = frozenset() if "pinned" in fields else telling_fields(fields)
            self.ready.append(self.records.node(
                item.line, id or called, fields, called, properties=telling))
            return
        for key in ("label", "type", "weight"):
            if key in item.attributes and (key != "type" or item.attributes[key] not in (
                    "directed", "undirected", "mutual")):
                fields.setdefault(key, item.attributes[key])
        source, target = item.attributes.get("source", ""), item.attributes.get("target", "")
        self.ready += self.records.edge(item.line, source, target, fields)

    @property
    def _line(self) -> int:
        return self.parser.CurrentLineNumber

    def finish(self) -> Iterator[Placed]:
        """The edges that had to wait, and what the graph has no place for."""
        yield from self.records.rest()
        for name, (line, count) in self.skipped.items():
            more = f" ({count:,} times)" if count > 1 else ""
            self.notes.remark(line, f"{_SKIPPED[name]} is left out{more}", name)


def _converted(value: str, kind: str) -> object:
    """The value of a field by its type; as it stands where it is none of that type."""
    if kind == "boolean":
        return value.strip().lower() in ("true", "1")
    try:
        return _NUMBERS[kind](value) if kind in _NUMBERS else value
    except ValueError:
        return value


def _read(look: Look, notes: Notes, report: Report) -> Iterator[Placed]:
    parser = expat.ParserCreate()
    parser.buffer_text = True
    handler = _Handler(notes, parser)
    size = look.path.stat().st_size or 1
    with look.path.open("rb") as stream:
        while chunk := stream.read(_CHUNK):
            fault = _parse(parser, chunk, notes)
            yield from handler.ready
            handler.ready = []
            report(min(stream.tell() / size, 1.0))
            if fault:
                break
        else:
            _parse(parser, b"", notes, last=True)
            yield from handler.ready
    yield from handler.finish()


def _parse(parser: expat.XMLParserType, chunk: bytes, notes: Notes, *, last: bool = False) -> bool:
    """Read one piece; True, and noted, where the file is damaged or ends."""
    try:
        parser.Parse(chunk, last)
    except expat.ExpatError as error:
        what = one_line(expat.errors.messages.get(error.code, "is no XML"), 60)
        notes.complain(error.lineno, f"is no XML from here on: {what}")
        return True
    except (ValueError, LookupError) as error:  # An encoding that Python lacks.
        notes.complain(parser.CurrentLineNumber, f"can't be read: {one_line(str(error), 60)}")
        return True
    return False


def _begins(look: Look, element: str) -> bool:
    return look.text[:1] == "<" and f"<{element}" in look.text.replace("<graphml:", "<")


GRAPHML = ImportFormat("graphml", "GraphML", lambda look: _begins(look, "graphml"), _read)
GEXF = ImportFormat("gexf", "GEXF", lambda look: _begins(look, "gexf"), _read)
