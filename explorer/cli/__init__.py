"""The commands of `constellation`: each is loaded when it is run, the others are only listed."""

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer
import typer.core

from explorer.cli.options import Commands, Group

_FOLDER = Path(__file__).parent
COMMANDS = {
    "open": "open_and_render_commands:open_window", "new": "new_and_info_commands:new",
    "info": "new_and_info_commands:info",
    "import": "import_command:import_file", "watch": "watch_command:watch_folder",
    "export": "export_command:export_file",
    "traverse": "traverse_and_neighborhood:traverse",
    "neighborhood": "traverse_and_neighborhood:neighborhood",
    "recall": "recall:recall",
    "mcp": "mcp_command:serve_agents", "serve": "serve_and_token_commands:serve",
    "remember": "remember_and_forget:remember", "forget": "remember_and_forget:forget",
    "maintenance": "maintenance_command:maintenance", "settings": "settings:settings",
    "render": "open_and_render_commands:render", "diff": "diff_command:diff",
    "history": "history_and_undo:history", "undo": "history_and_undo:undo",
    "redo": "history_and_undo:redo",
    "backup": "backup_command:backup", "restore": "restore_command:restore",
    "completion": "completion:completion",
    "knowledge": "knowledge:app", "ontology": "ontology_commands:app", "session": "session:app",
    "token": "serve_and_token_commands:token_app",
    "expect": "expectations:app", "check": "expectation_check:check",
    "inbox": "unseen_writes_inbox:app",
    "doctor": "doctor_command:doctor",
}
"""The words that are a command, with the module and the function or group behind each. Anything
else in their place names a graph."""


class LazyCommands(Mapping[str, Any]):
    """The commands by name, each loaded when it is asked for."""

    def __init__(self) -> None:
        self._loaded: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._loaded:
            module, _, attribute = COMMANDS[name].partition(":")
            self._loaded[name] = _command(
                name, getattr(import_module(f"explorer.cli.{module}"), attribute))
        return self._loaded[name]

    def __iter__(self) -> Iterator[str]:
        return iter(COMMANDS)

    def __len__(self) -> int:
        return len(COMMANDS)


class LazyGroup(Group):
    """The program: knows its commands by name, and lists them without loading one."""

    def __init__(self, **rest: Any) -> None:
        super().__init__(**rest)
        self.commands: Any = LazyCommands()
        self._listing = False

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if self._listing:
            return typer.core.TyperCommand(cmd_name, help=listed_help(cmd_name))
        return self.commands.get(cmd_name)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        self._listing = True
        try:
            super().format_commands(ctx, formatter)
        finally:
            self._listing = False


def listed_help(name: str) -> str:
    """What `--help` says of a command, read from its source: the docstring, or a group's `help`."""
    import ast  # noqa: PLC0415  only `--help` reads sources

    module, _, attribute = COMMANDS[name].partition(":")
    for node in ast.parse((_FOLDER / f"{module}.py").read_text(encoding="utf-8")).body:
        match node:
            case ast.FunctionDef(name=found) if found == attribute:
                return ast.get_docstring(node) or ""
            case ast.Assign(targets=[ast.Name(id=found)], value=ast.Call(keywords=given)) if (
                    found == attribute):
                return next((ast.literal_eval(each.value) for each in given
                             if each.arg == "help"), "")
    return ""


def _command(name: str, declared: Callable[..., None] | typer.Typer) -> Any:
    alone = Commands(**_PLAIN)
    if isinstance(declared, typer.Typer):
        alone.add_typer(declared, name=name)
        return typer.main.get_group(alone).commands[name]
    alone.command(name)(declared)
    return typer.main.get_command(alone)


def _version(asked: bool) -> None:
    if asked:
        from explorer.program_version import version  # noqa: PLC0415  only for this

        typer.echo(f"constellation {version()}")
        raise typer.Exit


_PLAIN: dict[str, Any] = {
    "add_completion": False, "rich_markup_mode": None, "pretty_exceptions_enable": False,
    "context_settings": {"help_option_names": ["-h", "--help"]}}
app = Commands(
    help="Browse and edit an AI agent's memory, and review its proposals. Without a command: open "
         "the window.",
    cls=LazyGroup, no_args_is_help=False, **_PLAIN,
)


@app.callback()
def _every_command(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Options before a command."""
