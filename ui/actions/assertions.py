"""What can be done with what was said of an entity: record, link, promote to a claim."""

from collections.abc import Callable, Mapping
from functools import partial

from core.model.claims_and_assertions import Assertion, Value
from ui.apply_operation import operate
from ui.context import Context
from ui.dialogs.ask_operation import ask_operation

Line = tuple[str, str, Callable[[], object]]
"""Words, sign and deed."""
RECORDED = ("predicate", "content", "speaker", "asserted_at", "evidence")
PROMOTED = ("aspect", "group_key", "claim_key", "kind")


def record_voice(context: Context, entity_id: str, value: Value | None = None) -> None:
    """Ask who said what about an entity, or about one of its values."""
    given: dict[str, object] = {"entity": entity_id}
    given |= {"attribute_id": value.id} if value is not None else {}
    title = "What is said of this claim" if value is not None else "What is said"
    ask_operation(context, "create_assertion", given, title=title, verb="Record",
                        only=RECORDED)


def lines_of(context: Context, voice: Assertion) -> list[Line]:
    """The lines of a voice's menu."""
    if voice.status == "archived":
        return [("Restore", "restore", partial(_do, context, "restore_assertion", voice))]
    lines: list[Line] = []
    if voice.status == "active":
        lines += _promoting(context, voice)
        lines.append(("Change…", "edit", partial(_change, context, voice)))
        lines.append(("Set how sure it is…", "weigh", partial(_weigh, context, voice)))
        chosen = context.selection.attribute_id
        if chosen and chosen != voice.claim_attribute_id and _is_of(context, voice):
            lines.append(("Link to the selected claim", "link", partial(
                _do, context, "link_assertion", voice, {"attribute_id": chosen})))
    lines.append(("Archive", "archive", partial(_do, context, "archive_assertion", voice)))
    return lines


def _promoting(context: Context, voice: Assertion) -> list[Line]:
    if voice.disagrees:
        return []
    if voice.claim_attribute_id:
        return [("Promote to the claim's value", "apply",
                 partial(_do, context, "promote_assertion", voice))]
    return [("Promote to a claim…", "apply", partial(_promote, context, voice))]


def _is_of(context: Context, voice: Assertion) -> bool:
    slot = context.selection.slot
    return slot is not None and slot.entity_id == voice.subject_entity_id


def _promote(context: Context, voice: Assertion) -> None:
    ask_operation(context, "promote_assertion", {"id": voice.id},
                        title="Promote to a claim", verb="Promote", only=PROMOTED)


def _change(context: Context, voice: Assertion) -> None:
    ask_operation(
        context, "supersede_assertion", {"id": voice.id},
        {"content": voice.content, "predicate": voice.predicate, "speaker": voice.speaker or ""},
        title="Put this in its place", only=("content", "predicate", "speaker", "evidence"))


def _weigh(context: Context, voice: Assertion) -> None:
    ask_operation(context, "weigh_assertion", {"id": voice.id},
                        {"confidence": f"{voice.confidence:g}"}, title="How sure it is",
                        verb="Set", only=("confidence",))


def _do(
    context: Context, operation: str, voice: Assertion, more: Mapping[str, object] | None = None
) -> None:
    operate(context, operation, {"id": voice.id, **(more or {})})
