"""Reads MCP memory files, in every dialect and with every fault that they are found with."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO, Protocol

from core.model.ingest_results import MergedName
from core.model.names import canonical, name_key, storable
from core.model.vocabulary import OBSERVATIONS
from core.progress import Report, ignore
from core.transfer.json_records import LISTS, records, shown
from core.transfer.json_values import Partial, TooDeep
from core.transfer.line_places import Places
from core.transfer.observation_buffer import Observation, ObservationStore, Owned
from core.transfer.other_tools import looks_like
from core.transfer.record_fields import TIME, TIMES, Fields, as_json
from core.transfer.text_encodings import TextParts

_NAME = ("name", "entityName", "entity_name")
_TYPE = ("entityType", "entity_type")
_OBSERVATIONS = ("observations", "contents", "observation")
_FROM = ("from", "from_id", "fromId", "source", "source_id")
_TO = ("to", "to_id", "toId", "target", "target_id")
_WORDS = ("relationType", "relation_type", "relation", "label")
_TEXT = ("text", "content", "observation", "value", "contents")
MEMORY_FILE = "MCP memory file"
_KEPT = "is kept, and only an MCP export has it again"
_DEEP = "is nested too deep"
_NO_TIME = "is no time"
_NO_ENTITY = "refers to no entity"
_OF_A_FIELD = (_KEPT, _DEEP, _NO_TIME, _NO_ENTITY)
"""What is said of a field; everything else is said of the record, or of one of its observations."""
_OF_ONE_LINE = 100
"""Problems of one field of one line that are listed; the rest is counted."""


@dataclass(frozen=True, slots=True)
class McpEntity:
    """An entity with all its observations, under the first spelling of its name.

    `key` is its canonical name.
    """

    name: str
    key: str
    entity_type: str
    observations: Sequence[Observation]
    when: str | None
    line: int
    fields: tuple[str, ...] = ()
    """Fields of its records that nothing else takes, as JSON."""
    description: str = ""
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class McpRelation:
    """A relation in the words of the file."""

    source: str
    target: str
    words: str
    line: int
    when: str | None = None
    fields: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class McpProblem:
    """Something that could not be taken over: the line (from 1), the field and what it is."""

    line: int
    field: str
    what: str

    @property
    def words(self) -> str:
        """What a person reads: `has no name`, `its field “extra” is nested too deep`."""
        if self.field and self.what.startswith(_OF_A_FIELD):
            return f"its field “{self.field}” {self.what}"
        if self.field == "observations" and not self.what.startswith("and "):
            return f"an observation {self.what}"
        return self.what


@dataclass(frozen=True, slots=True)
class McpFile:
    """What a memory file holds: entities by name, relations by their three words, problems."""

    path: str
    entities: tuple[McpEntity, ...] = ()
    relations: tuple[McpRelation, ...] = ()
    problems: tuple[McpProblem, ...] = ()
    merged: tuple[MergedName, ...] = ()
    encoding: str = ""
    """How its bytes were read, where that was not as UTF-8."""
    remarks: tuple[McpProblem, ...] = ()
    """What became one with something else, and what is kept as source data only."""
    looks_like: str = ""
    """What the first thing looks like that is no record of a memory file; empty if unknown."""
    places: Places = Places()
    title: str = MEMORY_FILE
    """What a person calls such a file."""


def read_mcp(
    source: Path | str | BinaryIO, report: Report = ignore, *, path: str = ""
) -> McpFile:
    """Read a memory file: JSON Lines, a JSON array, or one object of entities and relations.

    What can't be read is listed with its line and left out; nothing raises but a file that is
    not there.

    Args:
        source: a path, or an open binary stream that can be read twice.
        report: hears the finished share, and may stop the reading by raising Cancelled.
        path: the name that a stream's rows will carry as their source.
    """
    if isinstance(source, str | Path):
        with Path(source).open("rb") as stream:
            return read_mcp(stream, report, path=path or str(source))
    collected = _Collected()
    parts = TextParts(source, collected.complain)
    for record in records(parts, collected.complain, report):
        collected.take(record.line, record.value, record.part)
    return McpFile(storable(path), *collected.finish(), parts.encoding, collected.remarks(),
                   looks_like(collected.strange_fields, parts.beginning()[:200]))


def gather(given: Sequence[object], path: str = "") -> McpFile:
    """Records that did not come from a file, checked and merged as those of a file are.

    The line of a problem is the number of its record, from 1.
    """
    collected = _Collected()
    for number, record in enumerate(given, 1):
        collected.take(number, record)
    return McpFile(path, *collected.finish())


class Noted(Protocol):
    """What a reader has noted while its records were read."""

    problems: list[McpProblem]
    remarks: list[McpProblem]
    encoding: str

    def places(self) -> Places:
        """Where the lines of all files are."""


def collect(
    path: str, given: Iterable[tuple[int, Mapping[str, object]]], notes: Noted, title: str
) -> McpFile:
    """The records of another format, each with its line, checked and merged as of a memory file.

    They may also say an entity's `description` and `aliases`, and of a fact its `aspect` and
    `kind`.
    """
    collected = _Collected(every_field=True)
    for line, record in given:
        collected.take(line, record)
    entities, relations, problems, merged = collected.finish()

    def by_line(*lists: Iterable[McpProblem]) -> tuple[McpProblem, ...]:
        return tuple(sorted((each for some in lists for each in some), key=lambda one: one.line))

    return McpFile(storable(path), entities, relations, by_line(problems, notes.problems), merged,
                   notes.encoding, by_line(collected.remarks(), notes.remarks), "",
                   notes.places(), title)


@dataclass(slots=True)
class _Draft:
    """An entity while its records are being merged."""

    name: str
    line: int
    observations: Owned
    entity_type: str = ""
    when: str | None = None
    description: str = ""
    fields: dict[str, None] | None = None
    aliases: dict[str, None] | None = None
    """Made where there is one: a long file has very many entities."""

    def note(self, fields: str) -> None:
        """Keep what nothing else takes, as JSON."""
        self.fields = self.fields or {}
        self.fields[fields] = None


class _Collected:
    """Merges records: entities by canonical name, relations by their three words."""

    def __init__(self, *, every_field: bool = False) -> None:
        self._every_field = every_field
        self._entities: dict[str, _Draft] = {}
        self._observations = ObservationStore()
        self._names: dict[str, str] = {}
        self._relations: dict[tuple[str, str, str], McpRelation] = {}
        self._problems: list[McpProblem] = []
        self._noted: Counter[tuple[int, str]] = Counter()
        self._merged: dict[tuple[str, str], MergedName] = {}
        self._remarks: list[McpProblem] = []
        self._left: dict[str, list[int]] = {}
        self._loops: list[tuple[str, int, str]] = []
        """Relations that are left out since both names are one: a name, the line, the JSON."""
        self.strange_fields: tuple[str, ...] = ()
        """The fields of the first object that is neither an entity nor a relation."""

    def complain(self, line: int, what: str) -> None:
        """Note that a line can't be read."""
        self.problem(line, "", what)

    def remarks(self) -> tuple[McpProblem, ...]:
        """What became one with something else, and the fields kept as source data, by line."""
        fields = (McpProblem(lines[0], name, _KEPT + (
            f" ({len(lines):,} records)" if len(lines) > 1 else ""))
            for name, lines in self._left.items())
        return tuple(sorted((*self._remarks, *fields), key=lambda remark: remark.line))

    def _remark(self, line: int, where: str, what: str) -> None:
        self._remarks.append(McpProblem(line, where, storable(what)))

    def _rest(self, line: int, fields: Fields, **more: object) -> str:
        """The fields that nothing has taken as JSON, noted by their names; empty for none."""
        rest = dict(more)
        for name, value in fields.left():
            if isinstance(value, TooDeep | Partial) or as_json({name: value}) is None:
                self.problem(line, storable(name), _DEEP)
            else:
                rest[name] = value
                self._left.setdefault(storable(name), []).append(line)
        return as_json(rest) or "" if rest else ""

    def _time(self, line: int, fields: Fields) -> str | None:
        when, wrong = fields.time(TIMES)
        if wrong:
            self._remark(line, wrong, _NO_TIME)
        return when

    def _is_listed(self, line: int, where: str) -> bool:
        """Count one more problem, without its words where there are many of them already."""
        many = self._noted[line, where] >= _OF_ONE_LINE
        self._noted[line, where] += many
        return many

    def problem(self, line: int, where: str, what: str) -> None:
        """Note what could not be taken; of very many of one line only how many there are."""
        self._noted[line, where] += 1
        if self._noted[line, where] <= _OF_ONE_LINE:
            self._problems.append(McpProblem(line, where, storable(what)))

    def take(self, line: int, record: object, part: str = "") -> None:
        """Take one JSON value; a list or a whole graph on one line is taken item by item.

        Args:
            part: the list of a document that the record stands in, which tells what it is.
        """
        waiting = [(record, part)]
        while waiting:
            record, part = waiting.pop()
            if isinstance(record, list):
                waiting += [(item, part) for item in reversed(record)]
            elif not isinstance(record, dict):
                self.problem(line, "", f"is not a record: {_quoted(record)}")
            elif _is_graph(record):
                waiting += [(_listed(record.get(key)), key) for key in reversed(LISTS)]
            else:
                self._take_record(line, *_told(record, part))

    def _take_record(self, line: int, kind: str | None, record: Mapping[str, object]) -> None:
        if kind == "entity":
            self._entity(line, record)
        elif kind == "relation":
            self._relation(line, record)
        elif kind is None:
            self.strange_fields = self.strange_fields or tuple(map(storable, record))
            fields = f": {shown(', '.join(record))}" if record else ""
            self.problem(line, "type", f"is neither an entity nor a relation{fields}")
        else:
            self.strange_fields = self.strange_fields or tuple(map(storable, record))
            self.problem(line, "type", f"is a record of another kind: {shown(kind)}")

    def _entity(self, line: int, record: Mapping[str, object]) -> None:
        fields = Fields(record)
        name = _clean(fields.first(_NAME))
        key = name_key(name)
        if not key:
            self.problem(line, "name", "has no name")
            return
        merged = key in self._entities
        draft = self._draft(key, name, line)
        kind = _clean(fields.first(_TYPE))
        draft.entity_type = draft.entity_type or kind
        other = self._note_merged(draft, name, kind, line)
        when = self._time(line, fields)
        draft.when = draft.when or when
        if not self._every_field:
            other |= fields.raw_time or ({TIME: when} if merged and when else {})
        if (alias := _clean(record.get("id"))):
            self._names.setdefault(name_key(alias), key)
        self._describe(draft, fields)
        for item in _listed(fields.first(_OBSERVATIONS)):
            self._observation(line, draft, item)
        if (rest := self._rest(line, fields, **other)):
            draft.note(rest if not merged or other.get("name") else as_json(
                {"name": name, "entityType": kind, **json.loads(rest)}) or "")

    def _describe(self, draft: _Draft, fields: Fields) -> None:
        """Take what a memory file has no field for, if another format may say it."""
        if not self._every_field:
            return
        text = _words(fields.first(("description",))).strip()
        if text and text not in draft.description:
            draft.description = "\n".join(filter(None, (draft.description, text)))
        if (aliases := _listed(fields.first(("aliases",)))):
            draft.aliases = (draft.aliases or {}) | dict.fromkeys(
                filter(None, map(_clean, aliases)))

    def _observation(self, line: int, draft: _Draft, item: object) -> None:
        """One fact of an entity; the same fact again is noted."""
        if not item and not isinstance(item, str | int) and self._is_listed(line, "observations"):
            return
        fields = Fields(item if isinstance(item, dict) else {})
        name, given = fields.named(_TEXT) if isinstance(item, dict) else ("", item)
        text = _words(given)
        if not text.strip() and (isinstance(item, dict | bool | list | TooDeep)):
            self.problem(line, "observations", f"has no text: {_quoted(item)}")
            return
        if not (key := canonical(text)):
            self._remark(line, "observations", "is an empty text")
            return
        when = self._time(line, fields)
        aspect, is_rule = "", False
        if self._every_field:
            aspect = " ".join(_clean(fields.first(("aspect",))).split())
            is_rule = fields.first(("kind",)) == "constraint"
        own = fields.raw_time or ({TIME: when} if when else {})
        rest = self._rest(line, fields, **({} if self._every_field else own))
        if isinstance(item, dict) and not self._every_field and (name != "text" or not rest):
            rest = as_json({"": name, **json.loads(rest or "{}")}) or rest
        new = Observation(text, when, rest, aspect or OBSERVATIONS,
                          "constraint" if is_rule else "attribute")
        earlier = self._observations.add(draft.observations, new, key)
        if earlier is not new:
            self._remark(line, "observations", f"is there already: {shown(text)}")
            if rest or text != earlier.text:
                draft.note(as_json({"observations": [item]}) or "")

    def _note_merged(self, draft: _Draft, name: str, kind: str, line: int) -> dict[str, object]:
        """Say once that a name is an earlier one, spelled otherwise or with another type.

        Returns what is given up by that.
        """
        lost = kind if kind and canonical(kind) != canonical(draft.entity_type) else ""
        given: dict[str, object] = {"name": name, "entityType": kind}
        if not lost and name.split() == draft.name.split():
            return {} if kind in ("", draft.entity_type) and name == draft.name else given
        self._merged.setdefault((name, lost), MergedName(
            name, draft.name, lost, draft.entity_type if lost else "", line=line))
        return given

    def _relation(self, line: int, record: Mapping[str, object]) -> None:
        fields = Fields(record)
        source, target = _clean(fields.first(_FROM)), _clean(fields.first(_TO))
        for end, where in ((source, "from"), (target, "to")):
            if not name_key(end):
                self.problem(line, where, _NO_ENTITY)
        if not (name_key(source) and name_key(target)):
            return
        words = " ".join(_clean(fields.first(_WORDS)).split()) or "related to"
        when = self._time(line, fields)
        rest = self._rest(line, fields, **({} if self._every_field else fields.raw_time))
        if name_key(source) == name_key(target) and source.split() != target.split():
            self.problem(line, "to", f"relates “{source}” to “{target}”, which are one name")
            self._loops.append((source, line, as_json({**record, "type": "relation"}) or ""))
            return
        self._keep_relation(McpRelation(source, target, words, line, when, (rest,) if rest else ()))

    def _keep_relation(self, item: McpRelation) -> None:
        """Keep a relation; one that was there already, and one to itself, is noted."""
        key = (name_key(item.source), name_key(item.target), canonical(item.words))
        earlier = self._relations.setdefault(key, item)
        if earlier is not item:
            self._remark(item.line, "", f"is there already: “{item.source}” {item.words}"
                                        f" “{item.target}” (line {earlier.line})")
            if item.fields or item.when != earlier.when:
                self._relations[key] = replace(earlier, fields=tuple(dict.fromkeys(
                    (*_all_fields(earlier), *_all_fields(item)))))
        elif key[0] == key[1]:
            self._remark(item.line, "to", f"relates “{item.source}” to itself: {item.words}")

    def finish(
        self,
    ) -> tuple[tuple[McpEntity, ...], tuple[McpRelation, ...], tuple[McpProblem, ...],
               tuple[MergedName, ...]]:
        """The merged entities in the order of the file, its relations, its problems by line, and
        which names became one."""
        for name, line, relation in self._loops:
            self._draft(name_key(name), name, line).note(relation)
        relations = tuple(
            replace(item, source=self._spelled(item.source), target=self._spelled(item.target))
            for item in self._relations.values())
        many = (McpProblem(line, where, f"and {count - _OF_ONE_LINE:,} more like these")
                for (line, where), count in self._noted.items() if count > _OF_ONE_LINE)
        problems = tuple(sorted((*self._problems, *many), key=lambda item: item.line))
        self._observations.ended()
        entities = tuple(self._finished(self._entities.pop(key)) for key in tuple(self._entities))
        return entities, relations, problems, tuple(self._merged.values())

    def _draft(self, key: str, name: str, line: int) -> _Draft:
        draft = self._entities.get(key)
        if draft is None:
            draft = self._entities[key] = _Draft(name, line, Owned(key))
        return draft

    def _finished(self, draft: _Draft) -> McpEntity:
        return McpEntity(
            draft.name, draft.observations.owner, draft.entity_type,
            self._observations.of(draft.observations.numbers), draft.when, draft.line,
            tuple(filter(None, draft.fields or ())), draft.description,
            tuple(draft.aliases or ()))

    def _spelled(self, name: str) -> str:
        """The name as its entity spells it; the id of an entity stands for its name."""
        key = name_key(name)
        draft = self._entities.get(key) or self._entities.get(self._names.get(key, ""))
        return draft.name if draft else name


