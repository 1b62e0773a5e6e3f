"""Finds memories that name a known entity and are not linked with it."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from unicodedata import normalize

from msgspec import Struct

from core.health.finding import Finding, Rules, SomeFindings, fix
from core.ingest.config import IngestSettings
from core.ingest.mentions import names_meant
from core.ingest.name_quality import refuse
from core.model.text_formatting import one_line
from core.model.vocabulary import IMPORTED
from core.queries.known_by_name import known_by
from core.queries.rows_to_model import text
from core.store.database import Row
from core.store.reader_and_writer import Reader

_MEMORIES = """
SELECT m.id, m.content FROM memories m
WHERE m.agent_id = :agent AND m.is_deleted = 0 AND COALESCE(m.source_type, '') <> 'claim'
ORDER BY m.created_at DESC, m.rowid LIMIT :most"""
_KNOWN = """
SELECT e.id, e.name, e.entity_type, e.canonical_name FROM entities e
WHERE {known} AND e.status = 'active'"""
_LINKED = """
SELECT n.memory_id, n.entity_id FROM json_each(:ids) f
CROSS JOIN memory_entity_mentions n ON n.memory_id = f.value"""
_LED_TO = """
SELECT json_extract(f.value, '$[0]') AS memory_id, json_extract(f.value, '$[1]') AS entity_id
FROM json_each(:pairs) f CROSS JOIN memories m ON m.id = json_extract(f.value, '$[0]')
WHERE m.source_type = :kind AND EXISTS (
  SELECT 1 FROM memory_entity_mentions n CROSS JOIN entity_dependencies d
    ON d.source_entity_id = n.entity_id AND d.target_entity_id = json_extract(f.value, '$[1]')
  WHERE n.memory_id = m.id AND +d.status = 'active' AND d.source_kind = :kind
    AND +d.agent_id = :agent)"""
"""What an import linked the entities of a memory with: a note writes its links in its text."""
_CALLED_SO = """
SELECT e.id, e.name, substr(e.canonical_name, 1, instr(e.canonical_name, ' ') - 1) AS first
FROM entities e
WHERE e.agent_id = :agent AND e.status = 'active'
  AND COALESCE(e.entity_type, '') IN ('person', '', 'unknown', 'extracted')
  AND substr(e.canonical_name, 1, instr(e.canonical_name, ' ') - 1)
    IN (SELECT value FROM json_each(:keys))
ORDER BY e.name"""
"""Who may be a person and has one of some names for the first of several."""
_AT_ONCE = 20
"""Memories that are searched together."""
_OTHERS = 2
"""Others that a name may mean that are told."""
_AROUND = 60
"""Characters of the memory on either side of the name."""


class _Named(Struct, frozen=True):
    """A name in a memory: how it is written, what it stands for, and the words around it."""

    memory_id: str
    written: str
    key: str
    snippet: str


def mention_candidates(reader: Reader, rules: Rules) -> list[Finding]:
    """Names of known entities in memories that are not linked with them, in the newest ones."""
    most = rules.health.memories
    memories = reader.rows(_MEMORIES, most=most + 1)
    findings = _candidates(reader, memories[:most], rules)
    return SomeFindings(findings) if len(memories) > most else list(findings)


def _candidates(reader: Reader, memories: Sequence[Row], rules: Rules) -> Iterator[Finding]:
    named = [one for start in range(0, len(memories), _AT_ONCE)
             for one in _names_in(reader, memories[start:start + _AT_ONCE], rules.ingest)]
    entities = _entities(reader, sorted({one.key for one in named}))
    linked = {(row["memory_id"], row["entity_id"]) for row in reader.rows(
        _LINKED, ids=sorted({one.memory_id for one in named}))}
    pairs = {(one.memory_id, entities[one.key]["id"]) for one in named if one.key in entities}
    linked |= {(row["memory_id"], row["entity_id"]) for row in reader.rows(
        _LED_TO, pairs=sorted(pairs - linked), kind=IMPORTED)}
    called_so = _called_so(reader, entities)
    for one in named:
        entity = entities.get(one.key)
        if entity is None or (one.memory_id, entity["id"]) in linked:
            continue
        others = called_so.get(one.key, ())
        if any((one.memory_id, other["id"]) in linked for other in others):
            continue
        linked.add((one.memory_id, entity["id"]))
        yield _finding(reader, one, entity, others)


def _finding(reader: Reader, one: _Named, entity: Row, others: Sequence[Row]) -> Finding:
    """Without a fix where others are called so, too: only a person can say who is meant."""
    meant = " or ".join(f"“{text(row['name'])}”" for row in (entity, *others[:_OTHERS]))
    return Finding(
        "mention_candidate", "info", (one.memory_id, entity["id"]), entity["id"],
        text(entity["name"]), f"“{one.snippet}” names {meant}", None if others else fix(
            reader, "link_memory", memory_id=one.memory_id, entity=entity["id"],
            mention_text=one.written))


def _called_so(reader: Reader, entities: Mapping[str, Row]) -> dict[str, list[Row]]:
    """By a name of one word the others of whom it is the first name."""
    found: dict[str, list[Row]] = {}
    keys = [key for key in entities if " " not in key]
    for row in reader.rows(_CALLED_SO, keys=keys) if keys else ():
        found.setdefault(row["first"], []).append(row)
    return found


def _names_in(
    reader: Reader, memories: Sequence[Row], settings: IngestSettings
) -> Iterator[_Named]:
    """The names in several memories, which are looked up together: no name goes over a line."""
    texts = [normalize("NFKC", text(row["content"])).replace("\n", " ") for row in memories]
    starts = [0, *accumulate(len(content) + 1 for content in texts)]
    many = settings.model_copy(update={
        "mention_candidates": settings.mention_candidates * len(texts)})
    for name in names_meant(reader, "\n".join(texts), many):
        place = bisect_right(starts, name.start) - 1
        yield _Named(memories[place]["id"], name.text, name.key,
                     _snippet(texts[place], name.start - starts[place], len(name.text)))


def _entities(reader: Reader, keys: Sequence[str]) -> dict[str, Row]:
    """By what they are known by, the entities that one memory may mean without doubt."""
    known: dict[str, list[Row]] = {}
    if keys:
        sql = _KNOWN.format(known=known_by(reader, "e", "SELECT value FROM json_each(:keys)"))
        for row in reader.rows(sql, keys=list(keys)):
            known.setdefault(row["canonical_name"], []).append(row)
    return {key: rows[0] for key, rows in known.items()
            if len(rows) == 1 and refuse(text(rows[0]["name"])) is None}


def _snippet(content: str, place: int, length: int) -> str:
    start, stop = max(0, place - _AROUND), place + length + _AROUND
    before, after = "..." if start else "", "..." if stop < len(content) else ""
    return f"{before}{one_line(content[start:stop])}{after}"
