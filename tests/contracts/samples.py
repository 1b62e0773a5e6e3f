"""One payload for each operation, which works in the world of `files`."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Sample:
    """A payload, and the generations of Signet that have no room for what it does."""

    payload: dict[str, object]
    refused_on: frozenset[str] = field(default=frozenset())


SLOT = {"entity": "Harbor Ledger", "aspect": "schedule", "group_key": "nightly",
        "claim_key": "start time"}
OLD = frozenset({"signet-030"})

class Samples(dict[str, Sample]):
    """Samples by the name of their operation."""

    def __missing__(self, name: str) -> Sample:
        raise AssertionError(
            f"The operation {name} has no sample: add {name!r}: Sample({{its payload}}) to SAMPLES"
            " in tests/contracts/samples.py, with names and ids of WORLD in"
            " tests/contracts/files.py")


SAMPLES = Samples({
    "create_entity": Sample({"name": "Night Ferry", "entity_type": "project"}),
    "rename_entity": Sample({"entity": "harbor ledger", "new_name": "Ferry Ledger"}),
    "archive_entity": Sample({"entity": "e-harbor", "reason": "finished"}, OLD),
    "restore_entity": Sample({"entity": "Spike"}, OLD),
    "merge_entities": Sample({"target_entity": "Tide API", "source_entities": ["Tides API"]}),
    "split_entity": Sample({"entity": "Harbor Ledger", "new_name": "Ferry Plan",
                            "aspects": ["Timing"], "values": ["v-raw"], "links": ["d-uses"]}),
    "pin_entity": Sample({"entity": "Harbor Ledger"}),
    "unpin_entity": Sample({"entity": "Anna"}),
    "mute_entity": Sample({"entity_id": "e-tide"}),
    "unmute_entity": Sample({"entity": "Tide API"}),
    "create_aspect": Sample({"entity": "Harbor Ledger", "name": "Budget"}),
    "rename_aspect": Sample({"entity": "Harbor Ledger", "aspect": "timing", "new_name": "Pace"}),
    "weigh_aspect": Sample({"entity": "Harbor Ledger", "aspect": "timing", "weight": 0.9}),
    "archive_aspect": Sample({"entity": "Harbor Ledger", "aspect": "Schedule"}, OLD),
    "restore_aspect": Sample({"entity": "Harbor Ledger", "aspect": "Lost"}, OLD),
    "merge_aspects": Sample(
        {"entity": "Harbor Ledger", "target": "Schedule", "sources": ["Timing"]}, OLD
    ),
    "add_claim_value": Sample({**SLOT, "value": "seven thirty"}, OLD),
    "set_claim_value": Sample({**SLOT, "value": "eight", "confidence": 0.9}, OLD),
    "supersede_claim_value": Sample({**SLOT, "old_value": "Seven", "new_value": "nine"}, OLD),
    "archive_claim_value": Sample({"attribute_id": "v-seven", "reason": "wrong"}),
    "restore_claim_version": Sample({"attribute_id": "v-six"}),
    "create_link": Sample(
        {"source_entity": "Harbor Ledger", "target_entity": "Paper Mill", "link_type": "uses",
         "target_type": "system", "reason": "receipts"}
    ),
    "update_link": Sample({"id": "d-uses", "strength": 0.9, "link_type": "depends_on"}),
    "archive_link": Sample({"id": "d-uses", "reason": "wrong"}, OLD),
    "restore_link": Sample({"id": "d-old"}, OLD),
    "adopt_relations": Sample({"entity": "Anna"}),
    "open_task": Sample({"name": "Ship the ferry", "expires_at": "2030-01-01"}),
    "update_task": Sample({"entity": "Tides API", "status": "done"}),
    "create_policy": Sample(
        {"entity": "Harbor Ledger", "policy_kind": "backups", "content": "Back up each night"},
        OLD),
    "create_action_type": Sample({"name": "Deploy"}),
    "create_interface": Sample({"name": "Ledger API"}),
    "attach_interface": Sample({"entity": "Harbor Ledger", "interface": "Ledger API"}),
    "create_alias": Sample({"entity": "Harbor Ledger", "alias": "The Book"}),
    "archive_alias": Sample({"entity": "Tide API", "alias": "Tidal"}, OLD),
    "move_claim": Sample({"attribute_id": "v-seven", "aspect": "Timing"}),
    "detach_source": Sample({"attribute_id": "v-six", "source": "m-1"}),
    "weigh_claim": Sample({"attribute_id": "v-seven", "importance": 0.9, "confidence": 0.95}),
    "set_review_date": Sample({"attribute_id": "v-seven", "review_after": "2027-03-14"}),
    "weigh_assertion": Sample({"id": "s-eight", "confidence": 0.3}, OLD),
    "create_assertion": Sample(
        {"entity": "Harbor Ledger", "predicate": "observed", "content": "It ran at seven",
         "speaker": "Anna", "attribute_id": "v-seven", "evidence": ["seen in the log"]}, OLD),
    "link_assertion": Sample({"id": "s-eight", "attribute_id": "v-raw"}, OLD),
    "supersede_assertion": Sample({"id": "s-eight", "content": "at nine",
                                   "evidence": ["seen in the log"]}, OLD),
    "archive_assertion": Sample({"id": "s-eight", "reason": "wrong"}, OLD),
    "restore_assertion": Sample({"id": "s-old"}, OLD),
    "promote_assertion": Sample({"id": "s-eight"}, OLD),
    "link_memory": Sample({"memory_id": "m-2", "entity": "Harbor Ledger"}),
    "forget_memory": Sample({"memory_id": "m-2", "reason": "noise"}),
})
"""On a file of 030 the v-six of `restore_claim_version` has no claim key, and its chain decides."""
