"""Finds the keys and passwords of what is exported or imported, each with its place."""

from collections.abc import Collection, Iterable
from typing import Any

from core.model.secret_wording import FoundSecret, kinds_of_secrets
from core.model.text_formatting import one_line
from core.store.reader_and_writer import Reader

_VALUES = """
SELECT e.name, v.content FROM entity_attributes v JOIN entity_aspects s ON s.id = v.aspect_id
JOIN entities e ON e.id = s.entity_id
WHERE (:every OR v.agent_id = :of) AND (:all OR v.status = 'active')
  AND (:ids IS NULL OR e.id IN (SELECT value FROM json_each(:ids)))
UNION ALL SELECT e.name, e.description FROM entities e
WHERE (:every OR e.agent_id = :of) AND e.description <> ''
  AND (:ids IS NULL OR e.id IN (SELECT value FROM json_each(:ids)))"""
_MEMORIES = """
SELECT 'memory ' || substr(m.id, 1, 8) AS name, m.content FROM memories m
WHERE (:every OR m.agent_id = :of) AND m.is_deleted = 0"""


def secrets_of(
    reader: Reader, ids: Collection[str] | None = None, agent: str | None = None, *,
    everything: bool = False,
) -> tuple[FoundSecret, ...]:
    """The keys and passwords of what an export writes.

    Args:
        ids: the entities that are written; None for all.
        agent: whose rows are written; None for those of every agent.
        everything: True where past versions and memories are written, too.
    """
    given: dict[str, Any] = {"ids": sorted(ids) if ids is not None else None, "of": agent or "",
                             "every": agent is None, "all": everything}
    rows = list[Iterable[Any]]((reader.rows(_VALUES, **given),))
    if everything:
        rows.append(reader.rows(_MEMORIES, every=given["every"], of=given["of"]))
    seen: dict[FoundSecret, None] = {}
    for some in rows:
        for row in some:
            note_secrets(seen, f"“{one_line(str(row['name']), 60)}”", str(row["content"] or ""))
    return tuple(seen)


def note_secrets(seen: dict[FoundSecret, None], where: str, text: object) -> None:
    """Add what a text looks like to what was found before: each place once for each kind."""
    if isinstance(text, str):
        seen |= dict.fromkeys(FoundSecret(where, kind) for kind in kinds_of_secrets(text))
