"""`settings`: what the engine can be set to, with the default, the value and the meaning."""

from pathlib import Path
from typing import Annotated

import typer
from msgspec import Struct, to_builtins
from pydantic.alias_generators import to_camel

from core.errors import OperationError
from core.model.did_you_mean import choices
from core.settings import Settings, describe, load, settings_file
from explorer.cli import output
from explorer.cli.options import Json


def settings(
    part: Annotated[str, typer.Argument(
        metavar="PART", show_default=False,
        help="A part of the engine, such as traversal; without it all parts.")] = "",
    as_json: Json = False,
) -> None:
    """List settings for --set and the settings file, with their descriptions."""
    if part and part not in Settings.model_fields:
        raise OperationError(400, f"The settings have no part “{part}”", field="part",
                             do=choices(part, Settings.model_fields))
    loaded, file = load(), settings_file()
    listed = [setting for setting in describe() if part in ("", setting.section)]
    values = [getattr(getattr(loaded.settings, each.section), each.name) for each in listed]
    if as_json:
        output.answer_json({"file": file, "items": [
            {"part": each.section, "name": to_camel(each.name), "default": _plain(each.default),
             "now": _plain(value), "meaning": each.meaning, "least": each.least,
             "most": each.most} for each, value in zip(listed, values, strict=True)]})
        return
    output.table(("name", "default", "now", "meaning"), (
        (f"{each.section}.{to_camel(each.name)}", _worded(each.default),
         "" if value == each.default else _worded(value), each.meaning)
        for each, value in zip(listed, values, strict=True)), empty="")
    output.note(_where(file))


def _where(file: Path) -> str:
    return ("For one run, with traverse, recall, session and check: --set NAME=VALUE. "
            f"Permanently: {file}, or Settings in the window")


def _plain(value: object) -> object:
    """A value in JSON's own types; a part of a part becomes an object."""
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json")
    return to_builtins(value) if isinstance(value, Struct) else value


def _worded(value: object) -> str:
    """A value as it is typed after `--set NAME=`."""
    if value is None or isinstance(value, bool):
        return "" if value is None else str(value).lower()
    if isinstance(value, list | tuple | set | frozenset):
        return ", ".join(map(str, value))
    return str(_plain(value))
