"""A tool as an agent meets it: what it takes, what it answers, and the function behind it."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from pydantic import BaseModel, ConfigDict

from explorer.caller_arguments import Arguments, Json, checked, schema
from explorer.graph_for_caller import Answer, Door


class Tolerant(Arguments):
    """What a tool of the reference server takes: as there, unknown names are left alone."""

    model_config = ConfigDict(frozen=True, extra="ignore", populate_by_name=True)


class Tool(Struct, frozen=True):
    """One tool. Its description is the docstring of its function.

    Attributes:
        answer: the shape of the answer, where clients know it beforehand.
        shape: the schema of what it takes, where that is not the one of `takes`.
        about: the field that names the entity which is read, where that is all that is asked.
    """

    run: Callable[[Door, Any], Answer]
    takes: type[Arguments]
    answer: type[BaseModel] | None = None
    shape: Callable[[], Json] | None = None
    about: str = ""
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
        given = checked(self.takes, arguments)
        with door.at(given) as then:
            answer = self.run(then, given)
            if self.about:
                then.note_browsed(getattr(given, self.about))
        waits = then.waiting_words
        note = "\n".join(filter(None, (answer.note, waits if waits not in answer.text else "")))
        if self.answer is None:  # The answers that clients know beforehand have no room for it.
            answer = replace(answer, structured=then.noted(answer.structured))
        if then.past is None:
            return replace(answer, note=note)
        words = (f"This is {then.past.words}.",
                 *(f"Not known of then: {gap}" for gap in then.past.unknown), answer.text)
        return Answer(then.dated(answer.structured), "\n".join(words), note)
