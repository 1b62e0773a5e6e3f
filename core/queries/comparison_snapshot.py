"""A snapshot of what an agent knows, by names or by ids, to be compared with another state."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Literal

from msgspec import Struct, field

from core.model.names import name_key
from core.queries.rows_to_model import CLAIM_KEY, GROUP_KEY, text
from core.store.reader_and_writer import Reader

By = Literal["ids", "names"]
"""What makes two things the same one: the ids of one graph at two times, names of two agents."""

_ENTITIES = """
SELECT id, name, entity_type, description, pinned FROM entities
WHERE agent_id = :agent AND status = 'active'"""
_VALUES = f"""
SELECT v.id, v.kind, v.content, s.id AS aspect_id, s.name AS aspect, {GROUP_KEY} AS grp,
  {CLAIM_KEY} AS claim, e.id AS entity_id
FROM entities e CROSS JOIN entity_aspects s ON s.entity_id = e.id
CROSS JOIN entity_attributes v ON v.aspect_id = s.id
WHERE e.agent_id = :agent AND e.status = 'active' AND s.status = 'active'
  AND v.status = 'active' AND +v.agent_id = :agent"""
_NOT_PRIVATE = """
  AND NOT EXISTS (SELECT 1 FROM memories m WHERE m.id = v.memory_id AND m.agent_id = :agent
    AND m.visibility <> 'global')"""
_LINKS = """
SELECT d.id, d.source_entity_id AS source, d.target_entity_id AS target, d.dependency_type AS type,
  d.reason FROM entity_dependencies d WHERE d.agent_id = :agent AND d.status = 'active'"""


class Thing(Struct, frozen=True):
    """An entity as it is compared."""

    id: str
    name: str
    entity_type: str
    description: str
    pinned: bool


class Place(Struct, frozen=True):
    """Where values are: entity key, aspect key, kind, group, claim; without a claim the value."""

    entity: str
    aspect: str
    kind: str
    group: str
    claim: str
    value: str = ""


class Contents(Struct):
    """A state of what one agent knows; entities by their key."""

    entities: dict[str, Thing] = field(default_factory=dict)
    values: defaultdict[Place, list[str]] = field(default_factory=lambda: defaultdict(list))
    value_ids: defaultdict[Place, list[str]] = field(default_factory=lambda: defaultdict(list))
    aspects: dict[str, str] = field(default_factory=dict)
    """The name of each aspect key."""
    links: dict[tuple[str, str, str], str] = field(default_factory=dict)
    """The reason of each link: source key, target key, type."""


def contents_of(reader: Reader, by: By = "ids", *, shared_only: bool = False) -> Contents:
    """All that the agent knows now.

    Args:
        shared_only: without values from memories that it keeps to itself.
    """
    contents = Contents()
    keys: dict[str, str] = {}
    for row in reader.rows(_ENTITIES):
        keys[row["id"]] = row["id"] if by == "ids" else name_key(text(row["name"]))
        contents.entities[keys[row["id"]]] = Thing(
            row["id"], text(row["name"]), text(row["entity_type"]), text(row["description"]),
            bool(row["pinned"]))
    _read_values(reader, contents, keys, by, _NOT_PRIVATE if shared_only else "")
    for row in reader.rows(_LINKS):
        source, target = keys.get(row["source"]), keys.get(row["target"])
        if source and target:
            contents.links[source, target, text(row["type"])] = text(row["reason"])
    return contents


def _read_values(
    reader: Reader, contents: Contents, keys: Mapping[str, str], by: By, which: str
) -> None:
    once: dict[str, str] = {}  # Words that many values have are kept once.
    for row in reader.each(_VALUES + which):
        aspect = row["aspect_id"] if by == "ids" else name_key(text(row["aspect"]))
        aspect = once.setdefault(aspect, aspect)
        called, claim, kind, group = (once.setdefault(text(row[name]), text(row[name]))
                                      for name in ("aspect", "claim", "kind", "grp"))
        contents.aspects[aspect] = called
        alone = "" if claim else row["id"] if by == "ids" else text(row["content"])
        place = Place(keys[row["entity_id"]], aspect, kind, group, claim, alone)
        contents.values[place].append(text(row["content"]))
        contents.value_ids[place].append(row["id"])
