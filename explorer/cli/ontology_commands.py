"""`ontology`: a group of commands for each noun, the proposals, and streams of operations."""

from collections.abc import Callable

from core.ontology.operation_catalog import CATALOG
from explorer.cli import (
    assertions,
    duplicate_merges,
    evidence,
    extract_and_consolidate,
    operation_commands,
    operation_stream,
    proposals,
    review_dates_and_aliases,
    settle_command,
)
from explorer.cli.knowledge import versions
from explorer.cli.options import Commands

app = Commands(help="Change the graph, and review proposals.", no_args_is_help=True)

_COMMANDS: dict[str, Callable[..., None]] = {
    "proposals": proposals.list_proposals, "proposal": proposals.show_proposal,
    "repair": duplicate_merges.repair, "extract": extract_and_consolidate.extract,
    "consolidate": extract_and_consolidate.consolidate,
    "evidence": proposals.evidence, "conflicts": proposals.conflicts,
    "assertions": assertions.list_all,
    "propose": proposals.propose, "apply": proposals.apply, "reject": proposals.reject,
    "settle": settle_command.settle_values,
}


def _build() -> None:
    for noun, group in operation_commands.groups().items():
        if noun == "claim":
            group.command("versions")(versions)
            group.command("evidence")(evidence.claim_evidence)
        if noun == "review":
            group.command("list")(review_dates_and_aliases.reviews)
        if noun == "alias":
            group.command("list")(review_dates_and_aliases.aliases)
        if noun == "link":
            group.command("evidence")(evidence.link_evidence)
        if noun == "assertion":
            assertions.add_to(group, operation_commands.command(CATALOG["link_assertion"]))
        app.add_typer(group, name=noun)
    app.add_typer(operation_stream.app, name="stream")
    for name, command in _COMMANDS.items():
        app.command(name)(command)


_build()
