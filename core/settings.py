"""Every number of the engine as one tree: described once, kept in one TOML file."""

import json
import os
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import platformdirs
from annotated_types import Ge, Gt, Le, Lt
from msgspec import Struct
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel
from pydantic.fields import FieldInfo

from core.embedding.config import EmbeddingSettings
from core.errors import ConstellationError
from core.extraction.config import ExtractionSettings
from core.health.config import HealthSettings
from core.ingest.config import IngestSettings
from core.learning.config import FeedbackSettings, ScorerSettings, SupersessionSettings
from core.maintenance.config import MaintenanceSettings
from core.model.pydantic_helpers import faults_of
from core.recall.config import RecallSettings
from core.session.config import SessionSettings
from core.traversal.config import NeighborhoodSettings, TraversalSettings


class Settings(BaseModel):
    """What the engine is set to; a package's numbers are one section each."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    traversal: TraversalSettings = Field(
        default=TraversalSettings(), title="The walk",
        description="Focal entities and the walk from them.")
    neighborhood: NeighborhoodSettings = Field(
        default=NeighborhoodSettings(), description="The neighborhood of an entity.")
    recall: RecallSettings = Field(
        default=RecallSettings(), description="How memories are found and scored.")
    embedding: EmbeddingSettings = Field(
        default=EmbeddingSettings(), title="Vectors",
        description="How vectors are computed.")
    ingest: IngestSettings = Field(
        default=IngestSettings(), title="What is stored",
        description="What is stored in the graph, and its limits.")
    session: SessionSettings = Field(
        default=SessionSettings(), title="Sessions of agents",
        description="What a session starts with.")
    feedback: FeedbackSettings = Field(
        default=FeedbackSettings(), title="Learning",
        description="What the graph learns from sessions.")
    scorer: ScorerSettings = Field(
        default=ScorerSettings(), title="Learned ranking",
        description="The learned ranking of a session's memories.")
    supersession: SupersessionSettings = Field(
        default=SupersessionSettings(), title="Newer values",
        description="When a newer value replaces an older one.")
    maintenance: MaintenanceSettings = Field(
        default=MaintenanceSettings(), description="What maintenance does.")
    extraction: ExtractionSettings = Field(
        default=ExtractionSettings(), title="Texts to claims",
        description="Who takes structure out of texts.")
    health: HealthSettings = Field(
        default=HealthSettings(), title="Health report",
        description="What counts as a finding of the health report.")


class Setting(Struct, frozen=True):
    """One setting as a dialog or a manual shows it."""

    section: str
    name: str
    title: str
    """What a dialog calls it."""
    meaning: str
    default: Any
    kind: Any
    """Its Python type."""
    least: float | None
    most: float | None


class Ignored(Struct, frozen=True):
    """A line of the settings file that was not used, and why."""

    where: str
    why: str


class Loaded(Struct, frozen=True):
    """The settings of a file, with what in it could not be used."""

    settings: Settings
    ignored: tuple[Ignored, ...] = ()


def settings_file() -> Path:
    """Where this person's settings lie; `CONSTELLATION_SETTINGS` overrides it."""
    chosen = os.environ.get("CONSTELLATION_SETTINGS")
    return Path(chosen) if chosen else (
        Path(platformdirs.user_config_dir("constellation")) / "settings.toml")


def load(path: Path | None = None) -> Loaded:
    """The settings in a file, the defaults for what it does not say; never raises.

    Whatever can't be used is left at its default and listed.
    """
    path = path or settings_file()
    try:
        entries = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Loaded(Settings())
    except (OSError, ValueError) as error:
        return Loaded(Settings(), (Ignored(str(path), str(error)),))
    return _usable(entries)


def _usable(entries: dict[str, Any]) -> Loaded:
    """The settings in `entries` without those at fault, which are struck one round at a time."""
    ignored: list[Ignored] = []
    while True:
        try:
            return Loaded(Settings.model_validate(entries), tuple(ignored))
        except ValidationError as error:
            struck = [Ignored(".".join(map(str, place)), words)
                      for place, _, words in faults_of(error)
                      if _strike(entries, tuple(map(str, place)))]
            if not struck:  # Nothing of the file can be held responsible: take none of it.
                return Loaded(Settings(), (*ignored, Ignored("", str(error))))
            ignored += struck


def _strike(entries: dict[str, Any], place: tuple[str, ...]) -> bool:
    """Remove what lies at `place`, or the nearest thing above it; True if there was something."""
    here = entries
    for step in place:
        key = next((key for key in here if step in (key, to_camel(key))), None)
        if key is None:
            return False
        if step is place[-1] or not isinstance(here[key], dict):
            del here[key]
            return True
        here = here[key]
    return False


def save(settings: Settings, path: Path | None = None) -> Path:
    """Write what differs from the defaults, whole or not at all; returns the file.

    Raises ConstellationError where the folder does not allow it.
    """
    path = path or settings_file()
    draft = path.with_name(path.name + ".new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft.write_text(_toml(settings), encoding="utf-8")
        os.replace(draft, path)
    except OSError as error:
        raise ConstellationError(
            "The settings can't be saved", where=str(path), detail=str(error),
            do="Check the permissions of the folder") from error
    return path


def _toml(settings: Settings) -> str:
    """Only what was changed, so that a better default of a later version reaches this person."""
    parts = []
    for section, values in settings.model_dump(
            mode="json", exclude_defaults=True, exclude_none=True).items():
        lines = [f"{name} = {_literal(value)}" for name, value in values.items()]
        if lines:
            parts.append("\n".join([f"[{section}]", *lines]))
    return "\n\n".join(parts) + "\n"


def _literal(value: object) -> str:
    """A value as TOML writes it; its strings are those of JSON, except for one sign."""
    if isinstance(value, Mapping):
        inner = ", ".join(f"{_literal(str(k))} = {_literal(v)}" for k, v in value.items())
        return f"{{{inner}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_literal, value))}]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def describe() -> tuple[Setting, ...]:
    """Every setting in order, for the dialog and the manual."""
    return tuple(_described())


def _described() -> Iterator[Setting]:
    for section, part in Settings.model_fields.items():
        model = part.annotation
        assert model is not None
        for name, field in model.model_fields.items():
            yield Setting(section, name, field.title or "", field.description or "",
                          field.get_default(call_default_factory=True), field.annotation,
                          _bound(field, (Ge, "ge"), (Gt, "gt")),
                          _bound(field, (Le, "le"), (Lt, "lt")))


def _bound(field: FieldInfo, *kinds: tuple[type, str]) -> float | None:
    for kind, name in kinds:
        for rule in field.metadata:
            if isinstance(rule, kind):
                return float(getattr(rule, name))
    return None


def changed(settings: Settings, section: str, **values: object) -> Settings:
    """The settings with some values of one section replaced and checked.

    Raises pydantic's ValidationError for a value that is not allowed.
    """
    part = getattr(settings, section)
    checked = type(part).model_validate(values)  # by any spelling of a name
    new = part.model_copy(update={n: getattr(checked, n) for n in checked.model_fields_set})
    return settings.model_copy(update={section: new})
