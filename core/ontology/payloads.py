"""What every operation's input has in common: trimming, aliases, shares, keys, errors in words."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Annotated, Literal, Self

from pydantic import (
    AfterValidator,
    AliasChoices,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
    model_validator,
)

from core.errors import OperationError
from core.model.names import slot_key
from core.model.validation import faults_of
from core.store.handles import Reader


def clamped(value: object) -> float | None:
    """A share clamped to 0..1; anything that is not a JSON number counts as not given."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if value != value or value in (float("inf"), float("-inf")):
        return 0.0
    return float(min(1, max(0, value)))


def _force(value: object) -> bool:
    """The four spellings of yes that a payload may use."""
    return value in (True, 1, "1", "true")


def _word(value: object) -> object:
    return value.lower() if isinstance(value, str) else value


def _key(value: str) -> str:
    key = slot_key(value)
    if key is None:
        raise ValueError("is empty")
    return key


Text = Annotated[str, StringConstraints(strict=True, min_length=1)]
Share = Annotated[Annotated[float, Field(ge=0, le=1)] | None, BeforeValidator(clamped)]
Force = Annotated[bool, BeforeValidator(_force)]
Kind = Annotated[Literal["attribute", "constraint"], BeforeValidator(_word)]
Key = Annotated[Text, AfterValidator(_key)]


def called(*names: str) -> AliasChoices:
    """The names that a payload may use for one field; the first one given wins."""
    return AliasChoices(*names)


class Payload(BaseModel, ABC):
    """Base of every operation's input.

    Strings are trimmed and an empty one counts as missing. Unknown keys are ignored, because
    agents send more than an operation reads (`repair_kind`, notes of their own). Each input also
    knows how to say what it would do: `title` for a list, `sentence` for a person who decides,
    `target` for the entity concerned. Those three read the graph and never change it.
    """

    model_config = ConfigDict(extra="ignore", frozen=True, defer_build=True)

    @model_validator(mode="before")
    @classmethod
    def _without_blanks(cls, data: object) -> object:
        if not isinstance(data, Mapping):
            return data
        trimmed = {k: v.strip() if isinstance(v, str) else v for k, v in data.items()}
        return {k: v for k, v in trimmed.items() if v is not None and v != ""}

    @classmethod
    def read(cls, payload: object) -> Self:
        """The input from a payload; raises OperationError 400 that names the field."""
        if not isinstance(payload, Mapping) or not payload:
            raise OperationError(400, "payload is required", field="payload")
        try:
            return cls.model_validate(payload)
        except ValidationError as error:
            raise refusal(error) from None

    @classmethod
    def require_known(cls, payload: Mapping[str, object]) -> None:
        """Refuse (400) fields that the operation does not read, for who wants to be told."""
        known: list[str] = []
        for name, field in cls.model_fields.items():
            alias = field.validation_alias
            known += map(str, alias.choices) if isinstance(alias, AliasChoices) else [name]
        unknown = next((name for name in payload if name not in known), None)
        if unknown is not None:
            near = get_close_matches(unknown, known, n=1) or known
            raise OperationError(400, f"There is no field “{unknown}”", field=unknown,
                                 do=f"It takes {', '.join(near)}")

    @abstractmethod
    def title(self, reader: Reader) -> str:
        """A short line for lists: `Set schedule · start time`."""

    @abstractmethod
    def sentence(self, reader: Reader) -> str:
        """One plain sentence that says what will change."""

    @abstractmethod
    def target(self, reader: Reader) -> str | None:
        """The id of the entity that would change, None where it does not exist yet."""


def refusal(error: ValidationError) -> OperationError:
    """A validation error as one sentence about the first field at fault."""
    place, _, words = next(faults_of(error))
    field = str(place[0]) if place else ""
    return OperationError(400, f"{field} {words}".strip(), field=field)
