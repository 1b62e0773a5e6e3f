"""Finds memories that name a known entity and are not linked with it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.health.finding import Finding, Rules, SomeFindings, fix
from core.ingest.mentions import names_meant
from core.ingest.name_quality import refuse
from core.model.text_format import one_line
from core.queries.name_keys import known_by
from core.queries.rows import text
from core.store.database import Row
from core.store.handles import Reader

_MEMORIES = """
SELECT m.id, m.content FROM memories m
WHERE m.agent_id = :agent AND m.is_deleted = 0 AND COALESCE(m.source_type, '') <> 'claim'
ORDER BY m.created_at DESC, m.rowid DESC LIMIT :most"""
_KNOWN = """
SELECT e.id, e.name, e.entity_type, e.canonical_name FROM entities e
WHERE {known} AND e.status = 'active'"""
_LINKED = """
SELECT n.memory_id, n.entity_id FROM json_each(:ids) f
CROSS JOIN memory_entity_mentions n ON n.memory_id = f.value"""
_AROUND = 60
"""Characters of the memory on either side of the name."""


@dataclass(frozen=True, slots=True)
class _Named:
    memory: Row
    written: str
    key: str
    place: int


def mention_candidates(reader: Reader, rules: Rules) -> list[Finding]:
    """Names of known entities in memories that are not linked with them, in the newest ones."""
    most = rules.health.memories
    memories = reader.rows(_MEMORIES, most=most + 1)
    findings = _candidates(reader, memories[:most], rules)
    return SomeFindings(findings) if len(memories) > most else list(findings)


def _candidates(reader: Reader, memories: Sequence[Row], rules: Rules) -> Iterator[Finding]:
    named = [_Named(memory, name.text, name.key, name.start) for memory in memories
             for name in names_meant(reader, text(memory["content"]), rules.ingest)]
    entities = _entities(reader, sorted({one.key for one in named}))
    linked = {(row["memory_id"], row["entity_id"]) for row in reader.rows(
        _LINKED, ids=sorted({one.memory["id"] for one in named}))}
    for one in named:
        entity = entities.get(one.key)
        if entity is None or (one.memory["id"], entity["id"]) in linked:
            continue
        linked.add((one.memory["id"], entity["id"]))
        yield Finding(
            "mention_candidate", "info", (one.memory["id"], entity["id"]), entity["id"],
            text(entity["name"]), f"“{_snippet(one)}” names “{text(entity['name'])}”", fix(
                reader, "link_memory", memory_id=one.memory["id"], entity=entity["id"],
                mention_text=one.written))


def _entities(reader: Reader, keys: Sequence[str]) -> dict[str, Row]:
    """By what they are known by, the entities that one memory may mean without doubt."""
    known: dict[str, list[Row]] = {}
    if keys:
        sql = _KNOWN.format(known=known_by(reader, "e", "SELECT value FROM json_each(:keys)"))
        for row in reader.rows(sql, keys=list(keys)):
            known.setdefault(row["canonical_name"], []).append(row)
    return {key: rows[0] for key, rows in known.items()
            if len(rows) == 1 and refuse(text(rows[0]["name"])) is None}


def _snippet(one: _Named) -> str:
    content = text(one.memory["content"])
    start, stop = max(0, one.place - _AROUND), one.place + len(one.written) + _AROUND
    before, after = "..." if start else "", "..." if stop < len(content) else ""
    return f"{before}{one_line(content[start:stop])}{after}"
