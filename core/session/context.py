"""The text injected at a session start: memories, constraints, recovery.

What comes from the graph is put on one line each, so that no memory can pass for a heading or for
a constraint.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.model.session import Budget, Checkpoint, SessionCandidate
from core.model.walk import WalkedConstraint
from core.session.budget import ELLIPSIS, fitting, shortened, taken

HEADER = "[memory active | /remember | /recall]"
MEMORIES = "## Relevant Memories"
EXPECTED = "## Expected Next"
CONSTRAINTS = "## Active Constraints"
ALWAYS = "Constraints for entities in scope. These always apply."
RECOVERY = "## Session Recovery"
TRUNCATED = "[context truncated]"
_ENDED = f"\n{TRUNCATED}\n"
_BREAKS = re.compile("[\x00-\x20\x7f-\xa0\u2028\u2029]+")
_CONTROLS = re.compile("[\u202a-\u202e\u2066-\u2069]")


def one_line(text: str) -> str:
    """The text on one line, without signs that turn the line around."""
    return _BREAKS.sub(" ", _CONTROLS.sub("", text)).strip()


@dataclass(frozen=True, slots=True)
class Fitted:
    """Lines that were fitted into their budget; `places` are the indices of their texts."""

    lines: tuple[str, ...]
    places: tuple[int, ...]
    budget: Budget


def fit_memories(candidates: Sequence[SessionCandidate], room: int, kept: int = 0) -> Fitted:
    """The memories that fit, in order; one that does not fit is skipped.

    Args:
        kept: characters of the budget lent to others.
    """
    texts = [one_line(each.content) for each in candidates]
    places = fitting([len(text) for text in texts], room - kept)
    return Fitted(tuple(f"- {texts[place]}" for place in places), places,
                  Budget(sum(len(texts[place]) for place in places), room))


def to_lend(candidates: Sequence[SessionCandidate], room: int) -> int:
    """What the memories leave of their room, up to the first that does not fit: what comes behind
    it can wait for what nobody else needs."""
    lengths = [len(one_line(each.content)) for each in candidates]
    return room - sum(lengths[:taken(lengths, room)])


def fit_constraints(
    constraints: Sequence[WalkedConstraint], room: int, spare: int = 0
) -> Fitted:
    """All constraints, shortened evenly if their section exceeds its budget.

    Without any room they are never shortened (as in the seeds, 0 means no limit).

    Args:
        spare: characters they may borrow if they need more than `room`.
    """
    names = [one_line(each.entity_name) for each in constraints]
    texts = [one_line(each.content) for each in constraints]
    lines = [_bullet(*pair) for pair in zip(names, texts, strict=True)]
    whole = len(constraint_section(lines))
    lent = min(max(whole - room, 0), spare) if room else 0
    if room and whole > room + lent:
        texts = shortened(texts, room + lent - whole + sum(map(len, texts)))
        lines = [_bullet(*pair) for pair in zip(names, texts, strict=True)]
    used = len(constraint_section(lines))
    return Fitted(tuple(lines), tuple(range(len(lines))),
                  Budget(used, room, min(lent, max(used - room, 0))))


def _bullet(name: str, text: str) -> str:
    return f"- [{name}] {text}"


def constraint_section(lines: Sequence[str]) -> str:
    """The constraints' own section; empty without any."""
    return _section(CONSTRAINTS, (ALWAYS, "", *lines)) if lines else ""


def recovery_section(checkpoint: Checkpoint | None, room: int) -> str:
    """The last session's checkpoint, its structure first if it must be cut."""
    if checkpoint is None or not room:
        return ""
    lines = [kept for line in checkpoint.digest.splitlines() if (kept := one_line(line))]
    if not lines:
        return ""
    section = _section(RECOVERY, lines)
    return section if len(section) <= room else _cut(section, room, ELLIPSIS)


def assemble(
    memories: Iterable[str], expected: Iterable[str], constraints: str, recovery: str, most: int
) -> str:
    """The whole text; what does not fit is cut from the memories, never from the rest."""
    parts = [_section(title, lines) for title, lines in
             ((MEMORIES, tuple(memories)), (EXPECTED, tuple(expected))) if lines]
    if not (parts or constraints or recovery):
        return ""
    main = "\n".join((HEADER, *parts)) if parts else f"{HEADER}\n"
    room = most - len(constraints) - len(recovery)
    if len(main) > room:
        main = _cut(main, max(room, len(HEADER) + len(_ENDED)), _ENDED)
    return main + constraints + recovery


def _section(title: str, lines: Sequence[str]) -> str:
    return "\n".join(("", title, "", *lines, ""))


def _cut(text: str, room: int, end: str) -> str:
    return text[:max(room - len(end), 0)].rstrip() + end
