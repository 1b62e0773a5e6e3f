"""Tells which expectations a change may break or mend, without asking any question again."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from core.model.changes import Changes
from core.model.expectation import CheckedExpectation
from core.store.reader_and_writer import Reader

if TYPE_CHECKING:
    from core.traversal.config import TraversalSettings

GROUND = frozenset((
    "entities", "entity_aspects", "entity_attributes", "entity_dependencies", "entity_aliases",
    "memories", "memory_entity_mentions"))
"""The tables that an answer rests on."""
NAMING = ("entities", "entity_aliases")
"""Those of them whose change may make a question refer to other entities."""
_OWNERS = {
    "entity_aspects": "SELECT s.id AS row, s.entity_id AS owner, NULL AS other"
                      " FROM json_each(:ids) f CROSS JOIN entity_aspects s ON s.id = f.value",
    "entity_attributes": "SELECT v.id AS row, s.entity_id AS owner, v.memory_id AS other"
                         " FROM json_each(:ids) f CROSS JOIN entity_attributes v ON v.id = f.value"
                         " LEFT JOIN entity_aspects s ON s.id = v.aspect_id",
    "entity_dependencies": "SELECT d.id AS row, d.source_entity_id AS owner,"
                           " d.target_entity_id AS other FROM json_each(:ids) f"
                           " CROSS JOIN entity_dependencies d ON d.id = f.value",
    "entity_aliases": "SELECT a.id AS row, a.entity_id AS owner, NULL AS other"
                      " FROM json_each(:ids) f CROSS JOIN entity_aliases a ON a.id = f.value",
}
"""What the changed rows of a table belong to."""
_MENTIONED = """
SELECT n.entity_id AS owner FROM json_each(:ids) f
CROSS JOIN memory_entity_mentions n ON n.memory_id = f.value"""


def affected(
    reader: Reader, before: Sequence[CheckedExpectation], changes: Changes,
    settings: "TraversalSettings",
) -> tuple[CheckedExpectation, ...]:
    """Those whose question's focal entities, or whose target, are among what was changed.

    Where entities or their names changed, the focal entities of each question are looked up anew:
    a question may refer to what was not there. All are affected where it is not known what changed
    (another process wrote, or very many rows were).

    Args:
        before: the expectations as they were last checked.
    """
    if not before or not changes.touches(*GROUND):
        return ()
    touched = _touched(reader, changes)
    if touched is None:
        return tuple(before)
    named = changes.touches(*NAMING)
    focal: dict[str, frozenset[str]] = {}
    if named:
        # Few graphs have expectations.
        from core.traversal.focal import resolve  # noqa: PLC0415
        from core.traversal.focal_signals import Signals  # noqa: PLC0415

        for each in before:
            question = each.expectation.question
            if question not in focal:
                focal[question] = frozenset(resolve(reader, Signals(question), settings).ids)
    return tuple(
        each for each in before
        if not each.ground or not touched.isdisjoint(each.ground)
        or not touched.isdisjoint(focal.get(each.expectation.question, ())))


def _touched(reader: Reader, changes: Changes) -> frozenset[str] | None:
    """The ids of what was changed and of the entities that it belongs to; None where unknown: an
    other process wrote, very many rows changed, or a row is gone with what it belonged to.
    """
    if changes.external:
        return None
    ids: set[str] = set()
    for table in sorted(changes.tables & GROUND):
        changed = changes.ids.get(table, frozenset())
        if not changed or table in changes.ranges:
            return None
        ids |= changed
        if table in _OWNERS:
            rows = reader.rows(_OWNERS[table], ids=sorted(changed))
            if len({row["row"] for row in rows}) < len(changed):
                return None
            ids |= {row[column] for row in rows for column in ("owner", "other") if row[column]}
        elif table != "entities":
            ids |= {row["owner"] for row in reader.rows(_MENTIONED, ids=sorted(changed))}
    return frozenset(ids)
