"""What one call of remember has done so far, and the entities that it has met."""

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct, field

from core.ingest.config import IngestSettings
from core.ingest.name_quality import CONCRETE_TYPES, REASONS, UNTYPED, clean_name, refuse, type_word
from core.model.dispute import Dispute
from core.model.ingest_results import MergedName, Note, Proposed, RememberReport, Skipped
from core.model.names import name_key
from core.queries.hide_writes_of_held_agents import WAITS, writes_held
from core.store.reader_and_writer import Writer, new_id

_COLUMNS = "e.id, e.name, e.entity_type, e.status, e.mentions"
_TASK = ("(e.entity_type = 'task' OR EXISTS (SELECT 1 FROM task_meta t"
         " WHERE t.entity_id = e.id AND t.agent_id = :agent)) AS task")


class KnownEntity(Struct):
    """An entity as the graph has it now."""

    id: str
    name: str
    entity_type: str
    mentions: int = 0
    archived: bool = False
    task: bool = False
    """It never gains weight by being mentioned (seed 002: entities grow, tasks close)."""


class RememberState(Struct):
    """One call of remember, in the transaction that is open.

    Attributes:
        memory_id: the memory that everything rests on.
        at: when the memory is from.
        fresh: the memory is new; what an earlier call has counted is not counted again.
        explain: keep why each thing was done.
        places: where each new value stood in what was given, by id.
    """

    writer: Writer
    settings: IngestSettings
    memory_id: str
    at: str
    fresh: bool = True
    explain: bool = False
    count: Counter[str] = field(default_factory=Counter)
    skipped: list[Skipped] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    merged: dict[tuple[str, str], MergedName] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)
    superseded_ids: list[str] = field(default_factory=list)
    disputes: list[Dispute] = field(default_factory=list)
    replaced_constraints: list[str] = field(default_factory=list)
    proposed: list[Proposed] = field(default_factory=list)
    linked: set[str] = field(default_factory=set)
    touched: set[str] = field(default_factory=set)
    _known: dict[str, KnownEntity | None] = field(default_factory=dict)
    _grown: set[str] = field(default_factory=set)

    def report(self, duplicate: str = "", decision: bool = False) -> RememberReport:
        """The result."""
        names = ("entities_inserted", "entities_updated", "relations_inserted",
                 "relations_updated", "mentions_linked", "aspects_inserted", "attributes_known",
                 "co_occurrences")
        return RememberReport(
            self.memory_id, duplicate, decision,
            attributes_inserted=len(self.places),
            attributes_superseded=len(self.superseded_ids),
            entity_ids=tuple(sorted(self.linked)), attribute_ids=tuple(self.places),
            superseded_ids=tuple(self.superseded_ids), disputes=tuple(self.disputes),
            replaced_constraints=tuple(self.replaced_constraints),
            proposed=tuple(self.proposed), skipped=tuple(self.skipped),
            warnings=tuple(self.warnings),
            notes=tuple(self.notes), merged=tuple(self.merged.values()),
            waits=WAITS if writes_held(self.writer) else "",
            **{name: self.count[name] for name in names})

    def skip(self, path: str, name: str, reason: str, what: str = "", do: str = "") -> None:
        """Skip a part and report it."""
        self.skipped.append(Skipped(path, name, reason, what or REASONS[reason], do))

    def warn(self, sentences: Sequence[str]) -> None:
        """Report what is to be minded, each thing once."""
        self.warnings.extend(one for one in sentences if one not in self.warnings)

    def not_kept(self, path: str, name: str, what: str) -> None:
        """Report what a file of an older generation can't store."""
        self.skip(path, name, "not_kept", f"This file is from before {what}",
                  "Upgrade the file with a newer Signet to store it")

    def note(self, path: str, name: str, why: str) -> None:
        """Record why something was done, if explanations are requested."""
        if self.explain:
            self.notes.append(Note(path, name, why))

    def touch(self, aspect_id: str) -> None:
        """An aspect that gains a value is in use: its decay starts again."""
        if aspect_id not in self.touched:
            self.touched.add(aspect_id)
            self.writer.update("entity_aspects", aspect_id, updated_at=self.writer.now())

    # -- entities ----------------------------------------------------------------------------

    def find(self, name: str) -> KnownEntity | None:
        """The agent's entity of this name or alias, whatever its status."""
        key = name_key(name)
        if key not in self._known:
            self._known[key] = _lookup(self.writer, key)
        return self._known[key]

    def refusal(self, name: str, entity_type: str | None) -> str | None:
        """Why a name may not become an entity, None if it may."""
        return refuse(name, entity_type, shortest=self.settings.shortest_name,
                      refused_types=self.settings.refused_types)

    def usable(self, name: str, entity_type: str | None, path: str) -> bool:
        """True if the entity is there and in use, or may be made; else it is skipped here."""
        known = self.find(clean_name(name)) or self.find(name)
        if known is not None:
            if known.archived:
                self.skip(path, name, "archived", f"“{known.name}” is archived",
                          "Restore it first")
            return not known.archived
        reason = self.refusal(name, entity_type)
        if reason is not None:
            self.skip(path, name, reason)
        elif self._taken(clean_name(name)):
            self.skip(path, name, "name_taken", "This file allows a name only once",
                      "Use another name")
        else:
            return True
        return False

    def entity(
        self, name: str, entity_type: str | None = None, path: str = "$"
    ) -> KnownEntity:
        """The entity of this name, made if there is none; call it only for a usable name."""
        shown, kind = clean_name(name), type_word(entity_type)
        known = self.find(shown) or self.find(name)
        if known is None:
            return self._make(shown, kind)
        if known.entity_type == "extracted" and kind in CONCRETE_TYPES:
            known.entity_type = kind
            self.writer.update("entities", known.id, entity_type=kind,
                               updated_at=self.writer.now())
        self._note_merged(shown, kind, known, path)
        return known

    def _note_merged(self, name: str, kind: str, known: KnownEntity, path: str) -> None:
        """Say once that a name is another's, or that its type was not taken."""
        lost = kind if kind not in UNTYPED and kind != type_word(known.entity_type) else ""
        if lost or name.split() != known.name.split():
            self.merged.setdefault((name, lost), MergedName(
                name, known.name, lost, known.entity_type if lost else "", path=path))

    def _make(self, name: str, kind: str) -> KnownEntity:
        known = KnownEntity(new_id(), name, kind if kind not in UNTYPED else "extracted")
        self.writer.insert(
            "entities", id=known.id, agent_id=self.writer.agent, name=name,
            canonical_name=self.writer.stored_key(name), entity_type=known.entity_type, mentions=0,
            status="active", source="extraction", created_at=self.at,
            updated_at=self.writer.now(), last_seen_at=self.at)
        self._known[name_key(name)] = known
        self.count["entities_inserted"] += 1
        self.note("entity", name, "is new; its name passed the quality check")
        self._grown.add(known.id)
        return known

    def _taken(self, name: str) -> bool:
        """True if a Signet file, whose names are unique across agents, has no room for it."""
        return self.writer.kind != "native" and bool(self.writer.value(
            "SELECT 1 FROM entities WHERE name = :name AND agent_id <> :agent", name=name))

    def mention(
        self, known: KnownEntity, text: str, confidence: float, path: str = "$.content"
    ) -> bool:
        """Link the memory with an entity; True if it was not linked before.

        The entity's count grows with each link, once: upstream counts a memory again each time
        it is remembered, and does not count the entities of aspects.
        """
        if known.id in self.linked:
            return False
        self.linked.add(known.id)
        if not self.fresh and self.writer.value(
            "SELECT 1 FROM memory_entity_mentions WHERE memory_id = :memory AND entity_id = :id",
            memory=self.memory_id, id=known.id,
        ):
            return False
        self.writer.insert(
            "memory_entity_mentions", memory_id=self.memory_id, entity_id=known.id,
            mention_text=text, confidence=confidence, created_at=self.at)
        self.count["mentions_linked"] += 1
        self.note(path, known.name, f"linked to the memory, which mentions “{text}”")
        self._grow(known)
        return True

    def _grow(self, known: KnownEntity) -> None:
        if known.task:
            return
        known.mentions += 1
        self.writer.update("entities", known.id, mentions=known.mentions,
                           updated_at=self.writer.now(), last_seen_at=self.at)
        if known.id not in self._grown:
            self._grown.add(known.id)
            self.count["entities_updated"] += 1


def _lookup(writer: Writer, key: str) -> KnownEntity | None:
    """By name, then by alias; an active entity before an archived one."""
    row = writer.row(
        f"SELECT {_COLUMNS}, {_TASK} FROM entities e"
        " WHERE e.canonical_name = :key AND e.agent_id = :agent"
        " ORDER BY e.status = 'active' DESC, e.mentions DESC, e.id", key=key)
    if row is None:
        row = writer.row(
            f"SELECT {_COLUMNS}, {_TASK} FROM entity_aliases n"
            " CROSS JOIN entities e ON e.id = n.entity_id AND e.agent_id = :agent"
            " WHERE n.agent_id = :agent AND n.canonical_alias = :key AND n.status = 'active'",
            key=key)
    if row is None:
        return None
    return KnownEntity(row["id"], str(row["name"]), str(row["entity_type"] or "unknown"),
                 int(row["mentions"] or 0), row["status"] != "active", bool(row["task"]))
