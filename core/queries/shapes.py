"""Rows as JSON objects in upstream's shapes, with its camelCase keys."""



from core.model.claim import Value
from core.queries.rows import json_array, number, text, whole
from core.store.database import Row

Json = dict[str, object]



def entity_json(row: Row) -> Json:
    """A row of `entities`."""
    return {
        "id": row["id"], "name": text(row["name"]), "canonicalName": text(row["canonical_name"]),
        "entityType": text(row["entity_type"]), "agentId": row["agent_id"],
        "description": row["description"], "mentions": whole(row["mentions"]),
        "pinned": bool(row["pinned"]), "pinnedAt": row["pinned_at"], "muted": bool(row["muted"]),
        "status": text(row["status"]), "archivedAt": row["archived_at"],
        "archivedBy": row["archived_by"], "archiveReason": row["archive_reason"],
        "proposalId": row["proposal_id"],
        "proposalEvidence": list(json_array(row["proposal_evidence"])),
        "createdAt": row["created_at"], "updatedAt": row["updated_at"],
    }


def counted_json(row: Row) -> Json:
    """An entity with the counts of its active rows."""
    return {
        "entity": entity_json(row), "aspectCount": row["aspect_count"],
        "attributeCount": row["attribute_count"], "constraintCount": row["constraint_count"],
        "dependencyCount": whole(row["outgoing_count"]) + whole(row["incoming_count"]),
    }


def aspect_json(row: Row) -> Json:
    """A row of `entity_aspects`."""
    return {
        "id": row["id"], "entityId": row["entity_id"], "agentId": row["agent_id"],
        "name": text(row["name"]), "canonicalName": text(row["canonical_name"]),
        "weight": number(row["weight"], 0.5), "status": text(row["status"]),
        "archivedAt": row["archived_at"], "archivedBy": row["archived_by"],
        "archiveReason": row["archive_reason"], "proposalId": row["proposal_id"],
        "createdAt": row["created_at"], "updatedAt": row["updated_at"],
    }


def attribute_json(row: Row) -> Json:
    """A row of `entity_attributes`."""
    return {
        "id": row["id"], "aspectId": row["aspect_id"], "agentId": row["agent_id"],
        "memoryId": row["memory_id"], "kind": text(row["kind"]), "content": text(row["content"]),
        "normalizedContent": text(row["normalized_content"]),
        "groupKey": row["group_key"], "claimKey": row["claim_key"],
        "confidence": number(row["confidence"]), "importance": number(row["importance"], 0.5),
        "status": text(row["status"]), "supersededBy": row["superseded_by"],
        "version": whole(row["version"], 1), "versionRootId": row["version_root_id"],
        "previousAttributeId": row["previous_attribute_id"], "sourceId": row["source_id"],
        "sourceKind": row["source_kind"], "sourcePath": row["source_path"],
        "sourceRoot": row["source_root"], "proposalId": row["proposal_id"],
        "proposalEvidence": list(json_array(row["proposal_evidence"])),
        "archivedAt": row["archived_at"], "archivedBy": row["archived_by"],
        "archiveReason": row["archive_reason"], "createdAt": row["created_at"],
        "updatedAt": row["updated_at"],
    }


def version_json(value: Value) -> Json:
    """One version of a claim."""
    return {
        "id": value.id, "version": value.version, "versionRootId": value.version_root_id,
        "previousAttributeId": value.previous_attribute_id, "content": value.content,
        "status": value.status, "confidence": value.confidence, "proposalId": value.proposal_id,
        "sourceKind": value.source_kind, "sourceId": value.source_id,
        "sourcePath": value.source_path, "createdAt": value.created_at,
        "updatedAt": value.updated_at,
    }
