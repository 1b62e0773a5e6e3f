"""Finds links that say little, and rows that point to nothing."""

from collections.abc import Iterator

from core.health.finding import Finding, Rules, fix
from core.model.text_formatting import counted
from core.queries.legacy_relations import count_links, unlinked_by_source
from core.queries.rows_to_model import text
from core.store.database import Row
from core.store.reader_and_writer import Reader

_RELATED = """
SELECT d.id, d.strength, d.reason, s.id AS source, s.name AS source_name, t.name AS target_name
FROM entity_dependencies d CROSS JOIN entities s ON s.id = d.source_entity_id
CROSS JOIN entities t ON t.id = d.target_entity_id
WHERE d.agent_id = :agent AND d.status = 'active' AND d.dependency_type = 'related_to'
  AND +s.agent_id = :agent AND +s.status = 'active' AND +t.agent_id = :agent
  AND +t.status = 'active'
ORDER BY s.name, t.name, d.id"""
_DANGLING = (
    ("entity_dependencies", "a link", """
SELECT d.id, s.name AS one, t.name AS other, COALESCE(s.id, t.id) AS entity
FROM entity_dependencies d LEFT JOIN entities s ON s.id = d.source_entity_id
LEFT JOIN entities t ON t.id = d.target_entity_id
WHERE d.agent_id = :agent AND d.status = 'active' AND (s.id IS NULL OR t.id IS NULL)"""),
    ("entity_aspects", "an aspect", """
SELECT s.id, s.name AS one, NULL AS other, NULL AS entity FROM entity_aspects s
LEFT JOIN entities e ON e.id = s.entity_id
WHERE s.agent_id = :agent AND s.status = 'active' AND e.id IS NULL"""),
    ("entity_attributes", "a value", """
SELECT v.id, v.content AS one, NULL AS other, NULL AS entity FROM entity_attributes v
LEFT JOIN entity_aspects s ON s.id = v.aspect_id
WHERE v.agent_id = :agent AND v.status = 'active' AND s.id IS NULL"""),
)


def weak_links(reader: Reader, rules: Rules) -> Iterator[Finding]:
    """Links “related to” that are too weak to be walked."""
    for row in reader.rows(_RELATED):
        if row["strength"] <= rules.health.weak_link:
            yield _related(reader, "weak_related_to", row, f"only as strong as "
                                                          f"{row['strength']:g}")


def unexplained_links(reader: Reader, rules: Rules) -> Iterator[Finding]:
    """Links “related to” without a reason: they say nothing."""
    for row in reader.rows(_RELATED):
        if not text(row["reason"]).strip() and row["strength"] > rules.health.weak_link:
            yield _related(reader, "unexplained_related_to", row, "without a reason")


def _related(reader: Reader, kind: str, row: Row, words: str) -> Finding:
    return Finding(
        kind, "info", (row["id"],), row["source"], text(row["source_name"]),
        f"“{text(row['source_name'])}” is related to “{text(row['target_name'])}”, {words}",
        fix(reader, "archive_link", id=row["id"], reason=f"Related, {words}"))


def dangling_ids(reader: Reader, rules: Rules) -> Iterator[Finding]:
    """Links, aspects and values of something that is not there."""
    for table, what, query in _DANGLING:
        for row in reader.rows(query):
            name = text(row["one"]) or text(row["other"])
            mend = {"entity_dependencies": "archive_link",
                    "entity_attributes": "archive_claim_value"}.get(table)
            key = "id" if table == "entity_dependencies" else "attribute_id"
            words = "nothing that is there" if table == "entity_dependencies" else "nothing"
            yield Finding(
                "dangling_id", "error", (row["id"],), row["entity"],
                name if row["entity"] else "",
                f"{what} of “{name[:80]}” leads to {words}" if name else
                f"{what} leads to {words}",
                mend and fix(reader, mend, **{key: row["id"]}, reason="It belongs to nothing")
                or None)


_FEW = 10
"""Relations for each link from which the links count as none."""


def unadopted_relations(reader: Reader, rules: Rules) -> Iterator[Finding]:
    """Legacy relations in a graph that has hardly any links: nothing walks them until adopted."""
    rows = unlinked_by_source(reader)
    if sum(row["size"] for row in rows) < _FEW * max(1, count_links(reader)):
        return
    for row in rows:
        name = text(row["name"])
        yield Finding(
            "unadopted_relations", "warning", (row["id"],), row["id"], name,
            f"{counted(row['size'], 'relation')} of “{name}” can't be walked",
            fix(reader, "adopt_relations", entity=row["id"]))
