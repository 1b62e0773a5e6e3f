"""What was asked of the graph and what was told, as ids that the sky can light."""

from msgspec import Struct

SESSION_START, RECALL, WALK, BROWSE = "session start", "recall", "walk", "browse"
"""What was asked for: the context of a session, memories, what is near, one entity."""
MCP, HTTP, COMMAND = "MCP", "HTTP", "command"
"""The ways in by which it was asked."""


class Asked(Struct, frozen=True):
    """One question, with what the answer rests on.

    Attributes:
        kind: one of the words above.
        question: in words; the names of entities where one was read.
        project: the project's folder, where the question came with one.
        session: the key of the session, where the question came with one.
        focal_ids: the entities that the answer starts from.
        entity_ids: every entity that was walked, these among them.
        link_ids: the links that were followed.
        memory_ids: the memories that were told.
        who: who asked, for people: `claude-desktop via MCP`.
        door: the way in, one of the words above.
        at: when, in ISO-8601 UTC.
        number: its place in the record; later ones have higher numbers.
    """

    kind: str
    question: str = ""
    project: str = ""
    session: str = ""
    focal_ids: tuple[str, ...] = ()
    entity_ids: tuple[str, ...] = ()
    link_ids: tuple[str, ...] = ()
    memory_ids: tuple[str, ...] = ()
    who: str = ""
    door: str = ""
    at: str = ""
    number: int = 0


class Visit(Struct, frozen=True):
    """A client that is let in, or a door that is open for clients.

    Attributes:
        who: the name that the client gave itself; empty for an open door.
        door: the way in: `MCP` or `HTTP`.
        address: where the door listens; empty where it serves one client by a pipe.
        since: when it came, in ISO-8601 UTC.
        seen: when it was last heard of.
        agent: whose memory it uses.
    """

    id: str
    who: str
    door: str
    address: str
    since: str
    seen: str
    agent: str
