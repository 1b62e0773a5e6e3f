"""What an agent reads: the context of a session, memories, entities and what is near them."""

from collections.abc import Iterator
from typing import Any, Literal

from pydantic import Field

from core.model.changes import SESSION_START
from core.model.neighborhood import Neighborhood
from core.model.recall import NOTHING_FITS, RULES_MAY_APPLY, Hit, Recall
from core.model.session_start_and_end import SessionStart
from core.model.text_formatting import counted
from core.queries import neighborhood as around
from core.queries.entities import count_entities, find_entity, list_entities
from core.recall.filters import Filters
from core.recall.hybrid import recall as find
from core.session import question_log
from core.session.start import start
from core.session.start_record import record
from core.store.reader_and_writer import Reader
from core.traversal import last_walk
from core.traversal.focal_signals import Signals
from explorer import knowledge_json
from explorer.caller_arguments import Arguments, Dated, Json
from explorer.graph_for_caller import Answer, Door
from explorer.mcp.entity_page import entity_page, tree_lines
from explorer.mcp.tool import Tool
from explorer.model_json import lines_json, neighborhood_json, node_json, partial

ENTITY = Field(description="Its name, another name of it, or its id")


class SessionGiven(Arguments):
    """What a session is about."""

    query: str = Field("", description="What the session is about; the person's first message")
    project: str = Field("", description="The project's folder")
    session: str = Field("", description="A key of your own for the session; with it the start is"
                                         " recorded, and session_end learns from it")


def session_context(door: Door, given: SessionGiven) -> Answer:
    """What to know before a session begins: the entities in focus, the rules of what is pinned and
    of what you ask about, and the memories that matter, as one text. Call it first, and again with
    another query where the subject changes: other rules may bind you there.
    """
    signals = Signals(given.query, given.project, given.session)
    with door.read() as reader:
        started = start(reader, signals, door.engine.settings, door.engine.embedder)
    if given.session:
        door.write(f"{SESSION_START}{given.session}", lambda writer: record(writer, started))
    door.keep_walk(last_walk.SESSION_START, started.walk)
    door.note(question_log.started(signals, started))
    text = started.text or "Nothing is known yet."
    return Answer(_session(started), "\n\n".join((text, *started.walk.missing)))


def _session(started: SessionStart) -> Json:
    return {"focal": [{"id": each.id, "name": each.name, "entityType": each.entity_type,
                       "reason": each.reason} for each in started.focal.entities],
            "constraints": [{"entity": rule.entity_name, "content": rule.marked_text}
                            for rule in started.constraints],
            "memories": [{"id": each.id, "content": each.own_text, "entity": each.entity,
                          "source": each.source, "score": round(each.score, 3)}
                         for each in started.memories],
            "text": started.text, "notes": list(started.notes),
            **partial(started.walk.timed_out, started.walk.missing)}


class Question(Dated):
    """A question to the memories."""

    query: str = Field("", description="The question, in full; not needed with a filter")
    limit: int = Field(10, ge=1, le=100, description="The most memories")
    types: tuple[str, ...] = Field((), description="Only these types, such as decision")
    tags: tuple[str, ...] = Field((), description="Only memories with all of these tags")
    who: str = Field("", description="Only memories from this person")
    project: str = Field("", description="Only memories of this project")
    since: str = Field("", description="Only from this day on, such as 2026-03-14")
    until: str = Field("", description="Only up to this day")


def recall(door: Door, given: Question) -> Answer:
    """Search the memories for a question, best first, with why each was found; links and
    assertions that answer it stand among them. Rules are marked, what no longer holds is told only
    as past, and where nothing fits that is said.
    """
    settings = door.engine.settings
    filters = Filters(given.types, given.tags, given.who, given.project, given.since, given.until)
    limited = settings.recall.model_copy(update={"limit": given.limit})
    with door.read() as reader:
        result = find(reader, given.query, limited, door.engine.embedder, filters=filters,
                      explain=True, traversal=settings.traversal)
    if result.walk is not None:
        door.keep_walk(last_walk.RECALL, result.walk)
    door.note(question_log.recalled(given.query, result))
    structured = {"hits": [_hit(hit) for hit in result.hits], "lines": lines_json(result),
                  "about": list(result.about), "fits": result.fits,
                  "notes": list(result.notes), "timedOut": result.timed_out,
                  **partial(result.timed_out, result.notes)}
    return Answer(structured, "\n".join(_recalled(result)))


def _hit(hit: Hit) -> Json:
    return {"id": hit.memory.id, "content": hit.own_text, "entity": hit.entity,
            "score": round(hit.score, 3), "why": hit.why, "when": hit.memory.created_at,
            "who": hit.memory.who, "type": hit.memory.type, "constraint": hit.constraint,
            "past": hit.past, "channels": dict(hit.channels)}


def _recalled(result: Recall) -> Iterator[str]:
    yield from result.about
    rules, rest = result.rules_and_rest
    for head, lines in ((RULES_MAY_APPLY if rules else "", rules),
                        (NOTHING_FITS if rest and not result.fits else "", rest)):
        if head:
            yield head
        for line in lines:
            yield f"- {line.when[:10]} {line.marked_text} [{line.id}] ({line.why})"
    if not result.lines:
        yield "Nothing was found."
    yield from result.notes


