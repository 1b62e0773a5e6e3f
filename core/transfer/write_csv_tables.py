"""Writes a graph as three tables (CSV): entities, facts and links."""

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path

from core.transfer.exported_graph import ExportedGraph

ENTITIES, FACTS, LINKS = "entities.csv", "facts.csv", "links.csv"
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet takes for the beginning of a formula (OWASP, CSV injection)."""


def write_tables(graph: ExportedGraph, folder: Path) -> None:
    """The three tables as UTF-8 with a header line each.

    Whether entities are muted is told where one is. A text that a spreadsheet would run as a
    formula begins with an apostrophe.
    """
    names = {entity.id: entity.name for entity in graph.entities}
    muted = ("muted",) if any(each.muted for each in graph.entities) else ()
    _table(folder / ENTITIES, (
        "id", "name", "type", "description", "aliases", "pinned", "mentions", "created_at",
        *muted), (
        (each.id, each.name, each.entity_type, each.description, "; ".join(each.aliases),
         int(each.pinned), each.mentions, each.created_at, *(int(each.muted) for _ in muted))
        for each in graph.entities))
    _table(folder / FACTS, (
        "entity_id", "entity", "aspect", "group", "claim", "kind", "value", "importance",
        "confidence", "created_at", "source"), (
        (entity.id, entity.name, fact.aspect, fact.group, fact.claim, fact.kind, fact.content,
         fact.importance, fact.confidence, fact.created_at, fact.source)
        for entity in graph.entities for fact in entity.facts))
    _table(folder / LINKS, (
        "source_id", "source", "target_id", "target", "type", "reason", "strength", "confidence",
        "created_at"), (
        (link.source, names[link.source], link.target, names[link.target], link.dependency_type,
         link.reason, link.strength, link.confidence, link.created_at) for link in graph.links))


def _table(path: Path, header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as stream:
        table = csv.writer(stream)
        table.writerow(header)
        table.writerows([guarded(cell) for cell in row] for row in rows)


def guarded(cell: object) -> object:
    """The cell, a text behind an apostrophe where it would run as a formula or has one already."""
    return f"'{cell}" if isinstance(cell, str) and cell.lstrip("'").startswith(_FORMULA) else cell


def unguarded(cell: str) -> str:
    """What `guarded` was given."""
    return cell[1:] if cell.startswith("'") and cell.lstrip("'").startswith(_FORMULA) else cell
