"""Counts over an agent's whole graph."""

from collections.abc import Collection, Mapping

from msgspec.structs import asdict, replace

from core.model.entity import Agent, Counts
from core.queries.rows_to_model import MEMORY_VISIBLE, text, whole
from core.store.reader_and_writer import Reader, Writer

_OF_ENTITIES = """
SELECT
 (SELECT COUNT(*) FROM entities
  WHERE {own}agent_id = :agent AND status = 'active'{only}) AS entities,
 (SELECT COUNT(*) FROM entities
  WHERE {own}agent_id = :agent AND status = 'archived'{only}) AS archived,
 (SELECT COUNT(*) FROM entities
  WHERE {own}agent_id = :agent AND status = 'active' AND pinned = 1{only}) AS pinned,
 (SELECT COUNT(*) FROM entities
  WHERE {own}agent_id = :agent AND status = 'active' AND muted = 1{only}) AS muted"""
_OF_ASPECTS = """
SELECT COUNT(*) AS aspects FROM entity_aspects
WHERE {own}agent_id = :agent AND status = 'active'{only}"""
HIDDEN_ASPECTS = """
  SELECT s.id FROM (
    SELECT entity_id, status FROM entity_aspects WHERE agent_id = :agent
    GROUP BY entity_id, status) g
  CROSS JOIN entity_aspects s ON s.entity_id IS g.entity_id AND s.status IS g.status
  WHERE s.agent_id = :agent AND (g.status <> 'active' OR NOT EXISTS (
    SELECT 1 FROM entities e
    WHERE e.id = g.entity_id AND +e.agent_id = :agent AND +e.status = 'active'))"""
"""Those whose values are not seen: they were archived, or their entity was or is gone."""
_OF_VALUES = f"""
WITH hidden AS ({HIDDEN_ASPECTS}),
counted AS (
  SELECT kind, COUNT(*) AS many FROM entity_attributes
  WHERE agent_id = :agent AND status = 'active' GROUP BY kind
  UNION ALL SELECT v.kind, -COUNT(*) FROM hidden h
  CROSS JOIN entity_attributes v ON v.aspect_id = h.id
  WHERE +v.agent_id = :agent AND v.status = 'active' GROUP BY v.kind
  UNION ALL SELECT kind, -COUNT(*) FROM entity_attributes
  WHERE aspect_id IS NULL AND +agent_id = :agent AND status = 'active' GROUP BY kind)
SELECT COALESCE(SUM(many) FILTER (WHERE kind = 'attribute'), 0) AS attributes,
  COALESCE(SUM(many) FILTER (WHERE kind = 'constraint'), 0) AS constraints FROM counted"""
"""Those that can be seen: of an aspect and an entity that were not archived.

All are counted along an index, and those taken off that belong to what was archived or is gone.
"""
_VALUES_AMONG = """
SELECT COALESCE(SUM(v.kind = 'attribute'), 0) AS attributes,
  COALESCE(SUM(v.kind = 'constraint'), 0) AS constraints
FROM entity_attributes v WHERE v.id IN (
  SELECT value FROM json_each(:ids)
  UNION ALL SELECT o.id FROM json_each(:aspects) f CROSS JOIN entity_attributes o
    ON o.aspect_id = f.value
  UNION ALL SELECT o.id FROM json_each(:entities) f CROSS JOIN entity_aspects s
    ON s.entity_id = f.value CROSS JOIN entity_attributes o ON o.aspect_id = s.id)
  AND +v.agent_id = :agent AND +v.status = 'active' AND v.aspect_id IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM entity_aspects s
    WHERE s.id = v.aspect_id AND +s.agent_id = :agent AND (s.status <> 'active' OR NOT EXISTS (
      SELECT 1 FROM entities e
      WHERE e.id = s.entity_id AND +e.agent_id = :agent AND +e.status = 'active')))"""
"""The same of some values, and of those of some aspects and entities."""
_OF_LINKS = """
SELECT COUNT(*) AS dependencies FROM entity_dependencies
WHERE {own}agent_id = :agent AND status = 'active'{only}"""
COUNT_MEMORIES = f"""
SELECT COUNT(*) AS memories FROM memories m
WHERE {MEMORY_VISIBLE} AND COALESCE(m.is_deleted, 0) = 0
  AND COALESCE(m.source_type, '') <> 'claim'"""
_OF_PROPOSALS = """
SELECT COUNT(*) AS pending FROM ontology_proposals
WHERE {own}agent_id = :agent AND status = 'pending'{only}"""
_OF_ASSERTIONS = """
SELECT COUNT(*) AS assertions FROM epistemic_assertions
WHERE {own}agent_id = :agent AND status = 'active'{only}"""
_OF_TASKS = "SELECT COUNT(*) AS tasks FROM task_meta WHERE {own}agent_id = :agent{only}"
_COUNTS = (
    (_OF_ENTITIES, ("entities",)),
    (_OF_ASPECTS, ("entity_aspects",)),
    (_OF_VALUES, ("entity_attributes", "entity_aspects", "entities")),
    (_OF_LINKS, ("entity_dependencies",)),
    (f"{COUNT_MEMORIES}{{only}}", ("memories", "agents")),
    (_OF_PROPOSALS, ("ontology_proposals",)),
    (_OF_ASSERTIONS, ("epistemic_assertions",)),
    (_OF_TASKS, ("task_meta",)),
)
"""The statements, each with the tables that it counts in. Those with `only` may be narrowed down to
some rows, which are then not looked for along an index of the agent (`own`)."""
_ONLY = " AND {key} IN (SELECT value FROM json_each(:ids))"
_KEYS = {"task_meta": "entity_id"}
"""What names a row of a table where that is not `id`."""
_PLACED = frozenset(("status", "agent_id", "entity_id"))
"""The columns of aspects and entities that tell whether the values under them are seen."""
FEW = 1000
"""Touched rows up to which the change they make is counted, instead of all."""
COUNTED = frozenset(table for _, tables in _COUNTS for table in tables)
"""After a change of any of these there may be other counts."""

