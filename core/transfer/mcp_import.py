"""Imports an MCP memory file into the graph; importing it again changes nothing."""

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from core.ingest.config import IngestSettings
from core.model.ingest_results import MergedName
from core.model.names import canonical, name_key, slot_key
from core.model.times import parse_time
from core.model.vocabulary import DEPENDENCY_TYPES, IMPORTED, plain_type
from core.ontology.disputes import check
from core.progress import Report, ignore
from core.store.database import Row as Found
from core.store.handles import Writer, new_id, stamp
from core.transfer import import_queries
from core.transfer.aspects_over_limit import find_full, newest_value
from core.transfer.import_observations import Item, KnownEntity, ObservationWriter
from core.transfer.import_report import ArchivedEntity, ImportReport
from core.transfer.mcp_file import read_mcp
from core.transfer.mcp_records import McpEntity, McpFile, McpProblem, McpRelation
from core.transfer.record_fields import TIME, TIMES, as_json

__all__ = ["ImportReport", "import_mcp", "read_mcp"]

KIND = IMPORTED
"""The `source_kind` of every row that an import writes."""

NAMED_ONLY = "Named only by a relation in the imported file"
_BETWEEN = "; "
_REASON = 300
_ENTITIES, _WRITTEN = 0.1, 0.9
"""The share of the whole when the entities are written, and when their observations are."""

Row = dict[str, object]
New = tuple[Any, ...]
"""What is new, in few words, until it is written as a row."""


