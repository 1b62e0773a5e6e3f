"""A tool as an agent meets it: what it takes, what it answers, and the function behind it."""

import json
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from core.embedding.choose_embedder import choose
from core.embedding.embedder import Embedder
from core.errors import OperationError
from core.model.names import storable
from core.model.validation import faults_of
from core.model.walk import Walk
from core.settings import Settings
from core.store.handles import Reader, Writer
from core.traversal import last_walk
from core.workspace import Label, Workspace

Json = dict[str, Any]
T = TypeVar("T")
INITIATOR = "MCP"
_TOLD = 5
"""Faults of one call that are told."""


class Arguments(BaseModel):
    """What a tool takes; a name that it does not know is refused, so that the agent notices."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class Tolerant(Arguments):
    """What a tool of the reference server takes: as there, unknown names are left alone."""

    model_config = ConfigDict(frozen=True, extra="ignore", populate_by_name=True)


class Engine:
    """What answers questions: the person's settings, and the embedder that they choose."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    @cached_property
    def embedder(self) -> Embedder:
        """It is made when a question first needs it."""
        return choose(self.settings.embedding)


@dataclass(frozen=True, slots=True)
class Door:
    """The graph as one agent uses it.

    Attributes:
        actor: who calls, for the record. Never a person: an agent proposes where a person decides.
    """

    workspace: Workspace
    engine: Engine
    actor: str

    def read(self) -> AbstractContextManager[Reader]:
        """A moment of the graph."""
        return self.workspace.read()

    def write(self, label: Label[T], change: Callable[[Writer], T]) -> T:
        """Make one change, which is one step of the history."""
        return self.workspace.write(label, change, initiator=INITIATOR, actor=self.actor).result

    def keep_walk(self, kind: str, walk: Walk) -> None:
        """Keep what was walked last, so that a window can show it."""
        last_walk.keep(self.workspace.sidecar, self.workspace.agent, kind, walk)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a tool answers, as an object and as the text that a model reads."""

    structured: Json
    text: str

    @classmethod
    def of(cls, structured: Json, text: object = None) -> "Answer":
        """An answer whose text is JSON: of `text` where that is given, else of all of it."""
        shown = structured if text is None else text
        return cls(structured, json.dumps(shown, indent=2, ensure_ascii=False))


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool. Its description is the docstring of its function.

    Attributes:
        answer: the shape of the answer, where clients know it beforehand.
        shape: the schema of what it takes, where that is not the one of `takes`.
    """

    run: Callable[[Door, Any], Answer]
    takes: type[Arguments]
    answer: type[BaseModel] | None = None
    shape: Callable[[], Json] | None = None
    reads: bool = False
    destructive: bool = False
    idempotent: bool = False

    @property
    def name(self) -> str:
        """`create_entities`."""
        return self.run.__name__

    @property
    def title(self) -> str:
        """`Create entities`."""
        return self.name.replace("_", " ").capitalize()

    @property
    def description(self) -> str:
        """The docstring of its function as one text."""
        paragraphs = (self.run.__doc__ or "").strip().split("\n\n")
        return "\n\n".join(" ".join(part.split()) for part in paragraphs)

    def input_schema(self) -> Json:
        """What it takes."""
        return self.shape() if self.shape else schema(self.takes)

    def call(self, door: Door, arguments: Mapping[str, object]) -> Answer:
        """Check the arguments and answer; OperationError (400) says what is wrong with them."""
        try:
            given = self.takes.model_validate(whole(arguments))
        except ValidationError as error:
            faults = [f"{'.'.join(map(str, place))} {words}".strip()
                      for place, _, words in faults_of(error)]
            raise OperationError(400, "; ".join(faults[:_TOLD]), do="Nothing was done") from error
        return self.run(door, given)


def schema(model: type[BaseModel]) -> Json:
    """The JSON schema of a model in one piece: not every client follows references."""
    whole = model.model_json_schema(by_alias=True)
    definitions = whole.pop("$defs", {})
    inlined = _inlined(whole, definitions)
    assert isinstance(inlined, dict)
    return inlined


def _inlined(part: object, definitions: Mapping[str, object]) -> object:
    if isinstance(part, list):
        return [_inlined(item, definitions) for item in part]
    if not isinstance(part, dict):
        return part
    if "$ref" in part:
        return _inlined(definitions[part["$ref"].rpartition("/")[2]], definitions)
    return {key: _inlined(value, definitions) for key, value in part.items()
            if not (key == "title" and isinstance(value, str))}


def whole(thing: Any) -> Any:
    """What came as JSON, without halves of characters."""
    if isinstance(thing, str):
        return storable(thing)
    if isinstance(thing, list):
        return [whole(item) for item in thing]
    if isinstance(thing, Mapping):
        return {storable(str(key)): whole(value) for key, value in thing.items()}
    return thing
