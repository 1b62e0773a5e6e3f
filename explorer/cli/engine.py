"""What the commands of the engine share: the settings, and entities by any of their names."""

from collections.abc import Sequence
from typing import Annotated

import typer
from pydantic import ValidationError

from core.errors import OperationError
from core.queries.aliases import entity_called
from core.settings import Settings, changed, load
from core.store.handles import Reader
from explorer.cli import output

Explain = Annotated[
    bool, typer.Option("--explain", help="Say why each thing is in, and what nearly was.")
]
Set = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="Another value of a setting, this once."),
]


def settings_with(section: str, values: Sequence[str] | None) -> Settings:
    """The person's settings, with `NAME=VALUE` of one section changed for this call.

    Raises OperationError (400) for a setting or value that there is not.
    """
    loaded = load()
    for line in loaded.ignored:
        output.note(f"The settings say something that is not used: {line.where}: {line.why}")
    named = dict(value.partition("=")[::2] for value in values or ())
    try:
        return changed(loaded.settings, section, **named)
    except ValidationError as error:
        fault = error.errors(include_url=False, include_context=False)[0]
        raise OperationError(400, f"{section}.{'.'.join(map(str, fault['loc']))}: {fault['msg']}",
                             field="set") from error


def ids_of(reader: Reader, names: Sequence[str] | None) -> tuple[str, ...]:
    """The ids of the entities that are called so."""
    return tuple(entity_called(reader, name).id for name in names or ())
