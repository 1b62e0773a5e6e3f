"""The text injected at a session start: memories, constraints, recovery."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from core.model.session_start_and_end import Budget, Checkpoint, SessionCandidate, TriedLink
from core.model.walk import Focal, WalkedConstraint
from core.session.budget import ELLIPSIS, fitting, fitting_by_part
from core.session.config import SessionSettings
from core.session.constraint_lines import ConstraintLines, fit_constraints, least, needed
from core.session.lines_and_sections import one_line, section

HEADER = "[memory active | /remember | /recall]"
MEMORIES = "## Relevant Memories"
EXPECTED = "## Expected Next"
ABOUT = "## Asked About"
BACKGROUND = "## Background"
RECOVERY = "## Session Recovery"
POSSIBLE = "## Possibly Related"
UNSURE = "Tried because it is not certain: {} (confidence {:.2f})."
TRUNCATED = "[context truncated]"
_ENDED = f"\n{TRUNCATED}\n"
LEAST_RECOVERY = 60
"""Characters below which a recovery section would tell nothing."""


class FittedMemories(Struct, frozen=True):
    """Memories in their budget.

    Attributes:
        lines: one line each.
        places: their indices among the candidates.
        section: them with their heading.
        cut: True if the limit of the whole text kept some out that their own budget has room for.
    """

    lines: tuple[str, ...]
    places: tuple[int, ...]
    section: str
    budget: Budget
    cut: bool = False


class Injected(Struct, frozen=True):
    """The whole text with its parts; empty if there is nothing to tell."""

    text: str
    memories: FittedMemories
    expected: FittedMemories
    constraints: ConstraintLines
    tried: TriedLink | None = None


def compose(
    candidates: Sequence[SessionCandidate], expected: Sequence[SessionCandidate],
    constraints: Sequence[WalkedConstraint], focal: Focal, checkpoint: Checkpoint | None,
    rooms: SessionSettings, asked_share: float = 0.0, tried: TriedLink | None = None,
    about: Sequence[str] = (), background: Sequence[str] = (),
) -> Injected:
    """The text, within `max_inject_chars` as a whole.

    The constraints' own budget comes first, so that every one of them is told at least in short,
    then recovery, then the memories in their budget. What all of them leave free is the
    constraints' too, before any of them is shortened, and then that of a link that is tried.

    Args:
        asked_share: the share of the memories' budget that what was asked fills first.
        about: what the entities are that are asked about by name, one line each.
        background: what those are that are always in the context, and the project's.
    """
    free = rooms.max_inject_chars - len(HEADER) - 1
    whole = needed(constraints)
    own = max(rooms.constraint_budget_chars or whole, least(constraints))
    own = min(own, whole, free)
    recovery = recovery_section(checkpoint, min(rooms.recovery_chars, free - own))
    room = free - own - len(recovery)
    named = lines_section(ABOUT, about, room)
    room -= len(named)
    memories = fit_memories(MEMORIES, candidates, rooms.memory_budget_chars, room, asked_share)
    more = fit_memories(EXPECTED, expected, rooms.expected_chars, room - len(memories.section))
    main = named + memories.section + more.section
    rules = fit_constraints(constraints, focal, rooms.constraint_budget_chars,
                            free - len(main) - len(recovery))
    left = 0 if rules.budget.lack else free - len(main) - len(rules.section) - len(recovery)
    trial, guess = _trial(tried, min(left, rooms.exploration_chars))
    known = lines_section(BACKGROUND, background,
                          min(left - len(guess), rooms.background_chars))
    told = main + known + guess + rules.section + recovery
    return Injected(f"{HEADER}\n{told}" if told else "", memories, more, rules, trial)


def _trial(tried: TriedLink | None, most: int) -> tuple[TriedLink | None, str]:
    """The link with the memories that fit, and their section; nothing if none fits."""
    if tried is None:
        return None, ""
    head = (UNSURE.format(one_line(tried.sentence), tried.confidence), "")
    texts = [one_line(each.marked_text) for each in tried.memories]
    places = fitting([len(text) + 3 for text in texts], most - len(section(POSSIBLE, head)))
    if not places:
        return None, ""
    memories = tuple(tried.memories[place] for place in places)
    return replace(tried, memories=memories), section(POSSIBLE, (*head, *_bullets(texts, places)))


def fit_memories(
    title: str, candidates: Sequence[SessionCandidate], room: int, most: int, own: float = 0.0
) -> FittedMemories:
    """The memories whose texts fit into `room`; one that does not fit is skipped.

    What was asked for is told first, then the rest, each in the order given: who reads only the
    beginning has read what the session is about.

    Args:
        most: characters of the section with its heading; where fewer fit, it says so at its end.
        own: the share of the room that what was asked fills first; half of the rest is kept for
            what pins bring, so that they are told beside every question.
    """
    texts = [one_line(each.marked_text) for each in candidates]
    parts, shares = [each.part for each in candidates], {"asked": own, "pinned": (1 - own) / 2}
    places = tuple(sorted(
        fitting_by_part([len(text) for text in texts], room, parts, shares),
        key=lambda place: not candidates[place].asked))
    told = section(title, _bullets(texts, places))
    cut = len(told) > most
    if cut:
        left = most - len(section(title, ("",))) - len(_ENDED) + 1
        inside = fitting_by_part([len(line) + 1 for line in _bullets(texts, places)], left,
                                 [parts[place] for place in places], shares)
        places = tuple(places[at] for at in inside)
        told = section(title, _bullets(texts, places)) + (_ENDED if most >= len(_ENDED) else "")
    return FittedMemories(_bullets(texts, places), places, told,
                          Budget(sum(len(texts[place]) for place in places), room), cut)


def _bullets(texts: Sequence[str], places: Sequence[int]) -> tuple[str, ...]:
    return tuple(f"- {texts[place]}" for place in places)


def lines_section(title: str, told: Sequence[str], room: int) -> str:
    """A section of as many of these lines as fit; empty if none does."""
    lines = [f"- {line}" for line in told]
    while lines and len(section(title, lines)) > room:
        lines.pop()
    return section(title, lines) if lines else ""


def recovery_section(checkpoint: Checkpoint | None, room: int) -> str:
    """The last session's checkpoint, its structure first if it must be cut."""
    if checkpoint is None or room < LEAST_RECOVERY:
        return ""
    lines = [kept for line in checkpoint.digest.splitlines() if (kept := one_line(line))]
    told = section(RECOVERY, lines)
    return told if len(told) <= room else told[:room - len(ELLIPSIS)].rstrip() + ELLIPSIS
