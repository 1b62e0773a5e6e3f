"""Makes records of the nodes and edges of a graph file, whatever a program calls their fields."""

import re
from collections.abc import Container, Iterator, Mapping
from itertools import chain

from msgspec import Struct, field

from core.model.link import type_called
from core.model.names import name_key, spoken
from core.queries.descriptions import LONGEST
from core.transfer.readers.property_facts import facts_of
from core.transfer.readers.reader_interface import Notes, Placed
from core.transfer.record_kinds import listed

_NAME = ("name", "label", "title", "entity_name", "entity_id", "Label", "Name")
_TYPE = ("entity_type", "entityType", "type", "kind", "node_type", "category", "labels", "Type")
_DESCRIPTION = ("description", "summary", "notes", "desc", "Description")
_FACTS = ("facts", "observations", "fact")
_WORDS = ("label", "relationType", "relation", "relationship", "relation_type",
         "relationship_type", "relationshipType", "edge_type", "name", "type", "predicate",
         "interaction", "edge", "words", "edge_label", "key", "Label")
"""What the words of an edge are called."""
_TIME = ("created_at", "createdAt", "timestamp", "created")
CONTINUED = "    "
"""What the further lines of a fact begin with, where each fact has a line of its own."""
_KEY = "networkx_key"
"""What tells edges of the same ends apart in a file of networkx."""
_BETWEEN_SENTENCES = re.compile(r"(?<=[a-z0-9)][a-z0-9)][a-z0-9)][.!?])\s+(?=[A-Z])|(?<=[。！？])")
"""Not behind "Dr." or an initial."""
_JOINED = "<SEP>"
"""What LightRAG puts between descriptions that it has joined."""

Fields = Mapping[str, object]


class GraphRecords(Struct):
    """The nodes of one file by their ids: names stay apart where two nodes have the same one.

    An edge whose ends come later waits until the end of the file.
    """

    notes: Notes
    names: dict[str, str] = field(default_factory=dict)
    _by_key: dict[str, str] = field(default_factory=dict)
    _waiting: list[tuple[int, str, str, Fields]] = field(default_factory=list)

    def node(
        self, line: int, id: str, given: Fields, called: str = "", *,
        properties: Container[str] = (),
    ) -> Placed:
        """The record of a node.

        Args:
            called: its name, where the format says that apart from the fields.
            properties: the fields that are facts where they are nothing else of the record.
        """
        rest = {key: value for key, value in given.items() if value not in ("", None)}
        name = called.strip() or _text(taken(rest, _NAME)).strip() or id
        name = self._own(line, id, _bare(name))
        record: dict[str, object] = {"type": "entity", "name": name}
        if (kind := taken(rest, _TYPE)) is not None:
            record["entityType"] = _kind(kind)
        for label, keys in (("description", _DESCRIPTION), ("created_at", _TIME)):
            if (value := taken(rest, keys)) is not None:
                record[label] = value
        facts = taken(rest, _FACTS)
        told = list(lines_of(facts)) if isinstance(facts, str) else facts
        if isinstance(record.get("description"), str):
            parts = _parts(str(record["description"]))
            record["description"] = "\n".join(parts)
            # Our own files say facts as such, and of each node whether it is pinned.
            if not told and "pinned" not in given and (len(parts) > 1 or len(parts[0]) > LONGEST):
                told = [*chain.from_iterable(map(_sentences, parts))]
                del record["description"]
        said = {key: words for key, value in rest.items()
                if key in properties and value != name and (words := facts_of(key, value))}
        if said:
            told = [*listed(told), *chain.from_iterable(said.values())]
        if told is not None:
            record["observations"] = told
        return line, {**{key: value for key, value in rest.items() if key not in said}, **record}

    def _own(self, line: int, id: str, name: str) -> str:
        """The name, told apart from that of another node; the same node again keeps its own.

        Where nodes have no ids but names, two names that are one are one node.
        """
        if id in self.names:
            return self.names[id]
        other = self._by_key.setdefault(name_key(name), id)
        if other != id and name_key(_bare(id)) != name_key(name):
            self.notes.remark(line, f"another node is called “{name}”: this is “{name} ({id})”",
                              "name")
            name = f"{name} ({id})"
            self._by_key.setdefault(name_key(name), id)
        self.names[id] = name
        return name

    def edge(self, line: int, source: str, target: str, given: Fields) -> Iterator[Placed]:
        """The record of an edge, now or with the others at the end."""
        if source in self.names and target in self.names:
            yield line, _relation(self.names[source], self.names[target], given)
        else:
            self._waiting.append((line, source, target, given))

    def rest(self) -> Iterator[Placed]:
        """The edges that had to wait; one that leads to no node of the file, if it has any, is
        told."""
        for line, source, target, given in self._waiting:
            missing = [end for end in (source, target)
                       if end and self.names and end not in self.names]
            for end in missing:
                self.notes.remark(line, f"no node of the file is “{end}”", "edge")
            yield line, _relation(self.names.get(source, source), self.names.get(target, target),
                                  given)


