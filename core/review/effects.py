"""Summarises the effect of a change: what is added, removed and changed."""

from collections.abc import Callable, Iterable, Mapping
from typing import Literal

from msgspec import Struct

from core.model.changes import RowChange
from core.model.names import spoken
from core.model.text_formatting import one_line
from core.model.times import day_words
from core.queries.row_names import Labels
from core.queries.rows_to_model import text, whole
from core.review.row_differences import NOUNS, QUOTED, kind_word, link_title

Sign = Literal["+", "−", "~"]
Row = Mapping[str, object]
LISTED = 3
"""Rows of one kind that happen the same way are counted beyond this many."""

PLURALS = {"entity": "entities", "memory": "memories", "alias": "aliases",
           "position in the sky": "positions in the sky"}
VERBS = {"+": ("appears", "appear"), "−": ("goes", "go"), "~": ("changes", "change")}


class Effect(Struct, frozen=True):
    """One line: `+` added, `−` removed, `~` changed."""

    sign: Sign
    text: str
    table: str = ""


def effects(changes: Iterable[RowChange], labels: Labels) -> tuple[Effect, ...]:
    """The effects of the changed rows, additions first; the proposal's own row is not an effect."""
    every = [effect for change in changes
             if change.table in NOUNS and change.table != "ontology_proposals"
             and (effect := _effect(change, labels))]
    order = list(NOUNS)
    every.sort(key=lambda effect: ("+−~".index(effect.sign), order.index(effect.table)))
    kinds: dict[tuple[str, str], list[Effect]] = {}
    for effect in every:
        kinds.setdefault((effect.sign, effect.table), []).append(effect)
    return tuple(line for same in kinds.values() for line in _counted(same))


def _counted(same: list[Effect]) -> list[Effect]:
    if len(same) <= LISTED:
        return same
    first = same[0]
    noun = NOUNS[first.table]
    plural = PLURALS.get(noun, f"{noun}s")
    return [Effect(first.sign, f"{len(same)} {plural} {VERBS[first.sign][1]}", first.table)]


def _effect(change: RowChange, labels: Labels) -> Effect | None:
    say = _SAYERS.get(change.table, _other)
    return say(change, labels)


def _value(change: RowChange, labels: Labels) -> Effect | None:
    before, after = change.before, change.after
    row = after or before or {}
    version, claim = whole(row.get("version"), 1), _claim(row, labels)
    if before is None:
        return Effect("+", f"version {version} of {claim}", change.table)
    if after is None:
        return Effect("−", f"version {version} of {claim} is removed", change.table)
    was, now = text(before.get("status", "active")), text(after.get("status", "active"))
    if was == "active" and now == "superseded":
        return Effect("−", f"version {version} of {claim} becomes superseded", change.table)
    if was == "active" and now == "deleted":
        return Effect("−", f"version {version} of {claim} is archived", change.table)
    if now == "active" and was != "active":
        return Effect("+", f"version {version} of {claim} is active again", change.table)
    if "aspect_id" in change.columns:
        claim = _claim(before, labels)
        return Effect("~", f"{claim} moves {_way(before, after, labels)}", change.table)
    return Effect("~", claim, change.table)


def _way(before: Row, after: Row, labels: Labels) -> str:
    """`from safety to setup`; between entities `to bank export`."""
    aspects = before.get("aspect_id"), after.get("aspect_id")
    owners = [labels.owner(aspect) for aspect in aspects]
    names = [labels.aspect(aspect) for aspect in aspects]
    if owners[0] == owners[1] and all(names):
        return f"from {names[0]} to {names[1]}"
    return f"to {labels.entity(owners[1])}"


def _claim(row: Row, labels: Labels) -> str:
    """The claim and whose it is: `start time of Harbor Ledger`."""
    if row.get("claim_key"):
        owner = labels.owner(row.get("aspect_id"))
        return spoken(text(row["claim_key"])) + (f" of {labels.entity(owner)}" if owner else "")
    return f"a value of {labels.aspect(row.get('aspect_id')) or 'no aspect'}"


