"""Imports an MCP memory file into the graph; importing it again changes nothing."""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.jobs import Report, ignore
from core.learning.reversal_wording import states_rule
from core.model.dispute import Dispute
from core.model.ingest_results import MergedName
from core.model.names import canonical, name_key, slot_key
from core.model.times import parse_time
from core.model.vocabulary import DEPENDENCY_TYPES, IMPORTED, plain_type
from core.ontology.disputes import check
from core.store.database import Row as Found
from core.store.handles import Writer, new_id, stamp
from core.transfer import import_queries
from core.transfer.import_report import ArchivedEntity, ImportReport
from core.transfer.mcp_file import (
    McpEntity,
    McpFile,
    McpProblem,
    McpRelation,
    Observation,
    read_mcp,
)
from core.transfer.record_fields import as_json

__all__ = ["ImportReport", "import_mcp", "read_mcp"]

KIND = IMPORTED
"""The `source_kind` of every row that an import writes."""

ASPECT = "observations"
NAMED_ONLY = "Named only by a relation in the imported file"
_BETWEEN = "; "
_REASON = 300
_STEP = 1000

Row = dict[str, object]
New = tuple[Any, ...]
"""What is new, in few words, until it is written as a row."""


@dataclass(slots=True)
class _Known:
    """An entity as the graph has it, or as it is about to be made."""

    id: str
    name: str
    entity_type: str
    new: bool = False
    archived: bool = False
    named_only: bool = False
    aspect: str = ""
    aspect_archived: bool = False
    values: set[str] = field(default_factory=set)


def import_mcp(
    writer: Writer, file: McpFile, report: Report = ignore, *, anew: bool = False
) -> ImportReport:
    """Take a memory file into the agent's graph, in the transaction that is open.

    An entity is the same as one of the same canonical name, or one that came from this name
    before and was renamed. Each observation becomes a value under the aspect `observations` and
    a memory that it rests on. A relation keeps its word where that is a dependency type; any
    other becomes `related_to` with the words as its reason. What the person has archived or
    deleted stays so.

    Args:
        report: hears the finished share; raising Cancelled leaves nothing written.
        anew: an agent says it now: what was archived or deleted before is stored again.
    """
    return _Import(writer, file, report, anew).run()


