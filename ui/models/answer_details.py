"""Reads what one question was told, as the graph has it now."""

from collections.abc import Sequence

from msgspec import Struct

from core.model.asked import Asked
from core.queries.embedding_texts import memory_texts
from core.queries.entities import entities_by_id
from core.session.question_log import session_around
from core.workspace import Workspace

GONE = "(forgotten since)"
"""What stands for a memory that is no longer there."""


class AnswerDetails(Struct, frozen=True):
    """One question with names and texts.

    Attributes:
        focal: ids and names of the entities that the answer started from.
        walked: the same of the others that were walked.
        told: ids and texts of the memories that were told.
    """

    asked: Asked
    focal: tuple[tuple[str, str], ...]
    walked: tuple[tuple[str, str], ...]
    told: tuple[tuple[str, str], ...]


def load_asked(workspace: Workspace, asked: Asked) -> AnswerDetails:
    """Read names and texts; an entity that is gone is left out."""
    with workspace.read() as reader:
        entities = entities_by_id(reader, [*asked.focal_ids, *asked.entity_ids])
        texts = memory_texts(reader, asked.memory_ids)
    focal = [id for id in asked.focal_ids if id in entities]
    walked = [id for id in asked.entity_ids if id in entities and id not in asked.focal_ids]
    return AnswerDetails(
        asked, tuple((id, entities[id].name) for id in focal),
        tuple((id, entities[id].name) for id in walked),
        tuple((id, texts.get(id, GONE)) for id in asked.memory_ids))


def neighbours(shown: Sequence[Asked], one: Asked) -> tuple[Asked | None, Asked | None, int, int]:
    """The questions of the same session before and after one, its place in it, and how many."""
    session = session_around(shown, one)
    at = session.index(one)
    return (session[at - 1] if at else None,
            session[at + 1] if at + 1 < len(session) else None, at + 1, len(session))
