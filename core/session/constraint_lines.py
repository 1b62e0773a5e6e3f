"""The constraints of an injected text: whole while there is room, then the farthest shortened."""

from collections.abc import Sequence

from msgspec import Struct

from core.model.session_start_and_end import Budget
from core.model.walk import Focal, WalkedConstraint
from core.session.budget import SHORTEST, cut, shortened
from core.session.lines_and_sections import one_line, section

TITLE = "## Active Constraints"
ALWAYS = "Constraints for entities in scope. These always apply."
COMMAND = "constellation knowledge entity NAME"
SHORTENED = f"Those that end in … are shortened; read them whole with “{COMMAND}”."
NAMES = 120
"""Characters for the names of the entities whose constraints had no room."""
_FIRST = ("pinned", "asked", "query", "rule")
"""Reasons of focal entities whose constraints are shortened last."""


class ConstraintLines(Struct, frozen=True):
    """The constraints as they are injected.

    Attributes:
        lines: one line each, in their order.
        ids: those of the constraints that they are of.
        section: the whole section, with what is to be said of those that are not whole.
        shortened: how many are shortened.
        left_out: how many had no room even so.
    """

    lines: tuple[str, ...]
    section: str
    budget: Budget
    shortened: int = 0
    left_out: int = 0
    ids: tuple[str, ...] = ()


def needed(constraints: Sequence[WalkedConstraint]) -> int:
    """The characters of the section with every constraint whole."""
    return len(_section([_line(each, one_line(each.content)) for each in constraints]))


def least(constraints: Sequence[WalkedConstraint]) -> int:
    """The characters of the section with every constraint as short as it may be."""
    lines = [_line(each, one_line(each.content)[:SHORTEST]) for each in constraints]
    return min(len(_section(lines, (SHORTENED,))), needed(constraints))


def fit_constraints(
    constraints: Sequence[WalkedConstraint], focal: Focal, own: int, most: int
) -> ConstraintLines:
    """All constraints within `most` characters.

    They are whole if they fit. Else those farthest from what the session is about are shortened,
    the least important first, and the section tells how to read them. Where not even that is enough
    they are counted, with the command that prints them: the limit of the whole text holds.

    Args:
        own: their own budget in characters, for the record; 0 for no limit.
    """
    texts = [one_line(each.content) for each in constraints]
    lack = max(needed(constraints) - most, 0)
    if not lack:
        return _fitted(constraints, texts, (), own)
    order = _farthest_first(constraints, focal)
    shorter = shortened(texts, order, lack + len(SHORTENED) + 2)
    gone = _without_room(constraints, shorter, order, most)
    hints = (SHORTENED, _left_out([constraints[at].entity_name for at in gone]))
    kept = sorted(set(order) - set(gone))
    return _fitted([constraints[at] for at in kept], [shorter[at] for at in kept],
                   hints[:2 if gone else 1], own, lack,
                   sum(shorter[at] != texts[at] for at in kept), len(gone))


def _fitted(
    constraints: Sequence[WalkedConstraint], texts: Sequence[str], hints: Sequence[str], own: int,
    lack: int = 0, shortened: int = 0, left_out: int = 0,
) -> ConstraintLines:
    lines = tuple(_line(*pair) for pair in zip(constraints, texts, strict=True))
    whole = _section(lines, hints)
    more = max(len(whole) - own, 0) if own else 0
    return ConstraintLines(lines, whole, Budget(len(whole), own, more, lack), shortened, left_out,
                           tuple(each.id for each in constraints))


def _without_room(
    constraints: Sequence[WalkedConstraint], texts: Sequence[str], order: Sequence[int], most: int
) -> list[int]:
    """The indices of those that do not even fit shortened, the farthest first."""
    lines = [_line(*pair) for pair in zip(constraints, texts, strict=True)]
    excess = len(_section(lines, (SHORTENED,))) - most
    if excess <= 0:
        return []
    excess += len(_left_out([each.entity_name for each in constraints])) + 1
    gone: list[int] = []
    for at in order:
        if excess <= 0:
            break
        gone.append(at)
        excess -= len(lines[at]) + 1
    return gone


def _farthest_first(constraints: Sequence[WalkedConstraint], focal: Focal) -> list[int]:
    """The indices of the constraints in the order in which they are shortened."""
    first = {each.id for each in focal.entities if each.reason in _FIRST}
    asked = {rule.id for rule in focal.rules}

    def near(at: int) -> tuple[bool, int, bool, float, int]:
        each = constraints[at]
        return (each.id in asked, -len(each.path.entity_ids), each.entity_id in first,
                each.importance, -at)

    return sorted(range(len(constraints)), key=near)


def _line(constraint: WalkedConstraint, text: str) -> str:
    # The mark stands before the text, so that it is never cut.
    mark = f"[{one_line(constraint.disputed.mark)}] " if constraint.disputed else ""
    return f"- [{one_line(constraint.entity_name)}] {mark}{text}"


def _left_out(names: Sequence[str]) -> str:
    of = cut(", ".join(dict.fromkeys(map(one_line, names))), NAMES)
    return f"{len(names):,} more had no room here; read them with “{COMMAND}”: {of}"


def _section(lines: Sequence[str], hints: Sequence[str] = ()) -> str:
    """The constraints' own section; empty without any."""
    end = ("", *hints) if hints else ()
    return section(TITLE, (ALWAYS, "", *lines, *end)) if lines or hints else ""
