"""What an open transaction has changed, as listeners want to hear of it."""

from core.store.reader_and_writer import Writer
from core.store.sidecar_file import BESIDE


def touched_by(writer: Writer) -> dict[str, frozenset[str]]:
    """Tables and ids that the open transaction has changed, as listeners want to hear of them."""
    touched = writer.journal.touched()
    if writer.audit_id and writer.has_table("ontology_proposals"):
        ids = touched.get("ontology_proposals", frozenset())
        touched["ontology_proposals"] = ids | {writer.audit_id}
    if writer.kind == "native" and "entity_dependencies" in touched:
        touched["entity_dependency_history"] = frozenset()
    for table, beside in BESIDE.items():
        if beside in touched:
            touched[table] = touched[beside]
    if "muted_entities" in touched:
        touched["entities"] = touched.get("entities", frozenset()) | touched["muted_entities"]
    return touched
