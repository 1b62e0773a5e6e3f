"""Lists what in a file could not be read as the graph it should be, row by row."""

from collections.abc import Callable, Iterator
from functools import partial

from msgspec import Struct

from core.errors import Damaged
from core.store.database import Row, in_words
from core.store.harmful_triggers import harmful_triggers
from core.store.malformed_fields import wrong_fields, wrong_tables
from core.store.migrate import native_columns
from core.store.reader_and_writer import Reader

AT_MOST = 500
"""Rows listed per rule."""

DAMAGE_AT_MOST = 20
"""Complaints about damaged pages; one lost page is the cause of many."""


class Problem(Struct, frozen=True):
    """One row that is not as it should be: shown and counted, never hidden, never repaired."""

    table: str
    row: str
    field: str
    what: str


_DANGLING = (
    ("entity_aspects", "entity_id", "entities", "belongs to an entity that is not in the file"),
    ("entity_attributes", "aspect_id", "entity_aspects", "belongs to an aspect that is not in the "
                                                         "file"),
    ("entity_attributes", "memory_id", "memories", "refers to a memory that is not in the file"),
    ("entity_dependencies", "source_entity_id", "entities", "starts at a deleted entity"),
    ("entity_dependencies", "target_entity_id", "entities", "ends at an entity that is not in the "
                                                            "file"),
    ("epistemic_assertions", "subject_entity_id", "entities", "is about a deleted entity"),
)

_JSON = (("ontology_proposals", "payload"), ("ontology_proposals", "evidence"),
         ("epistemic_assertions", "evidence"))


_Rule = tuple[str, str, str, Callable[[Row], str]]
"""The table, the field, the statement that finds rows with `id`, and what is wrong with one."""


def find_problems(reader: Reader) -> tuple[Problem, ...]:
    """Every row of the agent that dangles, has no readable name, JSON or number, and every
    damaged part of the file.

    Reads each table once; meant for a background thread and for `constellation info`.
    """
    problems = [*_damage(reader), *_harm(reader), *_tables(reader), *_fields(reader)]
    for table, field, sql, what in _rules(reader):
        try:
            rows = reader.rows(f"{sql} LIMIT :most", most=AT_MOST)
        except Damaged as error:
            problems.append(Problem(table, "", field, f"can't be read completely: {error.detail}"))
            continue
        problems += [Problem(table, str(row["id"]), field, what(row)) for row in rows]
    return tuple(problems)


def _damage(reader: Reader) -> Iterator[Problem]:
    """What SQLite's own check complains of."""
    try:
        complaints = [
            str(row[0]) for row in reader.rows(f"PRAGMA main.quick_check({DAMAGE_AT_MOST})")]
    except Damaged as error:
        complaints = [error.detail]
    for line in "\n".join(complaints).splitlines():
        if line != "ok" and not line.startswith("***"):
            yield Problem("", "", "", f"the file is damaged: {line}")


def _harm(reader: Reader) -> Iterator[Problem]:
    with in_words(reader.path):
        for name, table in harmful_triggers(reader.connection):
            yield Problem(table, "", "", f"has a trigger, {name}, that makes the file unsafe to "
                                         "write; it is only read")


def _tables(reader: Reader) -> Iterator[Problem]:
    with in_words(reader.path):
        for table, field, what in wrong_tables(reader):
            yield Problem(table, "", field, what)


def _fields(reader: Reader) -> Iterator[Problem]:
    for table in native_columns():
        try:
            for row, field, what in wrong_fields(reader, table, AT_MOST):
                yield Problem(table, row, field, what)
        except Damaged as error:
            yield Problem(table, "", "", f"can't be read completely: {error.detail}")


def _rules(reader: Reader) -> Iterator[_Rule]:
    for table, column, target, what in _DANGLING:
        yield (table, column,
               f"SELECT t.id, t.{column} AS missing FROM {table} AS t "
               f"WHERE t.agent_id = :agent AND t.{column} IS NOT NULL "
               f"AND NOT EXISTS (SELECT 1 FROM {target} AS o WHERE o.id = t.{column})",
               partial(_lost, what))
    for table, column in _JSON:
        yield (table, column,
               f"SELECT id FROM {table} WHERE agent_id = :agent AND NOT json_valid({column})",
               lambda row: "is not JSON; read as empty")
    yield ("entities", "name",
           "SELECT id FROM entities WHERE agent_id = :agent AND trim(name) = ''",
           lambda row: "has no name")
    yield ("entity_attributes", "kind",
           "SELECT id, kind FROM entity_attributes WHERE agent_id = :agent "
           "AND kind NOT IN ('attribute', 'constraint')",
           lambda row: f"has an unknown kind: {row['kind']}")
    yield ("entities", "canonical_name",
           "SELECT e.id FROM entities AS e JOIN entities AS o ON o.agent_id = e.agent_id "
           "AND o.canonical_name = name_key(e.canonical_name) AND o.id <> e.id "
           "WHERE e.agent_id = :agent AND e.canonical_name <> name_key(e.canonical_name)",
           lambda row: "is the name of another entity in another spelling; merge the two by id")
    if reader.kind == "signet" and reader.has_column("entities", "canonical_name"):
        yield ("entities", "canonical_name",
               "SELECT id FROM main.entities WHERE agent_id = :agent "
               "AND canonical_name IS NULL",
               lambda row: "is NULL; the name is used instead")


def _lost(what: str, row: Row) -> str:
    return f"{what}: {row['missing']}"
