"""Imports the entities of a file with their observations, a portion at a time."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from core.model.ingest_results import MergedName
from core.model.names import name_key
from core.model.vocabulary import plain_type
from core.progress import Report, part
from core.store.reader_and_writer import new_id
from core.transfer import import_queries
from core.transfer.facts_of_earlier_import import EarlierFacts
from core.transfer.find_or_create_entities import KnownEntities, KnownEntity
from core.transfer.import_context import KIND, ImportContext, portions
from core.transfer.import_observations import Item, ObservationWriter
from core.transfer.import_report import ArchivedEntity
from core.transfer.mcp_records import McpEntity, McpProblem
from core.transfer.record_field_reader import as_json
from core.transfer.stand_ins import NOTE, has_made_up_name, has_made_up_type, is_of_notes


class EntityImport:
    """Takes entities: finds or makes each, and writes what the file says of it."""

    def __init__(self, context: ImportContext, asked_next: KnownEntities,
                 earlier: EarlierFacts | None = None) -> None:
        """Nothing is taken yet.

        Args:
            asked_next: hears of what is made, so as not to look it up again.
            earlier: is told what of known entities is imported again.
        """
        self._context, self._writer = context, context.writer
        self._names, self._asked_next = KnownEntities(context), asked_next
        self.observations = ObservationWriter(
            context.writer, context.path, context.who, anew=context.anew, most=context.most,
            time=context.time, ids=context.ids, earlier=earlier)
        self._earlier = earlier
        self._aliases: list[tuple[KnownEntity, str]] = []

    def run(self, entities: Sequence[McpEntity], report: Report) -> None:
        """Take all of them; the report hears the finished share."""
        for entity in entities:
            self._context.met.add(entity.key, 1)
        count, done = max(len(entities), 1), 0
        for some in portions(entities, report, count, lambda entity: entity.fields):
            self._take(some, part(report, done / count, (done + len(some)) / count))
            done += len(some)

    def _take(self, some: Sequence[McpEntity], report: Report) -> None:
        names = self._names
        names.forget()
        names.look_up([*(entity.key for entity in some),
                       *(name_key(alias) for entity in some for alias in entity.aliases)])
        for entity in some:
            self._entity(entity)
        self._find_aspects(some)
        names.write_new()
        self._context.write_fields()
        self._write_aliases()
        if self._earlier is not None:
            self._earlier.learn(known.id for _, known in self._open(some) if not known.new)
        total = sum(len(entity.observations) for entity in some) or 1
        for done in self.observations.write(self._observations(some)):
            self._context.insert_fields(self.observations.fields)
            report(done / total)
        self._count_mentions()
        self.observations.forget()
        self._asked_next.learn_new(names)

    # -- entities ----------------------------------------------------------------------------

    def _entity(self, entity: McpEntity) -> None:
        context, names = self._context, self._names
        given = plain_type(entity.entity_type)
        known = names.get_or_make(entity.name, entity.key, given, entity.when, entity.line,
                                  mentions=len(entity.observations))
        if known is None:
            self._note_archived(entity)
            return
        if not known.new:
            context.count["entities_unchanged"] += 1
        if known.named_only and entity.entity_type:
            names.describe(known, given, entity.description)
        self._replace_made_up(entity, known, given)
        context.keep(known.id, entity.fields)
        if entity.is_typed and given == NOTE and is_of_notes(context.path):
            context.keep(known.id, [as_json({"entityType": entity.entity_type}) or ""])
        if known.entity_type == given != entity.entity_type:
            # The graph spells the type in its own way.
            context.keep(known.id, [as_json({"entityType": entity.entity_type}) or ""])
        self._note_merged(entity, known, given)
        if entity.pinned and known.new:
            # One that is there already stays as the person has it.
            self._names.pinned.add(known.id)
        if entity.muted and known.new:
            self._names.muted.add(known.id)
        if entity.description or entity.aliases:
            self._take_more(entity, known)

    def _replace_made_up(self, entity: McpEntity, known: KnownEntity, given: str) -> None:
        """Take a type and a name that are given for those that an earlier import made up."""
        if known.new:
            return
        changed: dict[str, object] = {}
        if entity.is_typed and given != known.entity_type and has_made_up_type(
                self._writer, known):
            known.entity_type = changed["entity_type"] = given
            self._remark(
                entity, f"“{known.name}” has the type “{given}” now: none was given before")
        if has_made_up_name(self._writer, known, entity):
            self._remark(entity, f"“{known.name}” is called “{entity.name}” now")
            known.name = changed["name"] = entity.name
        if changed:
            self._writer.update("entities", known.id, updated_at=self._writer.now(), **changed)

    def _remark(self, entity: McpEntity, what: str) -> None:
        self._context.remarks.append(McpProblem(entity.line, "", what))

    def _take_more(self, entity: McpEntity, known: KnownEntity) -> None:
        """Take what other formats say of an entity; a description that is there already stays."""
        context = self._context
        if known.new:
            self._names.descriptions[known.id] = entity.description
        elif (entity.description not in ("", known.description)
              and known.id not in self._names.descriptions):
            context.keep(known.id, [as_json({"description": entity.description}) or ""])
            if self._earlier is not None:
                self._earlier.describe(known.id, known.description, entity.description)
        if entity.aliases and not self._writer.stored_columns("entity_aliases"):
            context.keep(known.id, [as_json({"aliases": entity.aliases}) or ""])
            return
        for alias in entity.aliases:
            other = self._names.get(name_key(alias))
            if other is None and context.met.get(name_key(alias)) is None:
                self._names.call(name_key(alias), known)
                self._aliases.append((known, alias))
            elif other is not known:
                context.remarks.append(McpProblem(
                    entity.line, "aliases", f"“{alias}” is another entity already"))

    def _note_archived(self, entity: McpEntity) -> None:
        """Say that an entity is archived, and what stays out with it."""
        known = self._names.get(entity.key)
        if known is not None and known.id:
            self._context.archived.append(
                ArchivedEntity(entity.line, known.name, len(entity.observations)))

    def _note_merged(self, entity: McpEntity, known: KnownEntity, given: str) -> None:
        """Say that an entity of the file is one of the graph that is called or typed otherwise."""
        lost = entity.entity_type if given != known.entity_type and entity.is_typed else ""
        if lost or entity.name.split() != known.name.split():
            self._context.merged.append(MergedName(
                entity.name, known.name, lost, known.entity_type if lost else "",
                line=entity.line))

    def _write_aliases(self) -> None:
        at, writer = self._writer.now(), self._writer
        writer.insert_many("entity_aliases", (
            {"id": new_id(), "entity_id": known.id, "agent_id": writer.agent, "alias": alias,
             "canonical_alias": writer.stored_key(alias), "confidence": 1.0, "source": KIND,
             "status": "active", "created_at": at, "updated_at": at}
            for known, alias in self._aliases))
        self._aliases = []

    # -- observations ------------------------------------------------------------------------

    def _find_aspects(self, some: Iterable[McpEntity]) -> None:
        """Look up where the known entities have their observations."""
        by_id = self._names.known()
        if not by_id:
            return
        names = {each.aspect for entity, known in self._open(some) if not known.new
                 for each in entity.observations}
        wanted = sorted({self._writer.stored_key(name) for name in names})
        for row in self._writer.rows(
                import_queries.ASPECTS, ids=sorted(by_id), aspects=wanted):
            known, name = by_id[row["entity_id"]], name_key(row["canonical_name"])
            if row["status"] == "archived":
                known.archived_aspects += (name,)
            else:
                known.take_aspect(name, row["id"])

    def _open(self, some: Iterable[McpEntity]) -> Iterator[tuple[McpEntity, KnownEntity]]:
        """The entities that may be written to."""
        for entity in some:
            known = self._names.get(entity.key)
            if known is not None and not known.archived:
                yield entity, known

    def _observations(self, some: Iterable[McpEntity]) -> Iterator[Item]:
        """What is to be written, with its entity; what was archived stays so."""
        for entity, known in self._open(some):
            for observation in entity.observations:
                if known.archived_aspects and (
                        name_key(observation.aspect) in known.archived_aspects):
                    self._context.count["skipped"] += 1
                else:
                    yield entity, known, observation

    def _count_mentions(self) -> None:
        """Count the mentions that known entities have got and new ones have not."""
        changed = Counter(self.observations.grown)
        changed.subtract(self.observations.lacking)
        ids = sorted(id for id, mentions in changed.items() if mentions)
        for row in self._writer.rows(import_queries.MENTIONED, ids=ids) if ids else ():
            self._writer.update("entities", row["id"], updated_at=self._writer.now(),
                                mentions=int(row["mentions"] or 0) + changed[row["id"]])
