"""`knowledge hygiene` and its kin: what is wrong with the graph, and what mends it.

Their parts are loaded when they run: the other commands of the group need none of them.
"""

from typing import Annotated

import typer

from core.health.kinds import KINDS
from core.health.name_match_strictness import Strictness
from core.model.text_formatting import counted
from explorer.cli import output
from explorer.cli.open_graph import reading
from explorer.cli.options import (
    EVERYONE,
    OPERATOR,
    Actor,
    AgentName,
    Commands,
    DryRun,
    Json,
    Store,
    countable,
)

_SHOWN = 10
"""Findings of each kind that a person is shown."""


def hygiene(
    kind: Annotated[list[str] | None, typer.Option(
        "--kind", help=f"Only findings of this kind; may be repeated: {', '.join(KINDS)}.",
        show_default=False)] = None,
    strictness: Annotated[Strictness | None, typer.Option(
        "--strictness", help="How much the names of duplicates may differ.",
        show_default=False)] = None,
    limit: Annotated[int, typer.Option(
        "--limit", "-l", min=1, metavar="N", callback=countable,
        help="Maximum number of findings of each kind.")] = 1000,
    memory_limit: Annotated[int | None, typer.Option(
        "--memory-limit", min=0, metavar="N", callback=countable, show_default=False,
        help="How many of the newest memories are searched for names.")] = None,
    mend: Annotated[str, typer.Option(
        "--fix", metavar="KIND|ID", show_default=False,
        help="Mend one finding by its id, or all of a kind, as one step that “undo” takes "
             "back.")] = "",
    leave: Annotated[str, typer.Option(
        "--leave", metavar="ID", show_default=False,
        help="Leave a finding as it is: it is not reported again.")] = "",
    again: Annotated[bool, typer.Option(
        "--again", help="Report again what was left as it is.")] = False,
    dry_run: DryRun = False, store: Store = None, agent: AgentName = EVERYONE,
    actor: Actor = OPERATOR, as_json: Json = False,
) -> None:
    """Report what is wrong with the graph, each with the operation that mends it."""
    from core.health.dismissed_findings import left_findings, report_again  # noqa: PLC0415
    from core.health.report import report  # noqa: PLC0415
    from explorer.cli import health_fixes  # noqa: PLC0415
    from explorer.cli.engine_options import settings_with  # noqa: PLC0415
    from explorer.health_json import report_json, rules_of  # noqa: PLC0415

    rules = rules_of(settings_with("health", ()), duplicates=strictness, memories=memory_limit)
    if mend:
        health_fixes.carry_out_fix(mend, rules, store, agent, actor, dry_run, as_json)
        return
    with reading(store, agent) as workspace:
        if again:
            report_again(workspace.sidecar, agent)
        if leave:
            health_fixes.leave_as_is(workspace, rules, leave)
        with workspace.read() as reader:
            result = report(reader, rules, kinds=kind or (), limit=limit,
                            left=left_findings(workspace.sidecar, agent))
    if output.answered(as_json, report_json(result)):
        return
    if not result.findings:
        output.say("Nothing is wrong with this graph.")
    for name, count in result.counts.items():
        findings = [one for one in result.findings if one.kind == name]
        if findings:
            output.say(f"{KINDS[name].title} ({count}, {name})")
            output.table(("", "", "", ""), (
                (f"  {one.severity}", one.id, one.text, one.fix.operation if one.fix else "")
                for one in findings[:_SHOWN]), empty="")
            if count > _SHOWN:
                output.say(f"  and {counted(count - _SHOWN, 'more', 'more')}; --kind {name} --json"
                           " lists all")

    if result.left:
        left = counted(result.left, "finding left as it is", "findings left as they are")
        output.note(f"{left}; --again reports {'them' if result.left > 1 else 'it'}")


def show_statistics(
    store: Store = None, agent: AgentName = EVERYONE, as_json: Json = False
) -> None:
    """Count what is known, how much of what is remembered is organised, and the weights."""
    from explorer.statistics_and_communities_json import stats_json  # noqa: PLC0415

    with reading(store, agent) as workspace, workspace.read() as reader:
        answer = stats_json(reader)
    if not output.answered(as_json, answer):
        output.table(("", ""), ((_words(name), value) for name, value in answer.items()), empty="")


def _words(name: str) -> str:
    """`coveragePercent` -> `coverage percent`."""
    return "".join(f" {sign.lower()}" if sign.isupper() else sign for sign in name)


def list_communities(
    store: Store = None, agent: AgentName = EVERYONE, as_json: Json = False
) -> None:
    """List groups of entities that have more to do with each other than with the rest."""
    from core.constellation.community_list import list_communities as read  # noqa: PLC0415
    from core.embedding.choose_embedder import choose  # noqa: PLC0415
    from explorer.cli.engine_options import settings_with  # noqa: PLC0415
    from explorer.statistics_and_communities_json import communities_json  # noqa: PLC0415

    embedder = choose(settings_with("embedding", ()).embedding)
    with reading(store, agent) as workspace, workspace.read() as reader:
        communities = read(reader, workspace.sidecar, embedder)
    if not output.answered(as_json, communities_json(communities)):
        output.table(("community", "members", "cohesion", ""), (
            (one.name, one.member_count, round(one.cohesion, 2), one.summary)
            for one in communities), empty="No communities: too few entities are linked.")


def show_health(
    entity: Annotated[str, typer.Argument(metavar="ENTITY", help="Its name or id.")],
    store: Store = None, agent: AgentName = EVERYONE, as_json: Json = False,
) -> None:
    """Show how an entity fares in sessions: win rate, history and trend."""
    from explorer.entity_health_json import entity_health_json  # noqa: PLC0415

    with reading(store, agent) as workspace, workspace.read() as reader:
        answer = entity_health_json(reader, entity)
    if output.answered(as_json, answer):
        return
    feedback, played = answer["feedback"], answer["history"]
    if not played and not feedback["history"]:
        output.say(f"No session has told anything about {answer['entityName']} yet.")
        return
    if played:
        output.say(f"{answer['entityName']}: {answer['winRate']:.0%} of"
                   f" {counted(len(played), 'session')} won, {answer['trend']}")
        output.table(("when", "won", "margin"), (
            (one["createdAt"][:16], "yes" if one["won"] else "no", round(one["margin"], 3))
            for one in played[-_SHOWN:]), empty="")
    if feedback["history"]:
        output.say(f"{counted(len(feedback['history']), 'rating')} of what it led to,"
                   f" {feedback['average']:+.2f} on average, {feedback['trend']}")


def add_to(app: Commands) -> None:
    """Add the commands to the group `knowledge`."""
    for name, command in (("hygiene", hygiene), ("stats", show_statistics),
                          ("communities", list_communities), ("health", show_health)):
        app.command(name)(command)
