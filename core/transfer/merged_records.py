"""Merges the records of a memory file: entities by their names, relations by their three words."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from core.model.names import canonical, name_key, storable
from core.model.secret_wording import may_tell_secrets
from core.model.vocabulary import LONGEST_TEXT, OBSERVATIONS
from core.store.disk_backed_collections import (
    LongDict,
    LongList,
    LongSequence,
    TemporaryDatabase,
    some_of,
)
from core.transfer.damaged_json import Repeated, TooDeep
from core.transfer.entity_names_in_relations import TOGETHER, EntityDraft, RelationNames
from core.transfer.json_records import LISTS, NESTS, SAME, of_all, quoted, shown
from core.transfer.mcp_records import (
    NO_ENTITY,
    NO_TIME,
    ONE_TYPE,
    TWICE,
    UNSTORABLE,
    McpEntity,
    McpRelation,
)
from core.transfer.object_observations import WHOLE, text_of
from core.transfer.observation_buffer import Observation, ObservationStore
from core.transfer.record_field_reader import (
    TIME,
    TIMES,
    Fields,
    as_json,
    tags_of,
    yes_or_no,
)
from core.transfer.record_kinds import (
    FROM,
    INLINE,
    KINDS,
    MUTED,
    NAME,
    OBSERVATION_LIST,
    OTHER_NAMES,
    PINNED,
    TO,
    TYPE,
    WORDS,
    by_name,
    clean,
    ends_of,
    entities_by_name,
    is_graph,
    is_triple,
    kind_and_record,
    listed,
    of_an_answer,
    words_of,
)
from core.transfer.record_notes import RecordNotes

D = TypeVar("D", bound=EntityDraft | McpRelation)
M = TypeVar("M")
_NO_FIELDS = Fields({})


class _Loop(Struct, frozen=True):
    """A relation that is left out since both its names are one; the whole of it as JSON."""

    name: str
    line: int
    record: str


class MergedRecords:
    """What records say, each entity and each relation once, and what is said of them.

    Attributes:
        notes: what could not be taken, what became one, what is kept aside.
        strange_fields: of the first object that is neither an entity nor a relation.
    """

    def __init__(
        self, *, every_field: bool = False, warns: bool = True, is_text: bool = False,
        untyped: str = "",
    ) -> None:
        """Nothing yet.

        Args:
            every_field: a record may say what a memory file has no field for.
            warns: what looks like a key or a password is noted.
            is_text: the lines of a fact are lines of the file.
            untyped: the type of an entity that is given none.
        """
        self._untyped = untyped
        self._every_field, self._warns = every_field, warns
        database = TemporaryDatabase()
        self._entities = LongDict(database, EntityDraft)
        self._observations = ObservationStore(database)
        self._relations = LongDict(database, McpRelation)
        self._loops = LongList(database, _Loop)
        self.notes = RecordNotes(database, is_text=is_text)
        self._names = RelationNames(database, self._entities, self.notes)
        self.strange_fields: tuple[str, ...] = ()

    def complain(self, line: int, what: str) -> None:
        """Note that a line can't be read."""
        self.notes.problem(line, "", what)

    def take(self, line: int, record: object, part: str = "") -> None:
        """Take one JSON value; a list or a whole graph on one line is taken item by item.

        Args:
            part: the list of a document that the record stands in, which tells what it is.
        """
        if type(record) is dict and record.get("type") in KINDS and "content" not in record:
            self._take_record(line, record["type"], record)  # As nearly all of them are.
            return
        waiting = [(record, part)]
        while waiting:
            record, part = waiting.pop()
            if isinstance(record, list) and part != "entities" and is_triple(record):
                source, words, target = record
                waiting.append((
                    {"from": source, "to": target, "relationType": words}, "relations"))
            elif isinstance(record, list):
                waiting += [(item, part) for item in reversed(record)]
            elif part == "entities" and isinstance(record, str) and record.strip():
                waiting.append(({"name": record}, part))
            elif not isinstance(record, dict):
                self.notes.problem(line, "", f"is not a record: {quoted(record)}")
            elif is_graph(record):
                waiting += self._parts(line, record)
            elif (inner := entities_by_name(record) or of_an_answer(record)) is not None:
                waiting.append((inner, ""))
            else:
                for key in record.twice if isinstance(record, Repeated) else ():
                    self.notes.problem(line, key, TWICE)
                self._take_record(line, *kind_and_record(record, part))

    def _parts(self, line: int, graph: Mapping[str, object]) -> list[tuple[object, str]]:
        """The lists of a whole graph, the last first; what else it says is told."""
        inner = [key for key in NESTS if isinstance(graph.get(key), dict)]
        lists = [key for key in (*LISTS, *SAME) if key in graph and (
            key in LISTS or not _is_of_words(graph[key]))]
        for key, value in graph.items():
            if key not in (*lists, *inner) and (left := of_all(key, value)):
                self.notes.problem(line, "", left)
        return [*((graph[key], "") for key in reversed(inner)), *(
            (by_name(graph[key], key) or listed(graph[key]), SAME.get(key, key))
            for key in reversed(lists))]

    def entities(self) -> Sequence[McpEntity]:
        """The merged entities, in the order of the file; nothing is taken any more."""
        self._names.settle()
        for loop in self._loops:
            key = name_key(loop.name)
            draft = self._entities.get(key) or self._new_draft(key, loop.name, loop.line)
            draft.note(loop.record)
        self._observations.ended()
        entities = _Made(self._entities.values(), partial(map, self._finished))
        return entities if self._entities.is_long else tuple(entities)

    def relations(self) -> Sequence[McpRelation]:
        """The relations, in the order of the file; after `entities`."""
        relations = _Made(self._relations.values(), self._names.spelled)
        return relations if self._relations.is_long else tuple(relations)

    # -- records -----------------------------------------------------------------------------

    def _take_record(self, line: int, kind: str | None, record: Mapping[str, object]) -> None:
        if kind == "entity":
            self._entity(line, record)
        elif kind == "relation":
            self._relation(line, record)
        else:
            self.strange_fields = self.strange_fields or tuple(map(storable, record))
            fields = f": {shown(', '.join(record))}" if record else ""
            self.notes.problem(line, "type", f"is neither an entity nor a relation{fields}"
                               if kind is None else
                               f"is a record of another kind: {shown(kind)} ({quoted(record)})")

    def _entity(self, line: int, record: Mapping[str, object]) -> None:
        fields = Fields(record)
        given_name = fields.word(NAME)
        if not (name := clean(given_name)):
            given_name = fields.word(OTHER_NAMES)
            name = clean(given_name)
        if isinstance(given_name, str) and name != given_name.strip():
            self.notes.remark(line, "name", UNSTORABLE)
        key = name_key(name)
        if not key:
            self.notes.problem(line, "name", f"has no name: {quoted(record)}")
            return
        self._names.settle()
        draft = self._entities.get(key)
        merged = draft is not None
        draft = draft or self._new_draft(key, name, line)
        kind = self._type(line, fields)
        draft.entity_type = draft.entity_type or kind
        other = self._given_up(draft, name, kind, line)
        when = self._time(line, fields)
        draft.when = draft.when or when
        if not self._every_field:
            other |= fields.raw_time or ({TIME: when} if merged and when else {})
        if "id" in record:
            self._names.take_id(name_key(clean(record["id"])), key)
        self._describe(line, draft, fields)
        items = listed(fields.first(OBSERVATION_LIST))
        warns = self._warns and _may_tell_secrets(items)
        for number, item in enumerate(items, 1):
            self._observation(line, draft, item, number if len(items) > 1 else 0, warns=warns)
        for each in self._inline(fields):
            self._relation(line, {FROM[0]: name, **each})
        if (rest := self.notes.keep_rest(line, fields, **other)):
            self._entities.grew(len(rest))
            draft.note(rest if not merged or other.get("name") else as_json(
                {"name": name, "entityType": kind, **json.loads(rest)}) or "")

    def _given_up(self, draft: EntityDraft, name: str, kind: str, line: int) -> dict[str, object]:
        """What of a record's name and type its entity does not have, which has its own."""
        if name == draft.name and kind in ("", draft.entity_type):
            return {}
        self.notes.merge(name, draft.name, kind, draft.entity_type, line)
        return {"name": name, "entityType": kind}

    def _type(self, line: int, fields: Fields) -> str:
        """The type of an entity; of several the first."""
        given = fields.first(TYPE)
        kind = clean(next(iter(given), "") if isinstance(given, list) else given)
        if given is not None and not isinstance(given, str) and clean(given) != kind or (
                given and not kind):
            self.notes.remark(line, TYPE[0], f"{ONE_TYPE}: {quoted(given)}")
        return kind

    def _inline(self, fields: Fields) -> list[dict[str, object]]:
        """The relations that an entity's record holds itself; none where it holds another thing."""
        given = fields.peek(INLINE)
        if not isinstance(given, list) or not all(
                isinstance(each, dict) and ends_of(each, TO) != [None] for each in given):
            return []
        fields.first(INLINE)
        return given

    def _time(self, line: int, fields: Fields) -> str | None:
        when, wrong = fields.time(TIMES)
        if wrong:
            self.notes.remark(line, wrong, NO_TIME)
        return when

    def _describe(self, line: int, draft: EntityDraft, fields: Fields) -> None:
        """Take what a memory file has no field for, if another format may say it."""
        if not self._every_field:
            return
        text = words_of(fields.first(("description",))).strip()
        if text and text not in draft.description:
            draft.description = "\n".join(filter(None, (draft.description, text)))
            if self._warns:
                self.notes.secret(draft.number, draft.name, line, text)
        if (aliases := listed(fields.first(("aliases",)))):
            draft.aliases = (draft.aliases or {}) | dict.fromkeys(
                filter(None, map(clean, aliases)))
        if yes_or_no(fields.peek(PINNED)) is not None:
            draft.pinned |= bool(yes_or_no(fields.first(PINNED)))
        if yes_or_no(fields.peek(MUTED)) is not None:
            draft.muted |= bool(yes_or_no(fields.first(MUTED)))

    def _observation(
        self, line: int, draft: EntityDraft, item: object, number: int, *, warns: bool
    ) -> None:
        """One fact of an entity, the first of its record or a later one, by its number; the same
        fact again is noted.

        Args:
            warns: it may be a key or a password, which is noted, too.
        """
        notes = self.notes
        if not item and not isinstance(item, str | int) and notes.is_listed(line, "observations"):
            return
        fields = Fields(item) if isinstance(item, dict) else _NO_FIELDS
        name, given = text_of(fields, item)
        text = words_of(given)
        if isinstance(given, str) and text != given:
            notes.remark(line, "observations", UNSTORABLE)
        if not text.strip() and (isinstance(item, dict | bool | list | TooDeep)):
            notes.problem(line, "observations", f"has no text: {quoted(item)}")
            return
        if len(text) > LONGEST_TEXT:
            notes.problem(line, "observations",
                          f"is longer than {LONGEST_TEXT:,} characters: {shown(text)}")
            return
        if not (key := canonical(text)):
            notes.remark(line, "observations", "is an empty text")
            return
        new = self._fact(line, item, fields, name, text)
        earlier = self._observations.add(draft.number, new, key)
        if earlier is new:
            draft.count += 1
            if warns:
                notes.secret(draft.number, draft.name, line, text, number)
        else:
            notes.remark(line, "observations", f"is there already: {shown(text)}")
            if new.source or text != earlier.text:
                draft.note(as_json({"observations": [item]}) or "")

    def _fact(
        self, line: int, item: object, fields: Fields, name: str, text: str
    ) -> Observation:
        """An observation with all that it says beside its text.

        Args:
            name: what its text is called.
        """
        if not isinstance(item, dict):
            return Observation(text)
        when = self._time(line, fields)
        aspect, is_rule, tags = "", False, ""
        if self._every_field:
            aspect = " ".join(clean(fields.first(("aspect",))).split())
            is_rule = fields.first(("kind",)) == "constraint"
            tags = tags_of(fields)
        own = fields.raw_time or ({TIME: when} if when else {})
        if name == WHOLE:
            return Observation(text, when, as_json({WHOLE: WHOLE, **item}) or "")
        rest = self.notes.keep_rest(line, fields, **({} if self._every_field else own))
        if not self._every_field and (name != "text" or not rest):
            rest = as_json({"": name, **json.loads(rest or "{}")}) or rest
        return Observation(text, when, rest, aspect or OBSERVATIONS,
                           "constraint" if is_rule else "attribute", tags)

    def _relation(self, line: int, record: Mapping[str, object]) -> None:
        """A relation, or one for each where several names stand at an end."""
        for source in ends_of(record, FROM):
            for target in ends_of(record, TO):
                self._relate(line, record, clean(source), clean(target))

    def _relate(
        self, line: int, record: Mapping[str, object], source: str, target: str
    ) -> None:
        fields = Fields(record)
        fields.first(FROM), fields.first(TO)
        ends = name_key(source), name_key(target)
        if not all(ends):
            for end, where in zip(ends, ("from", "to"), strict=True):
                if not end:
                    self.notes.problem(line, where, f"{NO_ENTITY}: {quoted(record)}")
            return
        words = " ".join(clean(fields.word(WORDS)).split()) or "related to"
        when = self._time(line, fields)
        rest = self.notes.keep_rest(
            line, fields, **({} if self._every_field else fields.raw_time))
        if ends[0] == ends[1] and source.split() != target.split():
            self.notes.problem(
                line, "to", f"relates “{source}” to “{target}”, which are one name")
            self._loops.append(_Loop(source, line, as_json({**record, "type": "relation"}) or ""))
            return
        self._keep_relation(
            McpRelation(source, target, words, line, when, (rest,) if rest else ()), *ends)

    def _keep_relation(self, item: McpRelation, source: str, target: str) -> None:
        """Keep a relation; one that was there already, and one to itself, is noted.

        Args:
            source, target: what the names at its ends are known by.
        """
        key = f"{source}\0{target}\0{canonical(item.words)}"
        earlier = self._relations.get(key)
        if earlier is not None:
            self.notes.remark(item.line, "", f"is there already: “{item.source}” {item.words}"
                                             f" “{item.target}” (line {earlier.line})")
            if item.fields or item.when != earlier.when:
                self._relations.put(key, replace(earlier, fields=tuple(dict.fromkeys(
                    (*_all_fields(earlier), *_all_fields(item))))))
            return
        self._relations.add(key, item)
        if item.fields:
            self._relations.grew(sum(map(len, item.fields)))
        self._names.note(source, item.source, item.line)
        self._names.note(target, item.target, item.line)
        if source == target:
            self.notes.remark(
                item.line, "to", f"relates “{item.source}” to itself: {item.words}")

    # -- what was merged ---------------------------------------------------------------------

    def _new_draft(self, key: str, name: str, line: int) -> EntityDraft:
        self._names.note_entity(key, name)
        return self._entities.add(key, EntityDraft(name, key, line, len(self._entities)))

    def _finished(self, draft: EntityDraft) -> McpEntity:
        return McpEntity(
            draft.name, draft.key, draft.entity_type or self._untyped,
            self._observations.of(draft.number, draft.count), draft.when, draft.line,
            tuple(filter(None, draft.fields or ())), draft.description,
            tuple(draft.aliases or ()), draft.pinned, draft.muted, bool(draft.entity_type))

class _Made(LongSequence[M], Generic[D, M]):
    """What is made of the items of a sequence, some at a time, when it is asked for."""

    def __init__(self, items: Sequence[D], make: Callable[[Sequence[D]], Iterator[M]]) -> None:
        self._items, self._make = items, make

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[M]:
        for some in some_of(self._items, TOGETHER, lambda item: item.fields or ()):
            yield from self._make(some)


def _may_tell_secrets(items: Sequence[object]) -> bool:
    texts = [item for item in items if type(item) is str]
    return len(texts) < len(items) or may_tell_secrets(texts)


def _is_of_words(value: object) -> bool:
    """A list of nothing but texts: what the relations of a document are called, none of them."""
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _all_fields(item: McpRelation) -> tuple[str, ...]:
    """What a relation says beside its words, with its time, as JSON; once if that is nothing."""
    return item.fields or (as_json({TIME: item.when} if item.when else {}) or "",)
