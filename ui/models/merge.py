"""What a person chooses in a merge: one way for each claim that collides."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Literal

from msgspec import Struct

from core.model.names import spoken
from core.model.text_formatting import one_line
from core.ontology import control
from core.ontology.proposals import Outcome
from core.queries.row_names import labels_of
from core.review.effects import Effect, effects
from core.review.merge_conflicts import Colliding, MergePlan, Side
from core.store.reader_and_writer import Writer
from core.workspace import Workspace

Way = Literal["keep", "newer", "both", "own"]
QUOTED = 60
"""Characters of a value in the words of a choice."""
NAMED = 40


class Option(Struct, frozen=True):
    """One way to settle a claim; `id` is the value that holds by it."""

    way: Way
    id: str
    words: str


def title_of(claim: Colliding) -> str:
    """Where the claim is: `schedule · start time`."""
    group = spoken(claim.group_key) if claim.group_key != "general" else ""
    return " · ".join(part for part in (claim.aspect, group, spoken(claim.claim_key)) if part)


def options_of(claim: Colliding) -> tuple[Option, ...]:
    """The ways to settle a claim; the first is taken unless another is chosen, and loses nothing.

    A rule is never taken back by an attribute unless a person says so.
    """
    rules = [side for side in claim.values if side.kind == "constraint"]
    holds = rules[0] if rules and len(rules) < len(claim.values) else claim.newest
    which = "the rule" if holds in rules and len(rules) < len(claim.values) else "the newer"
    return (
        Option("newer", holds.id, f"Both as versions; {which} holds: “{_words(holds)}”"),
        *(Option("keep", side.id, f"Only what {one_line(side.entity_name, NAMED)} says: "
                                  f"“{_words(side)}”") for side in claim.values),
        Option("both", "", "Both stay in force"),
        Option("own", holds.id, "Own words…"),
    )


def _words(side: Side) -> str:
    return one_line(side.content, QUOTED)


class Choice(Struct, frozen=True):
    """The way that was chosen for one claim; `text` holds the person's own words."""

    option: Option
    text: str = ""


def payload_of(plan: MergePlan, choices: Sequence[Choice]) -> dict[str, object]:
    """The payload of `merge_entities`; own words that are empty leave both in force."""
    by_way: dict[Way, list[str]] = {"keep": [], "newer": [], "own": []}
    for choice in choices:
        option, text = choice.option, choice.text.strip()
        if option.way == "own" and text:
            by_way["own"].append(f"{option.id}={text}")
        elif option.way in ("keep", "newer"):
            by_way[option.way].append(option.id)
    lists = {f"{way}_values": ids for way, ids in by_way.items() if ids}
    return {"target_entity_id": plan.target.id,
            "source_entity_ids": [one.id for one in plan.sources], **lists}


def merged(writer: Writer, payload: Mapping[str, object]) -> Outcome:
    """Merge as the payload says, whatever speaks against it."""
    return control.apply(writer, "merge_entities", payload, force=True)


def try_merge(workspace: Workspace, payload: Mapping[str, object]) -> tuple[Effect, ...]:
    """What the merge would do, from a dry run."""
    rehearsal = workspace.rehearse(partial(merged, payload=payload))
    changes = [one for one in rehearsal.changes if one.table != "ontology_proposals"]
    with workspace.read() as reader:
        labels = labels_of(reader, changes)
    return effects(changes, labels)
