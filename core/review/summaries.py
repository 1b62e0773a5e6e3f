"""Says in one short line what a proposal would do."""

from collections.abc import Mapping

from core.model.names import spoken
from core.queries.rows import first_text
from core.review.targets import Target

PREVIEW = 140


def summary(operation: str, payload: Mapping[str, object], target: Target) -> str:
    """One line for the queue, without the target's name: `Set schedule · start time`."""
    templates = {
        "create_entity": "Create {type}", "rename_entity": "Rename to {new}",
        "archive_entity": "Archive", "pin_entity": "Pin", "unpin_entity": "Unpin",
        "mute_entity": "Mute", "unmute_entity": "Unmute",
        "create_aspect": "Add aspect {aspect}", "rename_aspect": "Rename {aspect} to {new}",
        "archive_aspect": "Archive aspect {aspect}", "weigh_aspect": "Weigh {aspect}",
        "add_claim_value": "Add to {slot}", "set_claim_value": "Set {slot}",
        "supersede_claim_value": "Replace in {slot}", "archive_claim_value": "Archive {slot}",
        "restore_claim_version": "Restore {slot}",
        "create_link": "Link: {link} {other}", "update_link": "Change link: {link} {other}",
        "archive_link": "Remove link: {link} {other}", "merge_entities": "Merge with {other}",
    }
    words = {
        "type": spoken(first_text(payload, "entity_type", "type") or "entity"),
        "new": first_text(payload, "new_name", "newName") or "another name",
        "aspect": target.aspect or "", "slot": slot_words(target),
        "link": spoken(target.link_type or "related_to"), "other": target.other_name,
    }
    template = templates.get(operation)
    line = template.format(**words) if template else spoken(operation).capitalize()
    return " ".join(line.split())[:PREVIEW]


def slot_words(target: Target) -> str:
    """The slot as a person reads it: `schedule · start time`; the value's words without a key."""
    claim = spoken(target.claim_key) if target.claim_key else target.content
    return " · ".join(part for part in (target.aspect, claim) if part) or "a value"
