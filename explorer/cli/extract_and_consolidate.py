"""`ontology extract` and `ontology consolidate`: proposals and assertions out of texts."""

from pathlib import Path
from typing import Annotated, Any

import typer

from core.model.text_formatting import counted
from core.settings import Settings
from core.store.reader_and_writer import Writer
from explorer.cli import output
from explorer.cli.given_files import read_text
from explorer.cli.open_graph import reading
from explorer.cli.options import EVERYONE, OPERATOR, Actor, AgentName, Json, Set, Store
from explorer.cli.run_operation import carry_out
from explorer.extraction_json import consolidated_json, extracted_json

Provider = Annotated[bool, typer.Option(
    "--use-provider", help="Ask the server that extraction.provider names.")]
Most = Annotated[int, typer.Option("--limit", "-l", min=1, max=500, help="The most of each.")]


def extract(
    source: Annotated[str, typer.Argument(
        metavar="FILE", help="A text or JSON file, - for standard input, or what the graph keeps:"
                             " transcript:KEY, memory:ID, artifact:PATH.")],
    write_proposals: Annotated[bool, typer.Option(
        "--write-proposals", help="Propose what was found; else nothing is written.")] = False,
    write_assertions: Annotated[bool, typer.Option(
        "--write-assertions", help="Record who said what.")] = False,
    use_provider: Provider = False, limit: Most = 50, change: Set = None, store: Store = None,
    agent: AgentName = EVERYONE, actor: Actor = OPERATOR, as_json: Json = False,
) -> None:
    """Take proposals and assertions out of a text, each with the words that say it.

    JSON is read as it is; of plain text wiki links, links between known names, rules and who said
    what. Nothing leaves this machine unless a server is configured and asked for.
    """
    from core.extraction import extract as extraction  # noqa: PLC0415 - others need none of it
    from core.extraction.extracted import Text  # noqa: PLC0415
    from core.ontology.change_provenance import Source  # noqa: PLC0415

    settings = _settings(change)
    with reading(store, agent) as workspace, workspace.read() as reader:
        text = extraction.kept_text(reader, source) or Text(
            read_text(Path(source)), Source("text") if source == "-" else Source(
                "file", None, source))
        result = extraction.extract(reader, text, settings.extraction, settings.ingest,
                                    use_provider=use_provider, limit=limit)
    written = extraction.Written()
    if write_proposals or write_assertions:
        def change_graph(writer: Writer) -> extraction.Written:
            return extraction.write(writer, result, proposals=write_proposals,
                                    assertions=write_assertions)

        written, _ = carry_out(store, agent, actor, f"Extract from {source}", change_graph)
    if output.answered(as_json, extracted_json(result, written, write_proposals
                                               or write_assertions)):
        return
    output.table(("what", "with", "says"), (
        (request["operation"], _payload(request), request["evidence"][0].get("quote", ""))
        for request in (*result.proposals, *result.assertions)
        if isinstance(request, dict) and "operation" in request), empty="Nothing was found.")
    for words in (*result.warnings, *written.refused, *(f"? {each}" for each in result.questions)):
        output.note(f"! {words}")
    _tell_written(len(written.proposals), len(written.assertions),
                  write_proposals or write_assertions)


def _settings(change: list[str] | None) -> Settings:
    from explorer.cli.engine_options import settings_with  # noqa: PLC0415 - others need none of it

    return settings_with("extraction", change)


def _payload(request: dict[str, Any]) -> str:
    return ", ".join(str(value) for name, value in request["payload"].items()
                     if name not in ("kind", "reason", "confidence"))


def _tell_written(proposals: int, assertions: int, wrote: bool) -> None:
    if wrote:
        output.say(f"{counted(proposals, 'proposal')} and {counted(assertions, 'assertion')}"
                   " written")
    else:
        output.note("Nothing was written; --write-proposals and --write-assertions do")


def consolidate(
    write_proposals: Annotated[bool, typer.Option(
        "--write-proposals", help="Propose each in the place of those that it folds.")] = False,
    use_provider: Provider = False,
    limit: Annotated[int, typer.Option("--limit", "-l", min=1, max=1000,
                                       help="The most waiting proposals to compare.")] = 200,
    change: Set = None, store: Store = None, agent: AgentName = EVERYONE,
    actor: Actor = OPERATOR, as_json: Json = False,
) -> None:
    """Fold waiting proposals that mean the same into one, with the evidence of all."""
    from core.extraction import fold_same_proposals as folding  # noqa: PLC0415 - others need none of it

    settings = _settings(change)
    with reading(store, agent) as workspace, workspace.read() as reader:
        result = folding.consolidate(reader, settings.extraction, use_provider=use_provider,
                                     limit=limit)
    ids: tuple[str, ...] = ()
    if write_proposals:
        ids, _ = carry_out(store, agent, actor, "Fold proposals",
                           lambda writer: folding.write(writer, result.items))
    if output.answered(as_json, consolidated_json(result, ids, write_proposals)):
        return
    output.table(("folds", "into", "with"), (
        (len(one.replaces), one.request["operation"], _payload(one.request))
        for one in result.items), empty="No proposals mean the same.")
    for words in (*result.warnings, *(f"? {each}" for each in result.questions)):
        output.note(f"! {words}")
    if write_proposals:
        output.say(f"{counted(len(ids), 'proposal')} written")