_AGENTS = """
SELECT agents.id AS id, MAX(agents.name) AS name, SUM(agents.entities) AS entities FROM (
  SELECT agent_id AS id, NULL AS name, SUM(status = 'active') AS entities FROM entities
   GROUP BY agent_id
  UNION ALL SELECT id, name, 0 FROM agents
  UNION ALL SELECT :agent, NULL, 0
) agents WHERE agents.id IS NOT NULL GROUP BY agents.id
ORDER BY SUM(agents.entities) DESC, agents.id
"""
_ANYTHING = """
SELECT EXISTS (SELECT 1 FROM entities WHERE agent_id = :agent)
 OR EXISTS (SELECT 1 FROM memories WHERE agent_id = :agent)
 OR EXISTS (SELECT 1 FROM ontology_proposals WHERE agent_id = :agent)
"""


def counts(
    reader: Reader, before: Counts | None = None, touched: Collection[str] = COUNTED,
    apart: Collection[str] = (),
) -> Counts:
    """Counts of each kind of row in the agent's graph.

    Args:
        before: the counts before a change.
        touched: the tables that it has touched; all else is as before.
        apart: the tables whose own rows are counted elsewhere.
    """
    numbers: dict[str, int] = {}
    for statement, tables in _COUNTS:
        if tables[0] not in apart and (
                before is None or not frozenset(tables).isdisjoint(touched)):
            numbers |= _numbers(reader, statement.format(own="", only=""))
    return replace(before or Counts(), **numbers)


def count_change(
    before: Reader, writer: Writer, touched: Mapping[str, Collection[str]]
) -> Counts | None:
    """What an open transaction adds to each count: of the rows that it touched, as it leaves them
    and as others still see them. None where only counting anew tells.

    Args:
        before: sees the graph as it was, for the agent whose counts are meant.
        touched: the keys of those rows by their tables, none where they are many.
    """
    tables = COUNTED.intersection(touched)
    if "agents" in tables or not all(touched[table] for table in tables) or sum(
            len(touched[table]) for table in tables) > FEW:
        return None
    rows = {table: touched[table] for table in tables} | _moved(writer)
    was, now = (_among(reader, before.agent, rows) for reader in (before, writer))
    return Counts(**{name: now[name] - was[name] for name in now})


def _moved(writer: Writer) -> dict[str, set[str]]:
    """The aspects and entities under which values may have come to be seen, or gone."""
    moved: dict[str, set[str]] = {"aspects": set(), "entities": set()}
    for change in writer.journal.changes_since(0, ("entity_aspects", "entities")):
        if change.before is None or change.after is None or _PLACED.intersection(change.columns):
            moved[change.table.removeprefix("entity_")].add(str(change.key[0]))
    return {f"moved {table}": ids for table, ids in moved.items()}


def _among(reader: Reader, agent: str, rows: Mapping[str, Collection[str]]) -> dict[str, int]:
    """The counts of some rows."""
    numbers = asdict(Counts()) | _numbers(
        reader, _VALUES_AMONG, agent=agent, ids=rows.get("entity_attributes", ()),
        aspects=rows["moved aspects"], entities=rows["moved entities"])
    for statement, (table, *_) in _COUNTS:
        if rows.get(table) and "{only}" in statement:
            few = statement.format(own="+", only=_ONLY.format(key=_KEYS.get(table, "id")))
            numbers |= _numbers(reader, few, agent=agent, ids=rows[table])
    return numbers


def _numbers(reader: Reader, statement: str, **given: object) -> dict[str, int]:
    row = reader.rows(statement, **given)[0]
    return {name: whole(row[name]) for name in row.keys()}  # noqa: SIM118


def added(first: Counts, second: Counts) -> Counts:
    """Both together."""
    more = asdict(second)
    return Counts(**{name: number + more[name] for name, number in asdict(first).items()})


def type_counts(reader: Reader, *, status: str = "active") -> dict[str, int]:
    """How many entities there are of each type, most first; of any status if it is empty."""
    return dict(reader.once(f"types of {reader.agent} {status}",
                            lambda: _type_counts(reader, status)))


def _type_counts(reader: Reader, status: str) -> dict[str, int]:
    of_status = " AND status = :status" if status else ""
    rows = reader.rows(
        f"SELECT entity_type, COUNT(*) AS n FROM entities WHERE agent_id = :agent{of_status}"
        " GROUP BY entity_type ORDER BY n DESC, entity_type", status=status)
    return {text(row["entity_type"]) or "unknown": row["n"] for row in rows}


def list_agents(reader: Reader) -> list[Agent]:
    """The agents with rows in the file, and the current one; most entities first.

    This is the one read that looks beyond the agent: the agent switch needs their names.
    """
    return [Agent(text(row["id"]), text(row["name"]) or text(row["id"]), row["entities"])
            for row in reader.rows(_AGENTS)]


def other_agents(reader: Reader) -> tuple[str, ...]:
    """If the agent has no data: the agents with entities here, most first."""
    if reader.value(_ANYTHING):
        return ()
    return tuple(agent.id for agent in list_agents(reader) if agent.entities)
