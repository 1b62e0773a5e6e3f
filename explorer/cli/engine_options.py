"""What the engine's commands share: settings, entities by any of their names, ways of a walk."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from pydantic import ValidationError

from core.errors import OperationError
from core.model.claims_and_assertions import Slot
from core.model.did_you_mean import nearest
from core.model.pydantic_helpers import faults_of
from core.model.walk import Path as WalkPath
from core.queries.entities import find_entity
from core.recall.config import RecallSettings
from core.settings import Settings, changed, load
from core.store.reader_and_writer import Reader
from explorer.cli import output
from explorer.cli.given_files import read_text
from explorer.cli.options import Set as Set

if TYPE_CHECKING:
    from core.embedding.embedder_interface import Embedder

PATIENCE_MS = 10_000
"""Milliseconds a command takes for meanings: in a large file reading the vectors may take one
second, and making them several."""
Explain = Annotated[
    bool, typer.Option("--explain", help="Explain why each item is included, and list near misses.")
]


def settings_with(section: str, values: Sequence[str] | None) -> Settings:
    """The person's settings, with some changed for this call: `NAME=VALUE` of this section.

    Raises OperationError (400) for a setting or value that there is not.
    """
    loaded = load()
    for line in loaded.ignored:
        output.note(f"A line of the settings file is ignored: {line.where}: {line.why}")
    settings = loaded.settings
    for part, named in _by_section(section, values or ()).items():
        try:
            settings = changed(settings, part, **named)
        except ValidationError as error:
            raise _refused(part, error) from error
    return settings


def patient(settings: Settings, given: Sequence[str] | None) -> Settings:
    """The settings with more time for meanings, unless the person set a time limit.

    A command has nothing in memory yet, and nobody asks it again for the rest.
    """
    recall, usual = settings.recall, RecallSettings().deadline_ms
    limited = any("deadline" in line.partition("=")[0].lower() for line in given or ())
    if limited or recall.deadline_ms != usual:
        return settings
    return settings.model_copy(
        update={"recall": recall.model_copy(update={"deadline_ms": PATIENCE_MS})})


def embedder(settings: Settings) -> "Embedder":
    """The embedder that is set; the words of the offline one load beside what comes next."""
    # Here, because it loads numpy, and few commands compare meanings.
    from core.embedding.choose_embedder import choose  # noqa: PLC0415
    from core.embedding.word_vectors import WordEmbedder  # noqa: PLC0415

    chosen = choose(settings.embedding)
    if isinstance(chosen, WordEmbedder):
        chosen.load_ahead()
    return chosen


def save_vectors() -> None:
    """Keep for the next command what meanings were compared by; called after the answer."""
    # Here, because few commands compare meanings.
    from core.recall.vector_upkeep import MATRICES  # noqa: PLC0415

    sys.stdout.flush()
    MATRICES.save()


def _refused(part: str, error: ValidationError) -> OperationError:
    """What is wrong with a value, or that there is no such setting, and which there are."""
    place, kind, words = next(faults_of(error))
    name = ".".join(map(str, place))
    if kind != "extra_forbidden":
        return OperationError(400, f"{part}.{name} {words}", field="set")
    fields = type(getattr(Settings(), part)).model_fields
    known = [field.alias or plain for plain, field in fields.items()]
    near = nearest(name, known)
    listed = f"“constellation settings {part}” lists them"
    return OperationError(400, f"{part} has no setting “{name}”", field="set",
                          do=f"Choose one of {', '.join(near)}; {listed}" if near else
                          listed)


def _by_section(usual: str, values: Sequence[str]) -> Mapping[str, dict[str, str]]:
    by_part: dict[str, dict[str, str]] = {}
    for value in values:
        name, given, text = value.partition("=")
        if not given:
            raise OperationError(400, f"“{value}” has no value", field="set",
                                 do="Write it as NAME=VALUE; “constellation settings” "
                                    "lists the names")
        part, _, setting = name.rpartition(".")
        if part and part not in Settings.model_fields:
            raise OperationError(400, f"The settings have no part “{part}”", field="set",
                                 do=f"Choose one of {', '.join(Settings.model_fields)}")
        by_part.setdefault(part or usual, {})[setting] = text
    return by_part


def question(typed: str) -> str:
    """The question as it was typed; `-` is what comes on standard input."""
    return read_text(Path("-")) if typed == "-" else typed


def ids_of(reader: Reader, names: Sequence[str] | None) -> tuple[str, ...]:
    """The ids of the entities that are called so."""
    return tuple(find_entity(reader, name).id for name in names or ())


def way(path: WalkPath, labels: Mapping[str, str], slot: Slot | None = None) -> str:
    """The path of a walk to something: `Vega → uses Kotlin › versions › general · current`."""
    links = [labels.get(id, "") for id in path.dependency_ids]
    arrow = f" → {links[0]} " if links else " → "
    steps = [arrow.join(labels.get(id, id) for id in path.entity_ids)]
    steps += [labels.get(id, id) for id in path.aspect_ids]
    if slot is not None and slot.claim_key:
        steps.append(f"{slot.group_key} · {slot.claim_key}")
    return " › ".join(steps)