def _all_fields(item: McpRelation) -> tuple[str, ...]:
    """What a relation says beside its words, with its time, as JSON; once if that is nothing."""
    return item.fields or (as_json({TIME: item.when} if item.when else {}) or "",)


def _quoted(value: object) -> str:
    """The beginning of a value as JSON."""
    try:
        return shown(json.dumps(value))
    except (TypeError, RecursionError):
        return "it is nested too deep"


def _kind(record: Mapping[str, object], part: str) -> str | None:
    """What a record is: it says so, or its list does, or its keys; None if nothing tells."""
    if record.get("type") is not None:
        return str(record["type"])
    if part:
        return "entity" if part == "entities" else "relation"
    if _first(record, _NAME) is not None:
        return "entity"
    return "relation" if _first(record, _FROM) is not None else None


def _told(record: Mapping[str, object], part: str) -> tuple[str | None, Mapping[str, object]]:
    """What a record is, and the record with its own type in the usual field.

    Some tools call the type of an entity or a relation just `type`: its list or its fields tell.
    """
    kind = _kind(record, part)
    if kind in (None, "entity", "relation"):
        return kind, record
    is_relation = part == "relations" or _first(record, _FROM) and _first(record, _TO)
    is_entity = part == "entities" or _first(record, _NAME) and _first(record, _OBSERVATIONS)
    if not (is_relation or is_entity):
        return kind, record
    rest = {key: value for key, value in record.items() if key != "type"}
    return ("relation", {"relationType": kind, **rest}) if is_relation else (
        "entity", {"entityType": kind, **rest})


def _is_graph(record: Mapping[str, object]) -> bool:
    return "type" not in record and any(
        isinstance(record.get(key), list) for key in LISTS)


def _first(record: Mapping[str, object], keys: tuple[str, ...]) -> object:
    return next((record[key] for key in keys if record.get(key) is not None), None)


def _clean(value: object) -> str:
    """A name as it can be stored: trimmed, without NUL and half characters."""
    return _words(value).strip()


def _words(value: object) -> str:
    """A text as it can be stored, with its white space."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return storable(str(value).replace("\0", ""))


def _listed(value: object) -> list[object]:
    """Observations as a list, whatever stands for it: nothing, one text, one object."""
    if value is None:
        return []
    return [item for item in value if item is not None] if isinstance(value, list) else [value]
