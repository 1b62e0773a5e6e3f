"""What was taken out of texts, as JSON; shared by all the ways in."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from core.extraction.extract import Written
    from core.extraction.extracted import Extracted
    from core.extraction.fold_same_proposals import Consolidation


def extracted_json(result: "Extracted", written: "Written", wrote: bool) -> dict[str, Any]:
    """What was taken out of a text and stored, in the shape of upstream's answer."""
    return {
        "items": list(result.proposals), "proposals": list(written.proposals),
        "count": len(result.proposals), "writtenCount": len(written.proposals),
        "assertions": list(result.assertions), "assertionCount": len(result.assertions),
        "writtenAssertions": list(written.assertions), "refused": list(written.refused),
        "dryRun": not wrote, "extractionMode": result.mode,
        "providerName": result.provider or None, "mentions": dict(result.mentions),
        "warnings": list(result.warnings), "questions": list(result.questions)}


def consolidated_json(result: "Consolidation", ids: tuple[str, ...], wrote: bool) -> dict[str, Any]:
    """What was folded, in the shape of upstream's answer."""
    return {"items": [{**one.request, "replaces": list(one.replaces)} for one in result.items],
            "count": len(result.items), "proposals": list(ids), "writtenCount": len(ids),
            "dryRun": not wrote, "extractionMode": result.mode,
            "warnings": list(result.warnings), "questions": list(result.questions)}
