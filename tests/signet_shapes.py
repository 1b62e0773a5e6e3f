"""Signet's indexes and full texts, which decide what it costs to read one of its files."""

import sqlite3
from pathlib import Path

from tests.contracts.files import OLD, add_later

INDEXES = {
    "idx_entities_canonical_name": "entities(canonical_name)",
    "idx_entities_agent": "entities(agent_id)",
    "idx_entities_pinned": "entities(agent_id, pinned, pinned_at DESC)",
    "idx_entity_aspects_entity": "entity_aspects(entity_id)",
    "idx_entity_aspects_agent": "entity_aspects(agent_id)",
    "idx_entity_aspects_weight": "entity_aspects(weight DESC)",
    "idx_entity_attributes_aspect": "entity_attributes(aspect_id)",
    "idx_entity_attributes_agent": "entity_attributes(agent_id)",
    "idx_entity_attributes_kind": "entity_attributes(kind)",
    "idx_entity_attributes_status": "entity_attributes(status)",
    "idx_entity_dependencies_source": "entity_dependencies(source_entity_id)",
    "idx_entity_dependencies_target": "entity_dependencies(target_entity_id)",
    "idx_entity_dependencies_agent": "entity_dependencies(agent_id)",
    "idx_memory_entity_mentions_entity": "memory_entity_mentions(entity_id)",
    "idx_memories_created": "memories(created_at DESC)",
    "idx_memories_importance": "memories(importance DESC)",
    "idx_memories_is_deleted": "memories(is_deleted)",
    "idx_memories_type": "memories(type)",
    "idx_relations_source": "relations(source_entity_id)",
    "idx_relations_target": "relations(target_entity_id)",
    "idx_task_meta_agent": "task_meta(agent_id)",
    "idx_task_meta_status": "task_meta(status)",
}
"""Those of both generations; signet.md, section a."""
LATER = {
    "idx_entities_order": "entities(agent_id, pinned DESC, pinned_at DESC, mentions DESC,"
                          " updated_at DESC, name)",
    "idx_entities_status": "entities(agent_id, status, updated_at DESC)",
    "idx_entities_source": "entities(agent_id, source_id, source_path)",
    "idx_entities_proposal": "entities(agent_id, proposal_id)",
    "idx_entity_aspects_status": "entity_aspects(agent_id, entity_id, status)",
    "idx_entity_aspects_proposal": "entity_aspects(agent_id, proposal_id)",
    "idx_entity_attributes_claim_key":
        "entity_attributes(agent_id, aspect_id, claim_key, status) WHERE claim_key IS NOT NULL",
    "idx_entity_attributes_group_key":
        "entity_attributes(agent_id, aspect_id, group_key, status) WHERE group_key IS NOT NULL",
    "idx_entity_attributes_group_claim":
        "entity_attributes(agent_id, aspect_id, group_key, claim_key, status)"
        " WHERE claim_key IS NOT NULL",
    "idx_entity_attributes_source": "entity_attributes(agent_id, source_id, source_path)",
    "idx_entity_attributes_proposal": "entity_attributes(agent_id, proposal_id)",
    "idx_entity_attributes_version_root":
        "entity_attributes(agent_id, version_root_id, version DESC)",
    "idx_entity_attributes_claim_version":
        "entity_attributes(agent_id, aspect_id, group_key, claim_key, version DESC)",
    "idx_entity_dependencies_source_origin":
        "entity_dependencies(agent_id, source_id, source_path)",
    "idx_entity_dependencies_proposal": "entity_dependencies(agent_id, proposal_id)",
    "idx_entity_dependencies_status": "entity_dependencies(agent_id, status, updated_at DESC)",
    "idx_ontology_proposals_agent_status":
        "ontology_proposals(agent_id, status, updated_at DESC)",
    "idx_ontology_proposals_agent_operation":
        "ontology_proposals(agent_id, operation, updated_at DESC)",
    "idx_ontology_proposals_source": "ontology_proposals(agent_id, source_kind, source_id)",
    "idx_entity_aliases_entity": "entity_aliases(agent_id, entity_id, status)",
    "idx_entity_aliases_lookup": "entity_aliases(agent_id, canonical_alias, status)",
    "idx_epistemic_assertions_agent_entity":
        "epistemic_assertions(agent_id, subject_entity_id, status, asserted_at DESC)",
    "idx_epistemic_assertions_agent_speaker":
        "epistemic_assertions(agent_id, speaker, asserted_at DESC)",
    "idx_epistemic_assertions_agent_predicate":
        "epistemic_assertions(agent_id, predicate, status, asserted_at DESC)",
    "idx_epistemic_assertions_agent_source":
        "epistemic_assertions(agent_id, source_kind, source_id)",
    "idx_epistemic_assertions_claim": "epistemic_assertions(agent_id, claim_attribute_id)",
}
"""Those that only the later generation has."""
FULL_TEXTS = (("memories_fts", "memories", "content"),
              ("entities_fts", "entities", "name, canonical_name"))
TABLES = ("entities", "entity_aspects", "memories", "entity_attributes", "entity_dependencies",
          "memory_entity_mentions")


def add_indexes(connection: sqlite3.Connection, *, later: bool) -> None:
    """Give a file of `tests.contracts.files` the indexes and full texts of its generation."""
    for name, on in (INDEXES | LATER if later else INDEXES).items():
        connection.execute(f"CREATE INDEX {name} ON {on}")
    for name, table, columns in FULL_TEXTS if later else FULL_TEXTS[:1]:
        connection.execute(f"CREATE VIRTUAL TABLE {name} USING fts5({columns}, content={table},"
                           " content_rowid=rowid)")
        connection.execute(f"INSERT INTO {name} ({name}) VALUES ('rebuild')")


def as_signet(native: Path, path: Path, *, later: bool) -> Path:
    """The entities, values, links and memories of a native graph as a Signet file at `path`.

    Signet makes no memory of a value, and gathers no statistics for SQLite.
    """
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA synchronous = OFF")
    connection.executescript(OLD)
    if later:
        add_later(connection)
    connection.execute("ATTACH ? AS native", (str(native),))
    connection.execute("BEGIN")
    for table in TABLES:
        theirs = {row[1] for row in connection.execute(f"PRAGMA native.table_info({table})")}
        columns = [row[1] for row in connection.execute(f"PRAGMA main.table_info({table})")
                   if row[1] in theirs]
        values = ["lower(content)" if name == "normalized_content" else name for name in columns]
        key = {"memories": "id", "memory_entity_mentions": "memory_id"}.get(table)
        unless = f" WHERE {key} NOT IN (SELECT id FROM native.entity_attributes)" if key else ""
        connection.execute(f"INSERT INTO {table} ({', '.join(columns)})"
                           f" SELECT {', '.join(values)} FROM native.{table}{unless}")
    connection.execute("COMMIT")
    add_indexes(connection, later=later)
    connection.close()
    return path
