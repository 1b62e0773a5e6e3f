"""Says what agents asked, and who of them is there, in words."""

from collections.abc import Iterator, Sequence

from core.model.asked import BROWSE, RECALL, SESSION_START, WALK, Asked, Visit
from core.model.text_formatting import counted, one_line
from core.model.times import ago
from core.queries.authors import VIA_HTTP, VIA_MCP

VERBS = {SESSION_START: "Started a session", RECALL: "Asked", WALK: "Looked around",
         BROWSE: "Read"}
"""What each kind of question is called."""
SHORT = {SESSION_START: "session start", RECALL: "asked", WALK: "walked", BROWSE: "read"}
"""The same beside a question."""
LONGEST_NAME = 30


def plain_name(who: str) -> str:
    """`claude-desktop`, from the name by which it is recorded."""
    return who.removesuffix(VIA_MCP).removesuffix(VIA_HTTP)


def asked_line(asked: Asked) -> str:
    """`Asked: Who leads Apollo?`"""
    verb = VERBS.get(asked.kind, asked.kind)
    words = one_line(asked.question, 200)
    return f"{verb}: {words}" if words else verb


def told_words(asked: Asked) -> str:
    """`told 3 memories from 5 entities`; empty where nothing was told."""
    parts = [counted(len(ids), word) for ids, word in
             ((asked.memory_ids, "memory"), (asked.entity_ids, "entity")) if ids]
    return f"told {' from '.join(parts)}" if parts else "told nothing"


def visit_words(doors: Sequence[Visit], clients: Sequence[Visit]) -> tuple[str, tuple[str, ...]]:
    """What the status bar shows of who is let in, and the lines of its tooltip."""
    if not doors:
        return "", ()
    names = list(dict.fromkeys(plain_name(each.who) for each in clients))
    if not names:
        words = "Agents let in: nobody yet"
    elif len(names) == 1:
        words = f"Connected: {one_line(names[0], LONGEST_NAME)}"
    else:
        words = f"Connected: {one_line(names[0], LONGEST_NAME)} and {len(names) - 1} more"
    return words, tuple(visit_lines(doors, clients))


def visit_lines(doors: Sequence[Visit], clients: Sequence[Visit]) -> Iterator[str]:
    """Who is there, by which door; then the doors themselves."""
    for each in clients:
        yield f"{one_line(plain_name(each.who), 60)} by {each.door}, last heard {ago(each.seen)}"
    for door in doors:
        yield (f"{door.door} at {door.address}" if door.address
               else f"{door.door} for one client that started it")