def taken(fields: dict[str, object], keys: tuple[str, ...]) -> object:
    """Take the first of these fields that says something out of the others."""
    key = next((key for key in keys if fields.get(key) not in (None, "", [], {})), None)
    return fields.pop(key) if key is not None else None


def lines_of(facts: str) -> Iterator[str]:
    """The facts that stand one below the other; a line that is indented goes on with the last,
    and one with a backslash before that begins a fact."""
    held: list[str] = []
    for line in facts.split("\n"):
        if held and line.startswith(CONTINUED):
            held.append(line.removeprefix(CONTINUED))
            continue
        if held:
            yield "\n".join(held)
        escaped = line.startswith("\\") and line.lstrip("\\").startswith(CONTINUED)
        held = [line[1:] if escaped else line]
    if any(held):
        yield "\n".join(held)


def _relation(source: str, target: str, given: Fields) -> dict[str, object]:
    rest = {key: value for key, value in given.items()
            if value not in ("", None) and key != _KEY}
    words, when = _words(rest), taken(rest, _TIME)
    if words in (rest.get("reason"), spoken(str(rest.get("dependency_type", "")))):
        # Our own files say the words of a link twice.
        rest.pop("dependency_type", None)
        rest.pop("reason" if rest.get("reason") == words else "", None)
    record: dict[str, object] = {"type": "relation", "from": source, "to": target}
    if words is not None:
        record["relationType"] = _kind(words)
    if when is not None:
        record["created_at"] = when
    return {**rest, **record}


def _words(fields: dict[str, object]) -> object:
    """Take the words of an edge, with what describes it behind them (`family: spouse`), if there
    is something; a type of the graph stays one."""
    words = taken(fields, _WORDS)
    about = taken(dict(fields), _DESCRIPTION)
    if not isinstance(about, str) or about == words or words is not None and (
            not isinstance(words, str) or type_called(words)):
        return words
    taken(fields, _DESCRIPTION)
    told = "; ".join(" ".join(part.split()) for part in _parts(about))
    return f"{words}: {told}" if words else told


def _parts(description: str) -> list[str]:
    """The descriptions that a program has joined, without marks around each."""
    return [_bare(part.strip()) for part in description.split(_JOINED)]


def _sentences(text: str) -> list[str]:
    """A text that is too long to be told whole, sentence by sentence."""
    return [*filter(str.strip, _BETWEEN_SENTENCES.split(text))] if len(text) > LONGEST else [text]


def _bare(text: str) -> str:
    """A text without the quotation marks around it, which some programs leave there."""
    return text[1:-1] if len(text) > 2 and text[0] == text[-1] == '"' and (  # noqa: PLR2004
        '"' not in text[1:-1]) else text


def _kind(value: object) -> str:
    """A type as one text; of several labels the first that says more than `Entity`."""
    if isinstance(value, list):
        words = [_text(each) for each in value]
        return next((each for each in words if each not in ("Entity", "Node", "")),
                    words[0] if words else "")
    return _bare(_text(value))


def _text(value: object) -> str:
    return str(value) if isinstance(value, str | int | float) else ""


