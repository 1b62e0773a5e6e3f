"""An endpoint as a program meets it: where it is, what it takes, and the function behind it."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

from msgspec import Struct, field
from pydantic import AfterValidator, Field, JsonValue

from explorer.caller_arguments import Anything, Arguments, Dated, Json, schema
from explorer.graph_for_caller import Door
from explorer.http.tokens import May

MOST = 2**31
"""No number of rows that is asked for is larger."""


class Reply(Struct, frozen=True):
    """An answer with another status than 200."""

    status: int
    body: object


class Endpoint(Struct, frozen=True):
    """One endpoint. Its description is the docstring of its function.

    Attributes:
        path: with its parameters in braces, which are fields of `takes` by their aliases.
        run: answers with what becomes JSON, or a `Reply`.
        takes: what is asked: by path and query, or by path and body where it is a POST.
        needs: what the caller's token must allow.
        also: statuses of good answers beside 200.
        refuses: statuses of refusals beside those that every endpoint has.
        example: what is asked, as OpenAPI shows it.
        shape: the schema of what it takes, where that is not the one of `takes`.
        about: the field that names the entity which is read, where that is all that is asked.
        lists: it answers with an array, not with an object.
    """

    method: Literal["GET", "POST", "DELETE"]
    path: str
    run: Callable[[Door, Any], object]
    takes: type[Arguments] = Arguments
    needs: May = "recall"
    also: tuple[int, ...] = ()
    refuses: tuple[int, ...] = ()
    example: Mapping[str, object] = field(default_factory=dict)
    shape: Callable[[], Json] | None = None
    about: str = ""
    lists: bool = False

    @property
    def name(self) -> str:
        """`get_api_knowledge_entities`: each has its own."""
        words = self.path.replace("{", "").replace("}", "").strip("/").replace("/", "_")
        return f"{self.method.lower()}_{words.replace('-', '_')}"

    @property
    def refused(self) -> tuple[int, ...]:
        """Statuses of refusals beside those that every endpoint has; 404 for a date before all."""
        return tuple({*self.refuses, *((404,) if issubclass(self.takes, Dated) else ())})

    @property
    def family(self) -> str:
        """`knowledge`: what it is listed under."""
        return self.path.removeprefix("/api").strip("/").split("/")[0]

    @property
    def description(self) -> str:
        """The docstring of its function as one text."""
        return " ".join((self.run.__doc__ or "").split())

    @property
    def in_path(self) -> tuple[str, ...]:
        """The parameters in its path."""
        return tuple(part[1:-1] for part in self.path.split("/") if part.startswith("{"))

    def input_schema(self) -> Json:
        """What it takes, path and all."""
        return self.shape() if self.shape else schema(self.takes)

    @property
    def takes_body(self) -> bool:
        """True if it takes anything in its body."""
        fields = {part.alias or name for name, part in self.takes.model_fields.items()}
        return self.method == "POST" and (bool(fields - set(self.in_path))
                                          or issubclass(self.takes, Anything))


def within(least: int, most: int) -> AfterValidator:
    """A number beyond its limits is taken for the nearest that is allowed, as upstream does."""
    return AfterValidator(lambda number: min(most, max(least, number)))


def _required(text: str) -> str:
    if not text.strip():
        raise ValueError("is required")
    return text


def known(words: tuple[str, ...], usual: str) -> AfterValidator:
    """A word that is none of these counts as not given, as upstream has it."""
    return AfterValidator(lambda word: word if word in words else usual)


NOT_BLANK: dict[str, JsonValue] = {
    "minLength": 1, "pattern": r"[^\s\u001c-\u001f\u0085]"}
"""A text that is not blank, for a schema; `\\s` alone leaves out some white space of Python."""
Words = Annotated[str, AfterValidator(_required), Field(json_schema_extra=NOT_BLANK)]
"""A text that is not blank."""
Limit = Annotated[int, within(1, 200), Field(description="The most items, 1 to 200")]
Offset = Annotated[int, within(0, MOST), Field(description="How many items to pass over")]
Kind = Annotated[str, known(("attribute", "constraint"), ""),
                 Field(description="`attribute` or `constraint`; else both")]
