"""The commands of `constellation`, put together."""

from collections.abc import Callable
from typing import Annotated

import typer

from explorer.cli import (
    change_commands,
    completion,
    export_command,
    files,
    history,
    import_command,
    knowledge,
    maintenance,
    mcp_command,
    recall,
    remember,
    restore_command,
    serve_command,
    session,
    settings,
    traversal,
    window_commands,
)
from explorer.cli.options import Commands

app = Commands(
    help="Browse and edit an AI agent's memory, and review its proposals. Without a command: open "
         "the window.",
    no_args_is_help=False, add_completion=False, rich_markup_mode=None,
    pretty_exceptions_enable=False, context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"constellation {files.version()}")
        raise typer.Exit


@app.callback()
def _every_command(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Options before a command."""


_TOP: dict[str, Callable[..., None]] = {
    "open": window_commands.open_window, "new": files.new, "info": files.info,
    "import": import_command.import_file, "export": export_command.export_file,
    "traverse": traversal.traverse, "neighborhood": traversal.neighborhood,
    "recall": recall.recall,
    "mcp": mcp_command.serve_agents, "serve": serve_command.serve,
    "remember": remember.remember, "forget": remember.forget,
    "maintenance": maintenance.maintenance, "settings": settings.settings,
    "render": window_commands.render,
    "history": history.history, "undo": history.undo, "redo": history.redo,
    "restore": restore_command.restore,
    "completion": completion.completion,
}
for _name, _command in _TOP.items():
    app.command(_name)(_command)
app.add_typer(knowledge.app, name="knowledge")
app.add_typer(change_commands.app, name="ontology")
app.add_typer(session.app, name="session")
app.add_typer(serve_command.token_app, name="token")

COMMANDS = frozenset(_TOP) | {"knowledge", "ontology", "session", "token"}
"""The words that are a command; anything else in their place names a graph."""