class EntitySearch(Dated):
    """A search for entities."""

    query: str = Field("", description="Words in the name, another name, or a fact")
    entity_type: str = Field("", alias="type", description="Only this type")
    limit: int = Field(20, ge=1, le=200, description="The most entities")
    offset: int = Field(0, ge=0, description="How many to pass over")


def find_entities(door: Door, given: EntitySearch) -> Answer:
    """List entities by words and type, the most mentioned first."""
    types = [given.entity_type] if given.entity_type else []
    with door.read() as reader:
        rows = list_entities(reader, text=given.query, types=types, limit=given.limit,
                             offset=given.offset)
        total = count_entities(reader, text=given.query, types=types)
    shown = [row for row in rows if not row.muted]
    lines = [f"- {row.name} ({row.entity_type}){f': {row.fact}' if row.fact else ''}"
             for row in shown]
    items = [{"id": row.id, "name": row.name, "entityType": row.entity_type,
              "mentions": row.mentions, "pinned": row.pinned, "fact": row.fact} for row in shown]
    return Answer({"items": items, "count": total},
                  "\n".join((f"{counted(total, 'entity')} in all", *lines)))


class OneEntity(Dated):
    """An entity."""

    entity: str = ENTITY


def browse_entity(door: Door, given: OneEntity) -> Answer:
    """Read all about an entity: its rules, what is known of it, and its links."""
    with door.read() as reader:
        return Answer(*entity_page(reader, given.entity))


class TreeGiven(Dated):
    """How much of an entity's tree."""

    entity: str = ENTITY
    depth: int = Field(3, ge=1, le=3, description="1: aspects, 2: groups, 3: claims")
    max_aspects: int = Field(20, ge=1, le=100, description="The most aspects")
    max_groups: int = Field(20, ge=1, le=100, description="The most groups of an aspect")
    max_claims: int = Field(50, ge=1, le=200, description="The most claims of a group")


def browse_tree(door: Door, given: TreeGiven) -> Answer:
    """Read an entity's aspects, groups and claims as a tree."""
    with door.read() as reader:
        tree = knowledge_json.tree(
            reader, given.entity, depth=given.depth, max_aspects=given.max_aspects,
            max_groups=given.max_groups, max_claims=given.max_claims)
    return Answer(tree, "\n".join((f"# {tree['entity']['name']}", *tree_lines(tree))))


class ClaimGiven(Dated):
    """A claim."""

    entity: str = ENTITY
    aspect: str = Field(description="The aspect that it stands under")
    claim: str = Field(description="Its key")
    group: str = Field("general", description="Its group")
    kind: Literal["attribute", "constraint"] = Field("attribute", description="What it is")


def browse_claim_history(door: Door, given: ClaimGiven) -> Answer:
    """Read every version of a claim, newest first: what it said, from when to when."""
    with door.read() as reader:
        history = knowledge_json.versions(reader, given.entity, given.aspect, given.group,
                                          given.claim, kind=given.kind)
    lines = [f"- version {item['version']}, {item['status']}: {item['content']}{_spans(item)}"
             for item in history["items"]]
    return Answer(history, "\n".join(lines) or "It has no versions.")


def _spans(version: Json) -> str:
    spans = [f"{str(span['since'])[:10]} to {str(span['until'])[:10] or 'now'}"
             for span in version["inForce"]]
    return f" ({', '.join(spans)})" if spans else ""


class NeighborhoodGiven(Arguments):
    """Where to start, and how far to go."""

    entities: tuple[str, ...] = Field(
        min_length=1, max_length=50,
        description="Names or ids; for several only direct links are followed")
    depth: int = Field(1, ge=1, le=3, description="The most links away, of one entity")
    direction: Literal["both", "out", "in"] = Field("both", description="Which links")


def neighborhood(door: Door, given: NeighborhoodGiven) -> Answer:
    """Read the entities near an entity, or near several, and the links among them."""
    with door.read() as reader:
        near = _near(reader, door, given)
    door.note(question_log.near(near))
    structured = neighborhood_json(near)
    if len(given.entities) == 1:
        structured = {"entity": node_json(near.nodes[0]), "neighborhood": structured}
    return Answer(structured, around.context_text(near) or "Nothing is near it.")


def _near(reader: Reader, door: Door, given: NeighborhoodGiven) -> Neighborhood:
    settings = door.engine.settings.neighborhood
    limits: dict[str, Any] = {"max_nodes": settings.max_nodes, "max_edges": settings.max_edges,
                              "promotion_threshold": settings.promotion_threshold}
    ids = [find_entity(reader, name).id for name in given.entities]
    if len(ids) > 1:
        return around.neighbors(reader, ids, **limits)
    return around.neighborhood(reader, ids[0], given.depth, given.direction, **limits)


READING_TOOLS = (
    Tool(session_context, SessionGiven, idempotent=True),
    Tool(recall, Question, reads=True),
    Tool(find_entities, EntitySearch, reads=True),
    Tool(browse_entity, OneEntity, about="entity", reads=True),
    Tool(browse_tree, TreeGiven, about="entity", reads=True),
    Tool(browse_claim_history, ClaimGiven, about="entity", reads=True),
    Tool(neighborhood, NeighborhoodGiven, reads=True),
)
