"""Writes the demo's story as rows of the graph."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from core.model.names import canonical
from core.store.handles import Writer
from explorer.demo.chance import id_of, iso, later_by, moment, share
from explorer.demo.claims import FIRST_DAY, Said, archived, aspect_id, tell, text_row
from explorer.demo.decisions import assertion_rows, proposal_rows, write_ups
from explorer.demo.ground import Ground
from explorer.demo.notebook import keep_notes, path_of
from explorer.demo.story import Figure, Note, Story

Row = Mapping[str, object]
_LINKED_UNTIL = datetime.fromisoformat("2026-11-15T00:00+00:00")


def insert_demo(writer: Writer, story: Story) -> None:
    """Insert every row of the demo; the graph must be empty."""
    ground = Ground(story)
    pages, told = keep_notes(story, list(tell(story, ground)))
    story = replace(story, notes=(*story.notes, *pages))
    born = _births(story, told)
    known = {str(row["id"]) for row in writer.rows("SELECT id FROM agents")}
    for table, rows in (
        ("agents", (row for row in _agents() if row["id"] not in known)),
        ("entity_communities", _communities(story)),
        ("entities", _entities(story, born)),
        ("entity_aliases", _aliases(story, born)),
        ("memories", _memories(story)),
        ("memory_entity_mentions", _mentions(story)),
        ("entity_aspects", _aspects(story, told)),
        ("entity_attributes", (_value(ground, said) for said in told)),
        ("entity_dependencies", _links(story, born)),
        ("task_meta", _tasks(story, born)),
        ("ontology_proposals", (*write_ups(ground, told), *proposal_rows(story, told))),
        ("epistemic_assertions", assertion_rows(story, told)),
    ):
        writer.insert_many(table, rows)


def _agents() -> Iterator[Row]:
    for id in ("default", "atlas"):
        yield {"id": id, "name": id, "read_policy": "isolated", "created_at": iso(FIRST_DAY),
               "updated_at": iso(FIRST_DAY)}


def _births(story: Story, told: Iterable[Said]) -> dict[str, datetime]:
    """When each entity was first known: with its first memory or its first value."""
    born: dict[str, datetime] = {}
    for note in story.notes:
        for entity in note.mentions:
            born[entity] = min(note.at, born.get(entity, note.at))
    for said in told:
        born[said.figure.id] = min(said.at, born.get(said.figure.id, said.at))
    return born


def _communities(story: Story) -> Iterator[Row]:
    sizes = Counter(figure.community.id for figure in story.figures)
    for community in story.communities:
        yield {"id": community.id, "agent_id": community.agent, "name": community.name,
               "cohesion": community.cohesion, "member_count": sizes[community.id],
               "created_at": iso(FIRST_DAY), "updated_at": iso(moment("2026-11-22T03:10"))}


def _entities(story: Story, born: Mapping[str, datetime]) -> Iterator[Row]:
    heard: dict[str, list[Note]] = {}
    for note in story.notes:
        for entity in note.mentions:
            heard.setdefault(entity, []).append(note)
    for figure in story.figures:
        notes = heard.get(figure.id, [])
        last = max((note.at for note in notes), default=born[figure.id])
        row = {
            "id": figure.id, "name": figure.name, "canonical_name": canonical(figure.name),
            "entity_type": figure.entity_type, "description": figure.about,
            "agent_id": figure.agent, "mentions": len(notes),
            "community_id": figure.community.id, "created_at": iso(born[figure.id]),
            "last_seen_at": iso(last), "confidence": share(0.8, 1.0, "sure", figure.id),
        }
        yield {**row, **_state(figure, last)}


def _state(figure: Figure, last: datetime) -> Row:
    """Pinned, muted, archived, and the time of the last change to the entity itself."""
    pinned, muted = figure.facts.get("pinned"), figure.facts.get("muted")
    gone = figure.facts.get("archived")
    at, who, why = archived(gone) if gone else (None, None, None)
    changed = max(when for when in (last, pinned, muted, at) if when is not None)
    return {
        "pinned": int(pinned is not None), "pinned_at": iso(pinned) if pinned else None,
        "muted": int(muted is not None), "muted_at": iso(muted) if muted else None,
        "status": "archived" if at else "active", "archived_at": iso(at) if at else None,
        "archived_by": who, "archive_reason": why, "updated_at": iso(changed),
    }


def _aliases(story: Story, born: Mapping[str, datetime]) -> Iterator[Row]:
    for figure in story.figures:
        for alias in figure.aliases:
            at = iso(later_by(born[figure.id], 60, 30 * 86400, "alias", alias))
            yield {"id": id_of("alias", figure.id, alias), "entity_id": figure.id,
                   "agent_id": figure.agent, "alias": alias, "canonical_alias": canonical(alias),
                   "confidence": share(0.8, 1.0, "alias", alias), "source": "claude-code",
                   "status": "active", "created_at": at, "updated_at": at}


def _memories(story: Story) -> Iterator[Row]:
    for note in story.notes:
        line, text = note.line, canonical(note.line.text)
        yield {
            "id": note.id, "agent_id": note.agent, "type": line.memory_type, "content": line.text,
            "normalized_content": text, "who": note.who, "project": note.project,
            "content_hash": hashlib.sha256(text.encode()).hexdigest(),
            "tags": ",".join(line.tags), "confidence": share(0.78, 1.0, "memory", note.id),
            "importance": 0.5 if line.share is None else line.share,
            "created_at": iso(note.at), "updated_at": iso(note.at), "updated_by": note.who,
            # What Robin likes is every agent's business, the rest is not.
            "visibility": "global" if line.memory_type == "preference" else "private",
            "extraction_status": "completed",
            "source_type": "notes" if note.path else "session", "source_path": note.path or None,
            "access_count": int(share(0, 1, "read", note.id) * 14),
        }


def _mentions(story: Story) -> Iterator[Row]:
    for note in story.notes:
        for entity, heard in note.mentions.items():
            yield {"memory_id": note.id, "entity_id": entity, "mention_text": heard,
                   "confidence": share(0.75, 1.0, "heard", note.id, entity),
                   "created_at": iso(note.at)}


def _aspects(story: Story, told: Iterable[Said]) -> Iterator[Row]:
    times: dict[str, list[datetime]] = {}
    for said in told:
        times.setdefault(aspect_id(said.figure, said.aspect), []).append(said.at)
    for figure in story.figures:
        for name, written in figure.aspects.items():
            id, gone = aspect_id(figure, name), written.get("archived")
            at, who, why = archived(gone) if gone else (None, None, None)
            yield {"id": id, "entity_id": figure.id, "agent_id": figure.agent, "name": name,
                   "canonical_name": canonical(name), "weight": written["weight"],
                   "created_at": iso(min(times[id])), "updated_at": iso(at or max(times[id])),
                   "status": "archived" if at else "active",
                   "archived_at": iso(at) if at else None, "archived_by": who,
                   "archive_reason": why}


def _value(ground: Ground, said: Said) -> Row:
    """A value's row; what no memory carries came in with Robin's own notes."""
    row = {**text_row(said), "source_kind": None, "source_path": None, "proposal_evidence": []}
    if said.note is not None:
        row["proposal_evidence"] = [ground.evidence(said.note, said.line.text)]
    elif not said.by:
        row["source_kind"], row["source_path"] = "notes", path_of(said.figure)
    return row


def _links(story: Story, born: Mapping[str, datetime]) -> Iterator[Row]:
    for agent, (source, kind, target, strength, confidence, reason) in story.links:
        ends = story.figure(source, agent).id, story.figure(target, agent).id
        known = max(born[end] for end in ends)
        latest = max(0.0, (_LINKED_UNTIL - known) / timedelta(seconds=1))
        at = later_by(known, 0, min(latest, 150 * 86400), "link", source, kind, target)
        yield _link(agent, source, kind, target, ends, strength, confidence, reason, at)
    for written in story.gone_links:
        source, kind, target = written["link"]
        ends = story.figure(source).id, story.figure(target).id
        gone = moment(written["on"], source, target)
        row = _link("default", source, kind, target, ends, written["strength"],
                    written["confidence"], "", max(born[end] for end in ends))
        yield {**row, "status": "archived", "updated_at": iso(gone), "archived_at": iso(gone),
               "archived_by": written["by"], "archive_reason": written["reason"]}


def _link(
    agent: str, source: str, kind: str, target: str, ends: tuple[str, str], strength: float,
    confidence: float, reason: str, at: datetime,
) -> dict[str, object]:
    return {"id": id_of("link", agent, source, kind, target), "source_entity_id": ends[0],
            "target_entity_id": ends[1], "agent_id": agent, "dependency_type": kind,
            "strength": strength, "confidence": confidence, "reason": reason or None,
            "status": "active", "created_at": iso(at), "updated_at": iso(at),
            "archived_at": None, "archived_by": None, "archive_reason": None}


def _tasks(story: Story, born: Mapping[str, datetime]) -> Iterator[Row]:
    for figure in story.figures:
        if figure.entity_type != "task":
            continue
        due, done = figure.facts.get("due"), figure.facts.get("completed")
        finished = moment(done.isoformat(), figure.name) if done else None
        yield {
            "entity_id": figure.id, "agent_id": figure.agent, "status": figure.facts["status"],
            "expires_at": iso(moment(f"{due}T23:59")) if due else None,
            "retention_until": iso(finished + timedelta(days=90)) if finished else None,
            "completed_at": iso(finished) if finished else None,
            "updated_at": iso(finished or born[figure.id]),
        }
