"""`session`: the text that a session starts with, and what the graph learns at its end."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated

import typer

from core.errors import OperationError
from core.learning.confirmed_by_recall import note_hits
from core.model.asked import COMMAND, Asked
from core.model.changes import SESSION_START
from core.model.session_start_and_end import SessionEnd, SessionRecord, SessionStart
from core.model.text_formatting import counted, one_line
from core.queries import sessions as records
from core.queries.find_by_name_or_id import memory_id
from core.queries.sessions import session_memories
from core.session import question_log
from core.session.end import close
from core.session.start import start as start_session
from core.session.start_record import record
from core.settings import Settings
from core.store.reader_and_writer import Writer
from core.traversal import last_walk
from core.traversal.focal_signals import Signals
from core.workspace import Workspace
from explorer.cli import engine_options, output
from explorer.cli.engine_options import Explain, Set
from explorer.cli.given_files import read_text
from explorer.cli.open_graph import reading, writing
from explorer.cli.options import (
    EVERYONE,
    OPERATOR,
    Actor,
    AgentName,
    Commands,
    DryRun,
    Json,
    Limit,
    Store,
)
from explorer.cli.run_operation import INITIATOR, carry_out

app = Commands(help="Start and end a session of the agent.", no_args_is_help=True)

SessionKey = Annotated[str, typer.Argument(metavar="SESSION", help="The session's key.")]


@app.command()
def start(
    project: Annotated[str, typer.Option("--project", help="The project folder.")] = "",
    session: Annotated[str, typer.Option(
        "--session", help="The session's key; its start is recorded under it.")] = "",
    query: Annotated[str, typer.Option("--query", "-q", help="The topic of the session.")] = "",
    pinned: Annotated[
        bool, typer.Option("--pinned/--no-pinned", help="Also start from pinned entities.")
    ] = True,
    change: Set = None, explain: Explain = False, dry_run: DryRun = False, store: Store = None,
    agent: AgentName = EVERYONE, actor: Actor = OPERATOR, as_json: Json = False,
) -> None:
    """Print the text that a session starts with. With a key the session is recorded."""
    settings = engine_options.patient(engine_options.settings_with("session", change), change)
    given = Signals(query, project, session, pinned=pinned)
    embedder = engine_options.embedder(settings)

    def keep(workspace: Workspace) -> None:
        last_walk.keep(workspace.sidecar, agent, last_walk.SESSION_START, started.walk)
        question_log.note(workspace.sidecar, agent, question_log.started(given, started), who=actor,
                          door=COMMAND, kept=settings.session.asked_kept)

    if not session or dry_run:
        with reading(store, agent) as workspace:
            with workspace.read() as reader:
                started = start_session(reader, given, settings, embedder, explain=explain)
            if not dry_run:
                keep(workspace)
    else:
        with writing(store, agent) as workspace:
            with workspace.read() as reader:
                started = start_session(reader, given, settings, embedder, explain=explain)
            workspace.write(f"{SESSION_START}{session}", lambda writer: record(writer, started),
                            initiator=INITIATOR, actor=actor)
            keep(workspace)
    if as_json:
        output.answer_json({**_fields(started), "telemetry": started.telemetry,
                            "memories": started.memories})
    else:
        _tell(started, explain)
    engine_options.save_vectors()


def _fields(started: SessionStart) -> Mapping[str, object]:
    return {
        "sessionKey": started.session_key, "project": started.project, "text": started.text,
        "candidates": started.candidates, "expected": started.expected, "tried": started.tried,
        "constraints": started.constraints, "focal": started.focal, "recovery": started.recovery,
        "budgets": {"memories": started.memory_budget, "memoryShares": started.shares,
                    "constraints": started.constraint_budget},
        "rankedBy": started.ranked_by, "notes": started.notes, "partial": started.walk.timed_out,
        "missing": started.walk.missing, "misses": started.walk.misses,
        "labels": started.walk.labels,
    }


def _tell(started: SessionStart, explain: bool) -> None:
    """The text as it is injected; with `explain` what it was chosen from before it."""
    if explain:
        inside = {each.id for each in (*started.memories, *started.trial)}
        output.table(("focal", "type", "why", "by"),
                     ((e.name or e.id, e.entity_type, e.reason, e.detail)
                      for e in started.focal.entities), empty="No focal entity.")
        output.table(("", "score", "from", "memory", "path"), (
            ("in" if each.id in inside else "", f"{each.score:.2f}", each.source,
             each.marked_text,
             engine_options.way(each.path, started.walk.labels) if each.path else "")
            for each in (*started.candidates, *started.trial)), empty="")
        for miss in started.walk.misses or ():
            output.note(f"near miss: {miss.kind} {miss.label} ({miss.rule})")
    if not started.text:
        output.note("Nothing to inject")
    for line in started.text.splitlines():
        output.say(line)
    telemetry = started.telemetry
    for name, budget in (("memories", started.memory_budget),
                         ("constraints", started.constraint_budget)):
        output.note(f"{name}: {budget.words}")
        if name == "memories" and started.shares.words:
            output.note(f"of these {started.shares.words}")
    pool = counted(len(started.candidates), "memory")
    constraints = counted(telemetry.traversal_constraints, "constraint")
    entities = counted(telemetry.traversal_entities, "focal entity", "focal entities")
    output.note(f"{telemetry.memory_count} of {pool} and {constraints} of {entities} in "
                f"{telemetry.duration_ms:.0f} ms")
    if started.tried is not None:
        output.note(f"tried: {started.tried.sentence}, confidence {started.tried.confidence:.2f}")
    for note in started.notes:
        output.note(note)


@app.command("asked")
def list_asked(
    limit: Limit = 20,
    forget: Annotated[bool, typer.Option(
        "--forget", help="Delete the record instead.")] = False,
    store: Store = None, agent: AgentName = EVERYONE, as_json: Json = False,
) -> None:
    """List what was asked of the graph, the newest first, by whom, and what was told."""
    with reading(store, agent) as workspace:
        if forget:
            gone = question_log.forget(workspace.sidecar, agent)
            output.say(f"Deleted {counted(gone, 'question')}")
            return
        items = question_log.last_asked(workspace.sidecar, agent, limit)
    if output.answered(as_json, {"items": items, "count": len(items)}):
        return
    output.table(("when", "who", "asked", "told"), map(_asked_row, items),
                 empty="Nothing was asked yet.")


def _asked_row(each: Asked) -> tuple[object, ...]:
    words = f"{each.kind}: {each.question}" if each.question else each.kind
    return (each.at[:16].replace("T", " "), each.who, one_line(words, 80),
            f"{counted(len(each.entity_ids), 'entity')}, "
            f"{counted(len(each.memory_ids), 'memory')}")


@app.command()
def hits(
    session: SessionKey,
    memories: Annotated[list[str], typer.Argument(
        metavar="ID", help="Memories that a recall returned.")],
    store: Store = None, agent: AgentName = EVERYONE, actor: Actor = OPERATOR,
    as_json: Json = False,
) -> None:
    """Record that the session used these memories; ending it learns from them."""
    def change(writer: Writer) -> int:
        if records.session_record(writer, session) is None:
            raise _unknown(session)
        return note_hits(writer, session, [memory_id(writer, id) for id in memories])

    noted, _ = carry_out(store, agent, actor, f"Record memories used by the session {session}",
                         change)
    if not output.answered(as_json, {"noted": noted}):
        output.say(f"Recorded {noted}")


@app.command()
def end(
    session: SessionKey,
    feedback: Annotated[Path | None, typer.Option(
        "--feedback", help="JSON: ratings (-1 to 1 by memory id), optional paths and rewards; - "
                           "for standard input.")] = None,
    setting: Set = None, dry_run: DryRun = False, store: Store = None,
    agent: AgentName = EVERYONE, actor: Actor = OPERATOR, as_json: Json = False,
) -> None:
    """End a session: the graph learns from what it used. Ending it twice changes nothing."""
    settings = engine_options.settings_with("feedback", setting)
    ratings = _feedback(feedback)

    def change(writer: Writer) -> SessionEnd:
        return _close(writer, session, settings, ratings)

    ended, _ = carry_out(store, agent, actor, f"End the session {session}", change,
                         dry_run=dry_run)
    if output.answered(as_json, ended):
        return
    if ended.changed:
        output.table(("", ""), _taught(ended), empty="")
    for note in ended.notes:
        output.note(note)


def _taught(ended: SessionEnd) -> Iterator[tuple[str, object]]:
    """What an end came to, for people."""
    paths, compared, report = ended.feedback, ended.comparison, ended.scorer
    yield "aspects updated", (f"{ended.aspects_updated} by "
                              f"{counted(ended.confirmations, 'confirmation')}")
    yield "paths rated", (f"{paths.propagated} of "
                          f"{counted(paths.accepted, 'memory', 'memories')}")
    yield "links adjusted", paths.dependencies_updated
    yield "pairs counted", paths.cooccurrence_updated
    yield "aspects decayed", ended.decayed
    yield "values retired", ended.propagated
    yield "constraints lowered", ended.constraints_eased
    if compared is not None:
        about = f" about {compared.focal_entity_name}" if compared.focal_entity_name else ""
        yield "this session", (f"ranked {compared.predictor_ndcg:.2f} by the learned scorer, "
                               f"{compared.baseline_ndcg:.2f} as usual{about}")
    if report:
        use = "used from now on" if report.get("wins") else "not used yet"
        yield "learned scorer", (f"{report.get('ndcg')} against {report.get('heuristic')} "
                                 f"in the latest of {report.get('sessions')} sessions: {use}")
    if ended.checkpoint_id:
        yield "checkpoint", ended.checkpoint_id


def _close(writer: Writer, session: str, settings: Settings,
           feedback: Mapping[str, Mapping[str, object]]) -> SessionEnd:
    return close(writer, session, settings, ratings=feedback.get("ratings"),
                 paths=feedback.get("paths"), rewards=feedback.get("rewards"))


def _feedback(file: Path | None) -> Mapping[str, Mapping[str, object]]:
    """The parts of the feedback; each must be an object by memory id."""
    if file is None:
        return {}
    try:
        feedback = json.loads(read_text(file))
    except (ValueError, RecursionError) as error:
        raise OperationError(400, "The feedback is not valid JSON", where=str(file),
                             detail=str(error)) from error
    if not isinstance(feedback, dict) or not all(
            isinstance(part, dict) for part in feedback.values()):
        raise _unfit(file, "The feedback must be an object of objects")
    for part in feedback.keys() - set(_PARTS):
        raise _unfit(file, f"The feedback has no part “{part}”")
    for memory, rating in feedback.get("ratings", {}).items():
        if (isinstance(rating, bool) or not isinstance(rating, int | float)
                or not -1 <= rating <= 1):
            raise _unfit(file, f"The rating of {memory} must be a number from -1 to 1")
    return feedback


_PARTS = ("ratings", "paths", "rewards")


def _unfit(file: Path, what: str) -> OperationError:
    return OperationError(
        400, what, where=str(file), field="feedback",
        do='Write it as {"ratings": {"MEMORY": 1}, "rewards": {...}, "paths": {...}}')


@app.command("list")
def list_sessions(
    limit: Limit = 20, store: Store = None, agent: AgentName = EVERYONE, as_json: Json = False,
) -> None:
    """List recorded sessions with their numbers."""
    with reading(store, agent) as workspace, workspace.read() as reader:
        sessions = records.session_records(reader, limit=limit)
        telemetry = records.telemetry(reader)
    if output.answered(as_json, {"items": sessions, "telemetry": telemetry}):
        return
    output.table(("session", "began", "entities", "memories", "injected", "constraints",
                  "characters", "ms", "confirmed"), map(_line, sessions),
                 empty="No recorded sessions.")


@app.command()
def show(
    session: SessionKey, store: Store = None, agent: AgentName = EVERYONE, as_json: Json = False,
) -> None:
    """Show a session: its numbers and its memories."""
    with reading(store, agent) as workspace, workspace.read() as reader:
        session_record = records.session_record(reader, session)
        if session_record is None:
            raise _unknown(session)
        memories = session_memories(reader, session)
    if output.answered(as_json, {"session": session_record, "memories": memories}):
        return
    output.table(("", ""), _numbers(session_record), empty="")
    output.table(("", "score", "hits", "from", "id", "memory"), (
        ("in" if each.injected else "", f"{each.final_score:.2f}", each.hits, each.source,
         output.short_id(each.memory_id), each.told_text) for each in memories),
                 empty="No memories were recorded for it.")


def _unknown(session: str) -> OperationError:
    return OperationError(404, f"No session {session} is recorded", field="session",
                          do="List them with “session list”, or start it with “session start "
                             "--session KEY”")


def _line(session: SessionRecord) -> tuple[object, ...]:
    """A session on one line; empty where no start is on record."""
    start = session.start.telemetry if session.start else None
    return (session.session_key, session.started_at, start.traversal_entities if start else "",
            session.memories, session.injected, start.traversal_constraints if start else "",
            start.inject_chars if start else "", round(start.duration_ms) if start else "",
            session.confirmed)


def _numbers(session: SessionRecord) -> Iterator[tuple[str, object]]:
    yield "began", session.started_at
    if session.start is not None:
        telemetry = session.start.telemetry
        yield "project", session.start.project
        yield "focal entities", ", ".join(session.start.focal) or telemetry.traversal_entities
        yield "ranked by", session.start.ranked_by
        yield "memories by the walk", telemetry.traversal_memories
        yield "constraints", telemetry.traversal_constraints
        yield "out of time", "yes" if telemetry.traversal_timed_out else "no"
        yield "memories injected", telemetry.memory_count
        yield "characters injected", telemetry.inject_chars
        for name, budget in (("memories", telemetry.memory_budget),
                             ("constraints", telemetry.constraint_budget)):
            yield f"budget of {name}", budget.words
        yield "took", f"{telemetry.duration_ms:.0f} ms"
    if session.end is not None:
        yield from (("ended" if name == "at" else name, value)
                    for name, value in output.fields(session.end))