def _entity(change: RowChange, labels: Labels) -> Effect | None:
    before, after = change.before, change.after
    if before is None:
        row = after or {}
        return Effect("+", f"{kind_word(row)} {text(row.get('name'))}", change.table)
    name = text(before.get("name"))
    if after is None:
        return Effect("−", f"{name} is removed", change.table)
    if before.get("status", "active") != after.get("status", "active"):
        gone = after.get("status") != "active"
        return Effect("−" if gone else "+", f"{name} {'is archived' if gone else 'is restored'}",
                      change.table)
    if before.get("name") != after.get("name"):
        return Effect("~", f"{name} is renamed to {text(after.get('name'))}", change.table)
    for column, words in (("pinned", ("pinned", "no longer pinned")),
                          ("muted", ("muted", "no longer muted"))):
        if before.get(column) != after.get(column):
            return Effect("~", f"{name} is {words[0] if after.get(column) else words[1]}",
                          change.table)
    if before.get("mentions") != after.get("mentions"):
        return Effect("~", f"{name}: {text(before.get('mentions'))} → "
                           f"{text(after.get('mentions'))} mentions", change.table)
    seen = set(change.columns) & {"entity_type", "description"}
    return Effect("~", name, change.table) if seen else None


def _aspect(change: RowChange, labels: Labels) -> Effect | None:
    before, after = change.before, change.after
    row = after or before or {}
    name, owner = text((before or row).get("name")), labels.entity(row.get("entity_id"))
    if before is None:
        return Effect("+", f"aspect {name} of {owner}", change.table)
    if after is None or after.get("status", "active") != before.get("status", "active"):
        back = after is not None and after.get("status", "active") == "active"
        return Effect("+" if back else "−",
                      f"aspect {name} {'is restored' if back else 'is archived'}", change.table)
    if before.get("name") != after.get("name"):
        return Effect("~", f"aspect {name} is renamed to {text(after.get('name'))}", change.table)
    if before.get("entity_id") != after.get("entity_id"):
        return Effect("~", f"aspect {name} moves to {owner}", change.table)
    return Effect("~", f"aspect {name}", change.table) if "weight" in change.columns else None


def _link(change: RowChange, labels: Labels) -> Effect | None:
    before, after = change.before, change.after
    title = link_title(after or before or {}, labels)
    if before is None:
        return Effect("+", f"link {title}", change.table)
    if after is None or after.get("status", "active") != before.get("status", "active"):
        back = after is not None and after.get("status", "active") == "active"
        return Effect("+" if back else "−", f"link {title}{' is restored' if back else ''}",
                      change.table)
    return Effect("~", f"link {title}", change.table)


def _review(change: RowChange, _labels: Labels) -> Effect | None:
    if change.after is None:
        return Effect("−", "no longer to be confirmed at a date", change.table)
    after = day_words(text(change.after.get("review_after")))
    return Effect("~" if change.before else "+", f"to be confirmed after {after}", change.table)


def _alias(change: RowChange, labels: Labels) -> Effect | None:
    row = change.after or change.before or {}
    holds = change.after is not None and change.after.get("status", "active") == "active"
    return Effect("+" if holds else "−", f"alias “{one_line(text(row.get('alias')), QUOTED)}” of "
                  f"{labels.entity(row.get('entity_id'))}", change.table)


def _task(change: RowChange, labels: Labels) -> Effect | None:
    row = change.after or change.before or {}
    name = labels.entity(row.get("entity_id"))
    if change.after is None:
        return Effect("−", f"{name} is no task any more", change.table)
    if change.before is None or "status" in change.columns:
        return Effect("~" if change.before else "+",
                      f"task {name} is {spoken(text(row.get('status')))}", change.table)
    until = text(row.get("expires_at"))
    return Effect("~", f"task {name} expires {day_words(until)}" if until
                  else f"task {name} no longer expires", change.table)


def _other(change: RowChange, labels: Labels) -> Effect | None:
    row = change.after or change.before or {}
    sign: Sign = "~" if change.before and change.after else "+" if change.after else "−"
    noun = NOUNS[change.table]
    name = labels.entities.get(text(row.get("entity_id")), "")
    if words := one_line(text(row.get("content")), QUOTED):
        return Effect(sign, f"{noun} “{words}”", change.table)
    return Effect(sign, f"{noun} of {name}" if name else noun, change.table)


_SAYERS: Mapping[str, Callable[[RowChange, Labels], Effect | None]] = {
    "entity_attributes": _value, "entities": _entity, "entity_aspects": _aspect,
    "entity_dependencies": _link, "claim_reviews": _review, "review_dates": _review,
    "entity_aliases": _alias, "other_names": _alias, "task_meta": _task,
}
