"""Marks that say how far something on a list is (`[wip]`, `[x]`), and the words for it."""

import re
from collections.abc import Collection, Iterable

from msgspec.structs import replace

from core.model.search_words import Term

IN_PROGRESS, DONE, OPEN = "in progress", "done", "open"

_WORDS = {
    IN_PROGRESS: r"in progress|under ?way|ongoing|(?:being|currently) worked on|wip",
    DONE: r"(?<!be )done|finished|completed|shipped|closed",
    OPEN: r"(?<!\bto )open(?! (?:to|the|an?|his|her|my|our|their|in|up)\b)"
          r"|to[- ]?do|todos?|planned|pending|not (?:yet )?(?:started|done)|unfinished"
          r"|to be done|upcoming|(?:comes|is|are|what's) next|left to do",
}
_ASKED = {state: re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE)
          for state, pattern in _WORDS.items()}
_MARKS = {
    IN_PROGRESS: ["wip", "doing", "ongoing", "started", "active", "~", "-", "/", "in-progress"],
    DONE: ["x", "✓", "✔", "done", "finished", "complete", "completed", "shipped", "closed"],
    OPEN: ["todo", "open", "next", "planned", "pending", "backlog", "idea"],
}
_STATE_OF = {mark: state for state, marks in _MARKS.items() for mark in marks}
_MARK = re.compile(r"\[([^\[\]\n]{1,12})\](?!\()")
_TO_DO = "todo", "next", "backlog"
_FORMS = {"progress": ("wip", "doing"),
          **dict.fromkeys(("finished", "completed", "complete", "shipped", "closed"), ("done",)),
          **dict.fromkeys(("open", "planned", "pending", "upcoming"), _TO_DO)}
"""By a word for a state the marks that are looked for as well; the rest are words themselves."""
BEGINNING = 200
"""Characters of a text in which its mark stands."""


def asked_states(question: str) -> frozenset[str]:
    """The states that a question asks for; "not done" is open."""
    states = {state for state, pattern in _ASKED.items() if pattern.search(question)}
    return frozenset(states - {DONE} if OPEN in states else states)


def with_marks(asked: Iterable[Term], states: Collection[str]) -> tuple[Term, ...]:
    """The terms of a question for these states, its words for one with the marks that say it."""
    return tuple(
        replace(term, forms=_TO_DO) if term.word == DONE and DONE not in states else
        replace(term, forms=(*term.forms, *_FORMS.get(term.word, ()))) for term in asked)


def state_of(text: str) -> str:
    """The state that a text's first mark says; empty without one."""
    for mark in _MARK.finditer(text[:BEGINNING]):
        word = mark[1].strip().lower().replace(" ", "-").replace("_", "-")
        state = _STATE_OF.get(word, "") if word else OPEN
        if state:
            return state
    return ""
