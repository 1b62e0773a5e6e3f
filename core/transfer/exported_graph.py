"""Reads the part of a graph that an export writes: entities with their facts, and the links."""

import json
from collections import defaultdict
from collections.abc import Collection, Iterator

from msgspec import Struct
from msgspec.structs import replace

from core.model.names import spoken
from core.queries.descriptions import own_description
from core.queries.rows_to_model import number, tags_in, text, whole
from core.store.database import Row
from core.store.reader_and_writer import Reader
from core.transfer.mcp_export import Record, observation, relations

_CHOSEN = "(:ids IS NULL OR {id} IN (SELECT value FROM json_each(:ids)))"
_ENTITIES = f"""
SELECT e.id, e.name, e.entity_type, e.description, e.pinned, e.muted, e.mentions, e.created_at
FROM entities e WHERE e.agent_id = :agent AND e.status = 'active' AND {_CHOSEN.format(id="e.id")}
ORDER BY e.rowid"""
_FACTS = f"""
SELECT s.entity_id, s.name AS aspect, v.group_key, v.claim_key, v.kind, v.content, v.importance,
  v.confidence, v.created_at, v.source_kind, v.source_path, m.tags
FROM entity_attributes v CROSS JOIN entity_aspects s ON s.id = v.aspect_id
LEFT JOIN memories m ON m.id = v.memory_id AND m.agent_id = :agent AND m.is_deleted = 0
  AND COALESCE(m.source_type, '') <> 'claim'
WHERE v.agent_id = :agent AND v.status = 'active' AND s.status = 'active'
  AND {_CHOSEN.format(id="s.entity_id")} ORDER BY v.rowid"""
_LINKS = f"""
SELECT d.id, d.source_entity_id, d.target_entity_id, d.dependency_type, d.reason, d.strength,
  d.confidence, d.created_at, d.source_kind, f.name AS source, t.name AS target
FROM entity_dependencies d CROSS JOIN entities f ON f.id = d.source_entity_id
CROSS JOIN entities t ON t.id = d.target_entity_id
WHERE d.agent_id = :agent AND d.status = 'active' AND f.status = 'active' AND t.status = 'active'
  AND f.agent_id = :agent AND t.agent_id = :agent
  AND {_CHOSEN.format(id="f.id")} AND {_CHOSEN.format(id="t.id")} ORDER BY d.rowid"""
_PHRASES = f"""
SELECT f.owner_id, f.fields FROM source_fields f
CROSS JOIN entity_dependencies d ON d.id = f.owner_id
WHERE f.agent_id = :agent AND d.agent_id = :agent AND d.dependency_type = 'related_to'
  AND {_CHOSEN.format(id="d.source_entity_id")} ORDER BY f.rowid"""
_ALIASES = f"""
SELECT a.entity_id, a.alias FROM entity_aliases a
WHERE a.agent_id = :agent AND a.status = 'active' AND {_CHOSEN.format(id="a.entity_id")}
ORDER BY a.rowid"""


class ExportedFact(Struct, frozen=True):
    """A value in force, with the slot that it stands in."""

    aspect: str
    group: str
    claim: str
    kind: str
    content: str
    importance: float
    confidence: float
    created_at: str
    source: str
    words: str
    """The fact as one text: with its claim or aspect first, unless an import wrote it."""
    tags: tuple[str, ...] = ()
    """The tags of the memory that it rests on; none of one that was made from it."""

    @property
    def claimed(self) -> str:
        """The fact as one text, with its claim first if it has one; the aspect is told apart."""
        return f"{spoken(self.claim)}: {self.content}" if self.claim else self.content

    @property
    def is_constraint(self) -> bool:
        """True for what always applies."""
        return self.kind == "constraint"


class ExportedEntity(Struct, frozen=True):
    """An active entity with its facts in the order written."""

    id: str
    name: str
    entity_type: str
    description: str
    pinned: bool
    muted: bool
    mentions: int
    created_at: str
    aliases: tuple[str, ...]
    facts: tuple[ExportedFact, ...]


class ExportedLink(Struct, frozen=True):
    """A link between two entities that are both exported, with the words it was made with.

    A link that several phrases share is one for each of them, with a number behind its id.
    """

    id: str
    source: str
    target: str
    dependency_type: str
    reason: str
    strength: float
    confidence: float
    created_at: str

    @property
    def words(self) -> str:
        """What the link says: its own words where it is merely `related_to`."""
        plain = self.dependency_type == "related_to" and self.reason.strip()
        return self.reason if plain else spoken(self.dependency_type)


class ExportedGraph(Struct, frozen=True):
    """What is exported: everything active of the agent, or chosen entities and links among them."""

    entities: tuple[ExportedEntity, ...]
    links: tuple[ExportedLink, ...]


def exported_graph(reader: Reader, ids: Collection[str] | None = None) -> ExportedGraph:
    """The active entities of the agent, or these of them, in four statements."""
    chosen = None if ids is None else sorted(ids)
    aliases: defaultdict[str, list[str]] = defaultdict(list)
    for row in reader.rows(_ALIASES, ids=chosen):
        aliases[row["entity_id"]].append(text(row["alias"]))
    facts: defaultdict[str, list[ExportedFact]] = defaultdict(list)
    for row in reader.rows(_FACTS, ids=chosen):
        facts[row["entity_id"]].append(_fact(row))
    return ExportedGraph(
        tuple(ExportedEntity(
            row["id"], text(row["name"]), text(row["entity_type"]),
            own_description(row["description"]),
            bool(row["pinned"]), bool(row["muted"]), whole(row["mentions"]),
            text(row["created_at"]), tuple(aliases[row["id"]]), tuple(facts[row["id"]]),
        ) for row in reader.rows(_ENTITIES, ids=chosen)),
        tuple(_links(reader, chosen)))


def _fact(row: Row) -> ExportedFact:
    return ExportedFact(
        text(row["aspect"]), text(row["group_key"]), text(row["claim_key"]), text(row["kind"]),
        text(row["content"]), number(row["importance"]), number(row["confidence"]),
        text(row["created_at"]), text(row["source_path"]), text(observation(row)),
        tags_in(row["tags"]))


def _links(reader: Reader, chosen: list[str] | None) -> Iterator[ExportedLink]:
    fields: defaultdict[str, list[Record]] = defaultdict(list)
    for row in reader.rows(_PHRASES, ids=chosen):
        fields[row["owner_id"]].append(json.loads(row["fields"]))
    for row in reader.rows(_LINKS, ids=chosen):
        first = ExportedLink(
            row["id"], row["source_entity_id"], row["target_entity_id"],
            text(row["dependency_type"]), text(row["reason"]), number(row["strength"]),
            number(row["confidence"]), text(row["created_at"]))
        phrases = _phrases(row, fields.get(row["id"], []))
        if len(phrases) == 1 and first.dependency_type == "related_to":
            yield replace(first, reason=phrases[0])  # The whole of a long one.
        elif len(phrases) < 2:
            yield first
        else:
            yield from (replace(first, id=f"{first.id}-{at}", reason=phrase)
                        for at, phrase in enumerate(phrases, 1))


def _phrases(row: Row, fields: list[Record]) -> list[str]:
    """What a link says that an import or an agent has made of several relations."""
    return list(dict.fromkeys(str(each["relationType"]) for each in relations(row, fields)))
