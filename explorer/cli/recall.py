"""`recall`: searches memories for a question, with the reasons for each."""

from typing import Annotated

import typer

from core.errors import OperationError
from core.learning.confirmed_by_recall import note_recall
from core.model.asked import COMMAND
from core.model.graph_statement import Statement
from core.model.recall import NOTHING_FITS, RULES_MAY_APPLY, Hit, Recall
from core.model.text_formatting import counted
from core.model.walk import Walk
from core.queries.sessions import session_record
from core.recall.filters import ANY_SCOPE, Filters, read_signs
from core.recall.hybrid import recall as find
from core.session import question_log
from core.traversal import last_walk
from explorer.cli import engine_options, output
from explorer.cli.engine_options import Explain, Set
from explorer.cli.open_graph import dated, reading, writing
from explorer.cli.options import (
    EVERYONE,
    OPERATOR,
    QUESTION_SIGNS,
    Actor,
    AgentName,
    AsOf,
    Json,
    Store,
)
from explorer.cli.run_operation import INITIATOR
from explorer.model_json import recall_json

MISSES = 5
"""Near misses of the walk that are told."""


def recall(
    query: Annotated[str, typer.Argument(
        metavar="QUERY", help="The question; - for standard input. Not needed with a filter. In "
                              f"it, {QUESTION_SIGNS}.")]
    = "",
    types: Annotated[list[str] | None, typer.Option(
        "--type", help="Only memories of this type; may be repeated.", show_default=False)]
    = None,
    tags: Annotated[list[str] | None, typer.Option(
        "--tag", help="Only memories with this tag; may be repeated.", show_default=False)] = None,
    who: Annotated[str, typer.Option("--who", help="Only memories from this person.")] = "",
    project: Annotated[str, typer.Option("--project", help="Only memories of this project.")] = "",
    since: Annotated[str, typer.Option(
        "--since", help="Only memories from this day on, such as 2026-03-14.")] = "",
    until: Annotated[str, typer.Option("--until", help="Only memories up to this day.")] = "",
    importance: Annotated[float, typer.Option(
        "--importance", min=0, max=1, help="Minimum importance.")] = 0.0,
    pinned: Annotated[bool, typer.Option("--pinned", help="Only pinned memories.")] = False,
    scope: Annotated[str, typer.Option(
        "--scope", help="Only memories of this scope; an empty scope selects those without one.")]
    = ANY_SCOPE,
    limit: Annotated[int | None, typer.Option(
        "--limit", "-l", min=1, max=1000, help="Maximum number of results; 10 unless set.")] = None,
    session: Annotated[str | None, typer.Option(
        "--session", metavar="KEY", show_default=False,
        help="The session that asks: its results are recorded, and ending it learns from them.")
    ] = None,
    change: Set = None, explain: Explain = False, store: Store = None,
    agent: AgentName = EVERYONE, actor: Actor = OPERATOR, as_of: AsOf = "", as_json: Json = False,
) -> None:
    """Search memories for a question, best first, with the reasons for each; links and assertions
    that answer it stand among them."""
    tree = engine_options.patient(engine_options.settings_with("recall", change), change)
    embedder = engine_options.embedder(tree)
    settings = tree.recall
    if limit is not None:
        settings = settings.model_copy(update={"limit": limit})
    filters = Filters(tuple(types or ()), tuple(tags or ()), who, project, since, until,
                      importance, pinned or None, scope or None)
    words = engine_options.question(query)
    if session is not None and not session.strip():
        raise OperationError(400, "The results are recorded under the session's key",
                             field="session")
    if session is not None and as_of:
        raise OperationError(400, "A session can't be recorded in the past", field="session",
                             do="Leave out --session or --as-of")
    with (reading(store, agent, as_of) if session is None else writing(store, agent)) as workspace:
        with workspace.read() as reader:
            query, filters = read_signs(reader, words, filters)
            result = find(reader, query, settings, embedder, filters=filters,
                         explain=explain, traversal=tree.traversal)
        if result.walk is not None:
            last_walk.keep(workspace.sidecar, agent, last_walk.RECALL, result.walk)
        asked = question_log.recalled(words, result, session or "")
        question_log.note(workspace.sidecar, agent, asked, who=actor, door=COMMAND,
                          kept=tree.session.asked_kept)
        if session is not None and result.hits:
            with workspace.read() as reader:
                known = session_record(reader, session) is not None
            noted = workspace.write(f"Record results for the session {session}",
                                    lambda writer: note_recall(writer, session, result),
                                    initiator=INITIATOR, actor=actor).result
            begins = "" if known else ", which starts now"
            output.note(f"Recorded {noted} for the session {session}{begins}")
        answer = dated(workspace, recall_json(result)) if as_json else {}
    if not output.answered(as_json, answer):
        _tell(result, explain)
    engine_options.save_vectors()


def _tell(result: Recall, explain: bool) -> None:
    heads = ("score", "when", "memory id", "memory", *(("why",) if explain else ()))
    nothing = ("Nothing found within the time limit." if result.timed_out else
               "Nothing found; the notes say what was not searched." if result.notes else
               "No memory found.")
    for line in result.about:
        output.say(line)
    rules, rest = result.rules_and_rest
    if rules:
        output.say(RULES_MAY_APPLY)
        output.table(heads, (_row(line, explain) for line in rules), empty="")
    if rest and not result.fits:
        output.say(NOTHING_FITS)
    if rest or not rules:
        output.table(heads, (_row(line, explain) for line in rest), empty=nothing)
    for span in result.query_dates:
        output.note(f"“{span.text}” was read as {span}")
    if result.newest_first:
        output.note("Of those that fit about as well as the best, the newest come first")
    for note in result.notes:
        output.note(note)
    if explain:
        if result.walk is not None:
            names = ", ".join(result.walk.focal.names) or "no entity"
            output.note(f"Focal entities: {names}")
            output.note(f"memories reached by the walk: {len(result.walk.memories)}, "
                        f"entities walked: {result.walk.entity_count}")
            _tell_misses(result.walk)
        output.note(f"memories scored: {result.considered}, in {result.milliseconds:.1f} ms")


def _tell_misses(walk: Walk) -> None:
    """The first of what the walk nearly brought; `traverse` has room for all of it."""
    nearly = [miss for miss in walk.misses or () if miss.rule != "no memory"]
    for miss in nearly[:MISSES]:
        output.note(f"near miss: {miss.label} ({miss.rule})")
    if len(nearly) > MISSES:
        more = counted(len(nearly) - MISSES, "more near miss", "more near misses")
        output.note(f"{more} not shown; traverse --explain lists all")


def _row(line: Hit | Statement, explain: bool) -> tuple[object, ...]:
    row = f"{line.score:.2f}", line.when[:10], output.short_id(line.id), line.marked_text
    return (*row, line.why) if explain else row