class _Import:
    """One import: looks up what is known, lists what is new, writes it in bulk.

    What is new is kept as small tuples and becomes rows while it is written, so that a long file
    does not fill the memory.
    """

    def __init__(self, writer: Writer, file: McpFile, report: Report, anew: bool) -> None:
        self.writer, self.file, self.report, self.anew = writer, file, report, anew
        self.who = writer.actor if anew else KIND
        self.entities: dict[str, _Known] = {}
        self.problems = list(file.problems)
        self.merged = list(file.merged)
        self.remarks = list(file.remarks)
        self.fields: dict[tuple[str, str], None] = {}
        """Fields to keep as source data: the id of the row that they are of, and the JSON."""
        self.archived: list[ArchivedEntity] = []
        self.new: dict[str, list[New]] = {table: [] for table in _ROWS}
        self.mentions: Counter[str] = Counter()
        self.count: Counter[str] = Counter()
        self.dangling: list[str] = []
        self.kept: dict[str, None] = {}
        self.met: set[str] = {entity.key for entity in file.entities}
        """Entities that are counted already, by their canonical names."""

    def run(self) -> ImportReport:
        self._find_entities()
        self._take_entities()
        self._find_values()
        self._take_observations()
        self._take_relations()
        self._write()
        count = self.count
        return ImportReport(
            count["entities_new"], count["entities_unchanged"], count["values_new"],
            count["values_unchanged"], count["links_new"], count["links_unchanged"],
            count["skipped"], tuple(self.dangling), tuple(self.kept),
            tuple(sorted(self.problems, key=lambda problem: problem.line)),
            tuple(sorted(self.merged, key=lambda item: item.line)), tuple(self.archived),
            self._disputes(),
            self.file.encoding, tuple(sorted(self.remarks, key=lambda remark: remark.line)))

    def _disputes(self) -> tuple[Dispute, ...]:
        """Ask about new values that seem to take back rules: only a known entity has any."""
        made = {known.aspect for known, *_ in self.new["entities"]}
        return check(self.writer, [value for value, aspect, _, observation, *_ in
                                   self.new["entity_attributes"]
                                   if aspect not in made and states_rule(observation.text)])

    # -- entities ----------------------------------------------------------------------------

    def _find_entities(self) -> None:
        """Look up every name of the file: as a name, as one that was renamed, as an alias.

        Several names may lead to one entity: those that a person has merged.
        """
        by_id: dict[str, _Known] = {}
        names = {entity.key for entity in self.file.entities}
        names |= {name_key(end) for item in self.file.relations
                  for end in (item.source, item.target)}
        wanted = sorted(names)
        for statement in import_queries.LOOKUPS:
            for row in self.writer.rows(statement, names=wanted, kind=KIND):
                known = by_id.setdefault(row["id"], _Known(
                    row["id"], str(row["called"]), str(row["entity_type"]),
                    archived=row["status"] == "archived",
                    named_only=row["description"] == NAMED_ONLY))
                self.entities.setdefault(name_key(str(row["name"])), known)
        self.taken = set() if self.writer.kind == "native" else {
            name_key(row["name"]) for row in self.writer.rows(import_queries.OTHERS, names=wanted)}

    def _take_entities(self) -> None:
        for entity in self.file.entities:
            known = self._entity(
                entity.name, plain_type(entity.entity_type), entity.when, entity.line)
            if known is None:
                self._note_archived(entity)
                continue
            if not known.new:
                self.count["entities_unchanged"] += 1
            if known.named_only and entity.entity_type:
                self._describe(known, plain_type(entity.entity_type))
            self.fields |= dict.fromkeys((known.id, fields) for fields in entity.fields)
            self._keep_spelling(entity, known)
            self._note_merged(entity, known)

    def _keep_spelling(self, entity: McpEntity, known: _Known) -> None:
        """Keep how the file spells a type that the graph spells in its own way."""
        if known.entity_type == plain_type(entity.entity_type) != entity.entity_type:
            self.fields[known.id, as_json({"entityType": entity.entity_type}) or ""] = None

    def _note_archived(self, entity: McpEntity) -> None:
        """Say that an entity is archived, and what stays out with it."""
        known = self.entities[entity.key]
        if known.id:
            self.archived.append(
                ArchivedEntity(entity.line, known.name, len(entity.observations)))

    def _note_merged(self, entity: McpEntity, known: _Known) -> None:
        """Say that an entity of the file is one of the graph that is called or typed otherwise."""
        given = plain_type(entity.entity_type) if entity.entity_type else known.entity_type
        lost = entity.entity_type if given != known.entity_type else ""
        if lost or entity.name.split() != known.name.split():
            self.merged.append(MergedName(
                entity.name, known.name, lost, known.entity_type if lost else "",
                line=entity.line))

    def _entity(
        self, name: str, entity_type: str, when: str | None, line: int, note: str | None = None
    ) -> _Known | None:
        """The entity of this name, made if there is none; None if it may not be touched."""
        key = name_key(name)
        known = self.entities.get(key)
        if known is None and key in self.taken:
            self.problems.append(McpProblem(line, "name", f"another agent has this name: {name}"))
            known = self.entities[key] = _Known("", name, entity_type, archived=True)
        if known is None:
            known = self.entities[key] = _Known(new_id(), name, entity_type, new=True)
            self.new["entities"].append((known, name, key, self._time(when), note))
            self.count["entities_new"] += 1
        if known.archived:
            self.count["skipped"] += 1
            return None
        return known

    def _describe(self, known: _Known, entity_type: str) -> None:
        """Give its type to an entity that only a relation had named before."""
        known.entity_type, known.named_only = entity_type, False
        self.writer.update("entities", known.id, entity_type=entity_type, description=None,
                           updated_at=self.writer.now())

    # -- observations ------------------------------------------------------------------------

    def _find_values(self) -> None:
        """Look up what the known entities hold already, whatever its status."""
        by_id = {known.id: known for known in self.entities.values() if not known.new}
        ids = sorted(by_id)
        for row in self.writer.rows(import_queries.ASPECTS, ids=ids, aspect=ASPECT):
            known = by_id[row["entity_id"]]
            known.aspect, known.aspect_archived = row["id"], row["status"] == "archived"
        for row in self.writer.rows(import_queries.VALUES, ids=ids, active=self.anew):
            by_id[row["entity_id"]].values.add(canonical(str(row["content"])))
        self.deleted = {row["content_hash"] for row in self.writer.rows(
            import_queries.DELETED, kind=KIND)}
        digests = {_hash(item.key) for entity in self.file.entities
                   for item in entity.observations}
        own = self.writer.has_column("memories", "agent_id")
        self.memories = {row["content_hash"]: row["id"] for row in self.writer.rows(
            import_queries.MEMORIES, hashes=sorted(digests), own=own)}
        self.pairs = {(row["memory_id"], row["entity_id"])
                      for row in self.writer.rows(import_queries.MENTIONS, ids=ids)}

    def _take_observations(self) -> None:
        for entity in self.file.entities:
            known = self.entities[entity.key]
            if known.archived:
                continue
            if known.aspect_archived:
                self.count["skipped"] += len(entity.observations)
                continue
            for observation in entity.observations:
                self._observation(entity, known, observation)

    def _observation(self, entity: McpEntity, known: _Known, observation: Observation) -> None:
        if observation.key in known.values:
            self.count["values_unchanged"] += 1
            return
        digest = _hash(observation.key)
        if digest in self.deleted and digest not in self.memories and not self.anew:
            self.count["skipped"] += 1
            return
        known.values.add(observation.key)
        at = self._time(observation.when or entity.when)
        memory = self._memory(observation, digest, at, entity.key)
        self._mention(memory, known.id, entity.name, at)
        value = new_id()
        self.new["entity_attributes"].append(
            (value, self._aspect(known, at), memory, observation, at, entity.key))
        if observation.source:
            self.fields[value, observation.source] = None
        self.count["values_new"] += 1

    def _aspect(self, known: _Known, at: str) -> str:
        if not known.aspect:
            known.aspect = new_id()
            self.new["entity_aspects"].append((known.aspect, known.id, at))
        return known.aspect

    def _memory(self, observation: Observation, digest: str, at: str, key: str) -> str:
        """The memory of these words, made if there is none; two entities may share one."""
        memory = self.memories.get(digest)
        if memory is None:
            memory = self.memories[digest] = new_id()
            self.new["memories"].append((memory, observation, digest, at, key))
        return memory

    def _mention(self, memory: str, entity: str, name: str, at: str) -> None:
        if (memory, entity) not in self.pairs:
            self.mentions[entity] += 1
            self.new["memory_entity_mentions"].append((memory, entity, name, at))

    # -- relations ---------------------------------------------------------------------------

    def _take_relations(self) -> None:
        """Relations by their two ends and type; several phrases of one pair share one link."""
        wanted: defaultdict[tuple[str, str, str], list[McpRelation]] = defaultdict(list)
        for item in self.file.relations:
            source, target = self._end(item.source, item.line), self._end(item.target, item.line)
            if source is None or target is None:
                self.count["skipped"] += 1
                continue
            if self._is_one(item, source, target):
                continue
            word = (slot_key(item.words) or "").replace("-", "_")
            word = word if word in DEPENDENCY_TYPES else "related_to"
            wanted[source.id, target.id, word].append(item)
        sources = sorted({source for source, _, _ in wanted})
        known = {(row["source_entity_id"], row["target_entity_id"], row["dependency_type"]): row
                 for row in self.writer.rows(import_queries.LINKS, ids=sources)}
        for key, items in wanted.items():
            words = [item.words for item in items]
            link = known[key]["id"] if key in known else new_id()
            if key not in known:
                self.new["entity_dependencies"].append((link, *key, items))
                self.count["links_new"] += 1
                self._keep(key[2], words)
            elif known[key]["status"] == "archived":
                self.count["skipped"] += len(words)
                continue
            else:
                self._known_link(known[key], words)
            self._keep_fields(link, items, known.get(key))

    def _keep_fields(self, link: str, items: Sequence[McpRelation], row: Found | None) -> None:
        """Keep what else relations say; say which share the link of an earlier one.

        Args:
            row: the link, if it was there already with its own phrases.
        """
        for item in items:
            self.fields |= dict.fromkeys((link, fields) for fields in item.fields)
        for item in items[1:]:
            self.remarks.append(McpProblem(
                item.line, "", f"“{item.source}” {item.words} “{item.target}” shares the link of"
                               f" line {items[0].line} ({items[0].words})"))
        phrases = _phrases(row)
        adds = row is not None and row["dependency_type"] == "related_to"
        for item in items if adds else items[1:]:
            if canonical(item.words) not in phrases:
                said = as_json({"relationType": item.words, "createdAt": item.when})
                self.fields[link, said or ""] = None

    def _is_one(self, item: McpRelation, source: _Known, target: _Known) -> bool:
        """True, and said, where the two names of a relation have become one entity."""
        if source.id != target.id or name_key(item.source) == name_key(item.target):
            return False
        self.problems.append(McpProblem(
            item.line, "to", f"relates “{item.source}” to “{item.target}”, which are one entity"))
        said = {"type": "relation", "from": item.source, "to": item.target,
                "relationType": item.words}
        self.fields[source.id, as_json(said) or ""] = None
        self.fields |= dict.fromkeys((source.id, fields) for fields in item.fields)
        return True

    def _end(self, name: str, line: int) -> _Known | None:
        """One end of a relation; an end that nothing describes is made, so that it is seen."""
        key = name_key(name)
        known = self.entities.get(key)
        first = key not in self.met
        self.met.add(key)
        if known is not None and known.archived:
            return None
        if known is not None:
            self.count["entities_unchanged"] += first
            return known
        known = self._entity(name, "unknown", None, line, NAMED_ONLY)
        if known is not None:
            self.dangling.append(name)
        return known

    def _keep(self, word: str, words: Iterable[str]) -> None:
        """Note what a link is called that has no type of its own."""
        if word == "related_to":
            self.kept |= dict.fromkeys(
                item for item in words if slot_key(item) not in ("related_to", "related-to", None))

    def _known_link(self, row: Found, words: Iterable[str]) -> None:
        """Add phrases that a link of an earlier import lacks; its reason may have been edited."""
        imported = str(row["source_id"] or "").split(_BETWEEN)
        # A phrase may hold what stands between two of them.
        fresh = [item for item in words
                 if not set(canonical(item).split(_BETWEEN)) <= set(imported)]
        if row["source_kind"] != KIND or row["dependency_type"] != "related_to" or not fresh:
            self.count["links_unchanged"] += 1
            return
        self.writer.update(
            "entity_dependencies", str(row["id"]), updated_at=self.writer.now(),
            reason=_joined([str(row["reason"] or ""), *fresh])[:_REASON],
            source_id=_joined([*imported, *map(canonical, fresh)]))
        self.count["links_new"] += 1
        self._keep("related_to", fresh)

    # -- writing -----------------------------------------------------------------------------

    def _find_fields(self) -> None:
        """What is left of the fields to keep once those that are kept already are out."""
        ids = sorted({owner for owner, _ in self.fields})
        known = {(row["owner_id"], row["fields"])
                 for row in self.writer.rows(import_queries.FIELDS, ids=ids)}
        self.new["source_fields"] = [key for key in self.fields if key not in known]

    def _write(self) -> None:
        self._find_fields()
        total = sum(map(len, self.new.values())) or 1
        done = 0
        for table, rows in self.new.items():
            self.writer.insert_many(table, self._rows(table, done, total))
            done += len(rows)
        made = {known.id for known, *_ in self.new["entities"]}
        grown = {entity: mentions for entity, mentions in self.mentions.items()
                 if entity not in made}
        before = self.writer.rows(import_queries.MENTIONED, ids=sorted(grown))
        for row in before:
            self.writer.update("entities", row["id"], updated_at=self.writer.now(),
                               mentions=int(row["mentions"] or 0) + grown[row["id"]])
        self.report(1.0)

    def _rows(self, table: str, done: int, total: int) -> Iterator[Row]:
        """The rows of a table, telling on the way how far the writing has come."""
        as_row = _ROWS[table]
        for number, item in enumerate(self.new[table]):
            if number % _STEP == 0:
                self.report((done + number) / total)
            yield as_row(self, item)

    def _entity_row(self, item: New) -> Row:
        known, name, key, at, note = item
        return {"id": known.id, "name": name, "canonical_name": self.writer.stored_key(name),
                "entity_type": known.entity_type, "description": note,
                "mentions": self.mentions[known.id], "agent_id": self.writer.agent,
                "created_at": at, "updated_at": at, "source": KIND, **self._source(key)}

    def _aspect_row(self, item: New) -> Row:
        aspect, entity, at = item
        return {"id": aspect, "entity_id": entity, "agent_id": self.writer.agent, "name": ASPECT,
                "canonical_name": ASPECT, "weight": 0.5, "created_at": at, "updated_at": at}

    def _memory_row(self, item: New) -> Row:
        memory, observation, digest, at, key = item
        return {"id": memory, "type": "fact", "content": observation.text,
                "content_hash": digest, "normalized_content": observation.key,
                "agent_id": self.writer.agent, "source_type": KIND, "source_id": key,
                "source_path": self.file.path, "who": self.who, "updated_by": self.who,
                "created_at": at, "updated_at": at}

    def _value_row(self, item: New) -> Row:
        value, aspect, memory, observation, at, key = item
        return {"id": value, "aspect_id": aspect, "agent_id": self.writer.agent,
                "memory_id": memory, "kind": "attribute", "content": observation.text,
                "normalized_content": observation.key, "confidence": 0.7, "importance": 0.5,
                "status": "active", "group_key": "general", "version": 1,
                "version_root_id": value, "created_at": at, "updated_at": at,
                **self._source(key)}

    def _mention_row(self, item: New) -> Row:
        memory, entity, name, at = item
        return {"memory_id": memory, "entity_id": entity, "mention_text": name,
                "confidence": 1.0, "created_at": at}

    def _link_row(self, item: New) -> Row:
        link, source, target, word, items = item
        words = [each.words for each in items]
        at = self._time(next((each.when for each in items if each.when), None))
        return {"id": link, "source_entity_id": source, "target_entity_id": target,
                "dependency_type": word, "agent_id": self.writer.agent, "strength": 0.5,
                "confidence": 0.7, "status": "active", "created_at": at, "updated_at": at,
                "reason": _joined(words)[:_REASON] if word == "related_to" else None,
                **self._source(_joined(map(canonical, words)))}

    def _fields_row(self, item: New) -> Row:
        owner, fields = item
        return {"id": new_id(), "agent_id": self.writer.agent, "owner_id": owner,
                "fields": fields, "source_path": self.file.path, "created_at": self.writer.now()}

    def _source(self, identity: str) -> Row:
        return {"source_kind": KIND, "source_id": identity, "source_path": self.file.path}

    def _time(self, when: str | None) -> str:
        moment = parse_time(when)
        return stamp(moment) if moment else self.writer.now()


_ROWS: dict[str, Callable[[_Import, New], Row]] = {
    "entities": _Import._entity_row, "entity_aspects": _Import._aspect_row,
    "memories": _Import._memory_row, "entity_attributes": _Import._value_row,
    "memory_entity_mentions": _Import._mention_row,
    "entity_dependencies": _Import._link_row, "source_fields": _Import._fields_row,
}
"""The tables that an import writes, owners before what they own."""


def _hash(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()


def _phrases(row: Found | None) -> set[str]:
    """The phrases of a link that is there already, in canonical form."""
    texts = (str(row[name] or "") for name in ("source_id", "reason")) if row else ()
    return {canonical(phrase) for words in texts for phrase in words.split(_BETWEEN)}


def _joined(phrases: Iterable[str]) -> str:
    return _BETWEEN.join(dict.fromkeys(item for item in phrases if item))