def import_mcp(
    writer: Writer, file: McpFile, report: Report = ignore, *, anew: bool = False,
    settings: IngestSettings | None = None,
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
        settings: the limits that the report tells of; the usual ones unless given.
    """
    return _Import(writer, file, report, anew, settings or IngestSettings()).run()


class _Import:
    """One import: looks up what is known, lists what is new, writes it in bulk.

    What is new is kept as small tuples and becomes rows while it is written, so that a long file
    does not fill the memory.
    """

    def __init__(
        self, writer: Writer, file: McpFile, report: Report, anew: bool, settings: IngestSettings
    ) -> None:
        self.most, self.before = settings.max_attributes_per_aspect, newest_value(writer)
        self.writer, self.file, self.report, self.anew = writer, file, report, anew
        self.who = writer.actor if anew else KIND
        self.entities: dict[str, KnownEntity] = {}
        self.problems = list(file.problems)
        self.merged = list(file.merged)
        self.remarks = list(file.remarks)
        self.fields: dict[tuple[str, str], None] = {}
        """Fields to keep as source data: the id of the row that they are of, and the JSON."""
        self.descriptions: dict[str, str] = {}
        """What new entities are, by their ids."""
        self.archived: list[ArchivedEntity] = []
        self.new: dict[str, list[New]] = {table: [] for table in _ROWS}
        self.observations = ObservationWriter(
            writer, file.path, self.who, anew=anew, time=self._time)
        self.count: Counter[str] = Counter()
        self.dangling: list[str] = []
        self.kept: dict[str, None] = {}
        self.met: set[str] = {entity.key for entity in file.entities}
        """Entities that are counted already, by their canonical names."""

    def run(self) -> ImportReport:
        self._find_entities()
        self._take_entities()
        self._find_aspects()
        self._write_new("entities")
        self._write_fields()
        self.report(_ENTITIES)
        self._write_observations()
        self._take_relations()
        self._write_rest()
        count, observations = self.count, self.observations
        return ImportReport(
            count["entities_new"], count["entities_unchanged"], observations.new,
            observations.unchanged, count["links_new"], count["links_unchanged"],
            count["skipped"] + observations.skipped, tuple(self.dangling), tuple(self.kept),
            tuple(sorted(self.problems, key=lambda problem: problem.line)),
            tuple(sorted(self.merged, key=lambda item: item.line)), tuple(self.archived),
            check(self.writer, self.observations.rules),
            self.file.encoding, tuple(sorted(self.remarks, key=lambda remark: remark.line)),
            find_full(self.writer, self.observations.filled, self.before, self.most),
            places=self.file.places)

    # -- entities ----------------------------------------------------------------------------

    def _find_entities(self) -> None:
        """Look up every name of the file: as a name, as one that was renamed, as an alias.

        Several names may lead to one entity: those that a person has merged.
        """
        by_id: dict[str, KnownEntity] = {}
        names = {entity.key for entity in self.file.entities}
        names |= {name_key(end) for item in self.file.relations
                  for end in (item.source, item.target)}
        names |= {name_key(alias) for entity in self.file.entities for alias in entity.aliases}
        wanted = sorted(names)
        for statement in import_queries.LOOKUPS:
            for row in self.writer.rows(statement, names=wanted, kind=KIND):
                known = by_id.setdefault(row["id"], KnownEntity(
                    row["id"], str(row["called"]), str(row["entity_type"]),
                    archived=row["status"] == "archived",
                    named_only=row["description"] == NAMED_ONLY))
                self.entities.setdefault(name_key(str(row["name"])), known)
        self.taken = set() if self.writer.kind == "native" else {
            name_key(row["name"]) for row in self.writer.rows(import_queries.OTHERS, names=wanted)}

    def _take_entities(self) -> None:
        for entity in self.file.entities:
            known = self._entity(
                entity.name, plain_type(entity.entity_type), entity.when, entity.line,
                mentions=len(entity.observations), key=entity.key)
            if known is None:
                self._note_archived(entity)
                continue
            if not known.new:
                self.count["entities_unchanged"] += 1
            if known.named_only and entity.entity_type:
                self._describe(known, plain_type(entity.entity_type), entity.description)
            self.fields |= dict.fromkeys((known.id, fields) for fields in entity.fields)
            self._keep_spelling(entity, known)
            self._note_merged(entity, known)
            if entity.description or entity.aliases:
                self._take_more(entity, known)

    def _take_more(self, entity: McpEntity, known: KnownEntity) -> None:
        """Take what other formats say of an entity; a description that is there already stays."""
        if known.new:
            self.descriptions[known.id] = entity.description
        elif entity.description and known.id not in self.descriptions:
            self.fields[known.id, as_json({"description": entity.description}) or ""] = None
        if entity.aliases and not self.writer.stored_columns("entity_aliases"):
            self.fields[known.id, as_json({"aliases": entity.aliases}) or ""] = None
            return
        for alias in entity.aliases:
            other = self.entities.get(name_key(alias))
            if other is None and name_key(alias) not in self.met:
                self.entities[name_key(alias)] = known
                self.new["entity_aliases"].append((known, alias))
            elif other is not known:
                self.remarks.append(McpProblem(
                    entity.line, "aliases", f"“{alias}” is another entity already"))

    def _keep_spelling(self, entity: McpEntity, known: KnownEntity) -> None:
        """Keep how the file spells a type that the graph spells in its own way."""
        if known.entity_type == plain_type(entity.entity_type) != entity.entity_type:
            self.fields[known.id, as_json({"entityType": entity.entity_type}) or ""] = None

    def _note_archived(self, entity: McpEntity) -> None:
        """Say that an entity is archived, and what stays out with it."""
        known = self.entities[entity.key]
        if known.id:
            self.archived.append(
                ArchivedEntity(entity.line, known.name, len(entity.observations)))

    def _note_merged(self, entity: McpEntity, known: KnownEntity) -> None:
        """Say that an entity of the file is one of the graph that is called or typed otherwise."""
        given = plain_type(entity.entity_type) if entity.entity_type else known.entity_type
        lost = entity.entity_type if given != known.entity_type else ""
        if lost or entity.name.split() != known.name.split():
            self.merged.append(MergedName(
                entity.name, known.name, lost, known.entity_type if lost else "",
                line=entity.line))

    def _entity(
        self, name: str, entity_type: str, when: str | None, line: int, note: str | None = None,
        mentions: int = 0, key: str = "",
    ) -> KnownEntity | None:
        """The entity of this name, made if there is none; None if it may not be touched.

        Args:
            mentions: how many memories a new one is named in.
            key: its canonical name, where that is known.
        """
        key = key or name_key(name)
        known = self.entities.get(key)
        if known is None and key in self.taken:
            self.problems.append(McpProblem(line, "name", f"another agent has this name: {name}"))
            known = self.entities[key] = KnownEntity("", name, entity_type, archived=True)
        if known is None:
            known = self.entities[key] = KnownEntity(new_id(), name, entity_type, new=True)
            self.new["entities"].append((known, name, key, self._time(when), note, mentions))
            self.count["entities_new"] += 1
        if known.archived:
            self.count["skipped"] += 1
            return None
        return known

    def _describe(self, known: KnownEntity, entity_type: str, description: str) -> None:
        """Give type and description to an entity that only a relation had named before."""
        known.entity_type, known.named_only = entity_type, False
        self.descriptions[known.id] = description
        self.writer.update("entities", known.id, entity_type=entity_type,
                           description=description or None, updated_at=self.writer.now())

    # -- observations ------------------------------------------------------------------------

    def _find_aspects(self) -> None:
        """Look up where the known entities have their observations."""
        by_id = {known.id: known for known in self.entities.values() if not known.new}
        names = {each.aspect for entity in self.file.entities
                 if not self.entities[entity.key].new for each in entity.observations}
        wanted = sorted({self.writer.stored_key(name) for name in names})
        for row in self.writer.rows(import_queries.ASPECTS, ids=sorted(by_id), aspects=wanted):
            known, name = by_id[row["entity_id"]], name_key(row["canonical_name"])
            if row["status"] == "archived":
                known.archived_aspects += (name,)
            else:
                known.take_aspect(name, row["id"])

    def _write_observations(self) -> None:
        total = sum(len(entity.observations) for entity in self.file.entities) or 1
        for done in self.observations.write(self._observations()):
            self._insert_fields(self.observations.fields)
            self.report(_ENTITIES + (_WRITTEN - _ENTITIES) * done / total)

    def _observations(self) -> Iterator[Item]:
        """What is to be written, with its entity; what was archived stays so."""
        for entity in self.file.entities:
            known = self.entities[entity.key]
            if known.archived:
                continue
            for observation in entity.observations:
                if name_key(observation.aspect) in known.archived_aspects:
                    self.count["skipped"] += 1
                else:
                    yield entity, known, observation

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
        for item in items[1:]:
            self.remarks.append(McpProblem(
                item.line, "", f"“{item.source}” {item.words} “{item.target}” shares the link of"
                               f" line {items[0].line} ({items[0].words})"))
        phrases = _phrases(row)
        adds = row is not None and row["dependency_type"] == "related_to"
        for item in items:
            new = canonical(item.words) not in phrases and (adds or row is None)
            if item.fields or new and (adds or len(items) > 1 or not _says_itself(item.words)):
                self.fields |= dict.fromkeys((link, own) for own in _own_records(item))

    def _is_one(self, item: McpRelation, source: KnownEntity, target: KnownEntity) -> bool:
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

    def _end(self, name: str, line: int) -> KnownEntity | None:
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

    def _write_fields(self) -> None:
        """Write the fields to keep, but those that are kept already."""
        ids = sorted({owner for owner, _ in self.fields})
        known = {(row["owner_id"], row["fields"])
                 for row in self.writer.rows(import_queries.FIELDS, ids=ids)} if ids else ()
        self._insert_fields(key for key in self.fields if key not in known)
        self.fields = {}

    def _insert_fields(self, fields: Iterable[tuple[str, str]]) -> None:
        self.writer.insert_many("source_fields", map(self._fields_row, fields))

    def _write_rest(self) -> None:
        """The entities that only relations name, links, fields, and counts of mentions."""
        for table in _ROWS:
            self._write_new(table)
        self._write_fields()
        changed = Counter(self.observations.grown)
        changed.subtract(self.observations.lacking)
        ids = sorted(id for id, mentions in changed.items() if mentions)
        for row in self.writer.rows(import_queries.MENTIONED, ids=ids):
            self.writer.update("entities", row["id"], updated_at=self.writer.now(),
                               mentions=int(row["mentions"] or 0) + changed[row["id"]])
        self.report(1.0)

    def _write_new(self, table: str) -> None:
        as_row = _ROWS[table]
        self.writer.insert_many(table, (as_row(self, item) for item in self.new[table]))
        self.new[table] = []

    def _entity_row(self, item: New) -> Row:
        known, name, key, at, note, mentions = item
        return {"id": known.id, "name": name, "canonical_name": self.writer.stored_key(name),
                "entity_type": known.entity_type,
                "description": note or self.descriptions.get(known.id),
                "mentions": mentions, "agent_id": self.writer.agent,
                "created_at": at, "updated_at": at, "source": KIND, **self._source(key)}

    def _alias_row(self, item: New) -> Row:
        known, alias = item
        at = self.writer.now()
        return {"id": new_id(), "entity_id": known.id, "agent_id": self.writer.agent,
                "alias": alias, "canonical_alias": self.writer.stored_key(alias),
                "confidence": 1.0, "source": KIND, "status": "active", "created_at": at,
                "updated_at": at}

    def _link_row(self, item: New) -> Row:
        link, source, target, word, items = item
        words = [each.words for each in items]
        at = self._time(next((each.when for each in items if each.when), None))
        return {"id": link, "source_entity_id": source, "target_entity_id": target,
                "dependency_type": word, "agent_id": self.writer.agent, "strength": 0.5,
                "confidence": 0.7, "status": "active", "created_at": at, "updated_at": at,
                "reason": _joined(words)[:_REASON] if word == "related_to" else None,
                **self._source(_joined(map(canonical, words)))}

    def _fields_row(self, item: tuple[str, str]) -> Row:
        owner, fields = item
        return {"id": new_id(), "agent_id": self.writer.agent, "owner_id": owner,
                "fields": fields, "source_path": self.file.path, "created_at": self.writer.now()}

    def _source(self, identity: str) -> Row:
        # Without a file the agent that said it is where it comes from.
        path = self.file.path or (self.who if self.anew else "")
        return {"source_kind": KIND, "source_id": identity, "source_path": path}

    def _time(self, when: str | None) -> str:
        moment = parse_time(when)
        return stamp(moment) if moment else self.writer.now()


_ROWS: dict[str, Callable[[_Import, New], Row]] = {
    "entities": _Import._entity_row, "entity_aliases": _Import._alias_row,
    "entity_dependencies": _Import._link_row,
}
"""The tables that an import writes besides those of observations, owners before what they own."""


def _phrases(row: Found | None) -> set[str]:
    """The phrases of a link that is there already, in canonical form."""
    texts = (str(row[name] or "") for name in ("source_id", "reason")) if row else ()
    return {canonical(phrase) for words in texts for phrase in words.split(_BETWEEN)}


def _says_itself(words: str) -> bool:
    """True if a link alone tells the words of its relation as the file spells them."""
    word = (slot_key(words) or "").replace("-", "_")
    return words == word if word in DEPENDENCY_TYPES else len(words) <= _REASON


def _own_records(item: McpRelation) -> Iterator[str]:
    """A relation with its fields as JSON, once for each time that it stands in the file."""
    for fields in item.fields or ("{}",):
        rest = json.loads(fields)
        when = {TIME: item.when} if item.when and not rest.keys() & set(TIMES) else {}
        yield as_json({"relationType": item.words, **when, **rest}) or ""


def _joined(phrases: Iterable[str]) -> str:
    return _BETWEEN.join(dict.fromkeys(item for item in phrases if item))
