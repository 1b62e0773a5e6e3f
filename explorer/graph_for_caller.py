"""The graph as one caller uses it, an agent or a program: shared by MCP and HTTP."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import cached_property
from typing import TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from core.embedding.choose_embedder import choose
from core.embedding.embedder_interface import Embedder
from core.errors import ConstellationError, OperationError
from core.model.asked import Asked
from core.model.changes import RowChange
from core.model.walk import Walk
from core.past.earliest_moment import moment_within
from core.past.moment_from_words import named_moment
from core.queries.authors import PERSON, kind_of
from core.queries.entities import find_entity
from core.queries.hide_writes_of_held_agents import leaving_out_held, waiting_words
from core.session.question_log import browsed, note
from core.settings import Settings
from core.store.hide_rows import hides
from core.store.past_file import Past
from core.store.reader_and_writer import Reader, Writer, stamp
from core.traversal import last_walk
from core.workspace import Label, Workspace
from explorer.caller_arguments import Arguments, Dated, Json

T = TypeVar("T")


class Engine:
    """What answers questions: the person's settings, and the embedder that they choose."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    @cached_property
    def embedder(self) -> Embedder:
        """It is made when a question first needs it."""
        return choose(self.settings.embedding)


class Door(Struct, frozen=True):
    """The graph as one caller uses it.

    Attributes:
        actor: who calls, for the record. An agent proposes where a person decides.
        initiator: the way in, as the window tells it: `MCP`, `HTTP`.
        past: the state that is read instead of the present one.
        waits: what was kept back from this caller, in words, once anything was read.
    """

    workspace: Workspace
    engine: Engine
    actor: str
    initiator: str
    past: Past | None = None
    waits: set[str] = field(default_factory=set)

    @property
    def of_a_person(self) -> bool:
        """True if a person calls, who may decide."""
        return kind_of(self.actor, self.workspace.agent) == PERSON

    @contextmanager
    def at(self, given: Arguments) -> Iterator["Door"]:
        """This door for what is asked: at the date that it names, else now.

        Raises OperationError where the date can't be read, or the graph knows nothing of then.
        """
        with self._saying_what_waits():
            if not isinstance(given, Dated) or not given.as_of.strip():
                yield self
                return
            moment = moment_within(self.workspace, named_moment(given.as_of))
            with self.workspace.past_at(moment) as past:
                yield replace(self, past=past)

    @contextmanager
    def _saying_what_waits(self) -> Iterator[None]:
        """Where something is not found, say also that something is kept back."""
        try:
            yield
        except OperationError as error:
            if error.status == 404 and self.waits:
                before = error.do if error.do.endswith("?") or not error.do else f"{error.do}."
                error.do = f"{before} {self.waiting_words}".strip()
            raise

    def dated(self, answer: T) -> T | Json:
        """An object that is answered; of the past with its moment and what is not known of then."""
        if self.past is None or not isinstance(answer, dict):
            return answer
        return {**answer, "asOf": {"moment": stamp(self.past.moment),
                                   "unknown": list(self.past.unknown)}}

    def noted(self, answer: T) -> T | Json:
        """An object that is answered; with what was kept back from it, if anything."""
        if not self.waits or not isinstance(answer, dict):
            return answer
        return {**answer, "heldBack": self.waiting_words}

    @property
    def waiting_words(self) -> str:
        """`3 facts wait until a person has seen them`; empty where nothing was kept back."""
        return "; ".join(sorted(self.waits))

    @contextmanager
    def read(self) -> Iterator[Reader]:
        """A moment of the graph. What a person has not seen of a hand that is held back is not
        there for an agent."""
        with self._reading() as reader, self.told(reader):
            yield reader

    def _reading(self) -> AbstractContextManager[Reader]:
        return self.workspace.read() if self.past is None else self.workspace.read_past(self.past)

    @contextmanager
    def told(self, reader: Reader) -> Iterator[None]:
        """Leave out of `reader` what this caller is not told meanwhile, and note that it waits."""
        if self.of_a_person:
            yield
            return
        with leaving_out_held(reader):
            if words := waiting_words(reader):
                self.waits.add(words)
            yield

    def shown(self, changes: Sequence[RowChange]) -> tuple[RowChange, ...]:
        """The changes of a dry run without rows that this caller is not told."""
        with self.read() as reader:
            rows = reader.hidden
        return tuple(change for change in changes if not hides(rows, change.table, change.key[0]))

    def write(self, label: Label[T], change: Callable[[Writer], T]) -> T:
        """Make one change, which is one step of the history."""
        return self.workspace.write(
            label, change, initiator=self.initiator, actor=self.actor).result

    def keep_walk(self, kind: str, walk: Walk) -> None:
        """Keep what was walked last, so that a window can show it."""
        if self.past is None:
            last_walk.keep(self.workspace.sidecar, self.workspace.agent, kind, walk)

    def note(self, asked: Asked) -> None:
        """Record what this caller asked and was told, so that a window can light it."""
        if self.past is None:
            note(self.workspace.sidecar, self.workspace.agent, asked, who=self.actor,
                 door=self.initiator, kept=self.engine.settings.session.asked_kept)

    def note_browsed(self, name: str) -> None:
        """Record that this caller read an entity."""
        with suppress(ConstellationError), self.read() as reader:
            row = find_entity(reader, name)
            self.note(browsed([row.name], [row.id]))


class Answer(Struct, frozen=True):
    """What is answered, as an object and as the text that a model reads.

    Attributes:
        note: what the model reads beside it: where the text is JSON, it is not part of that.
    """

    structured: Json
    text: str
    note: str = ""

    @classmethod
    def of(cls, structured: Json, text: object = None) -> "Answer":
        """An answer whose text is JSON: of `text` where that is given, else of all of it."""
        shown = structured if text is None else text
        return cls(structured, json.dumps(shown, indent=2, ensure_ascii=False))
