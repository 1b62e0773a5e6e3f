"""What every operation's input has in common: trimming, aliases, shares, keys, errors in words."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from types import UnionType
from typing import Annotated, Any, ClassVar, Literal, Self, Union, get_args, get_origin

from msgspec import Struct
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
from pydantic.fields import FieldInfo

from core.errors import OperationError
from core.model.did_you_mean import nearest
from core.model.names import slot_key
from core.model.pydantic_helpers import faults_of
from core.ontology import wording
from core.store.reader_and_writer import Reader


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


def _as_list(value: object) -> object:
    """One selector stands for a list of one; blanks are left out."""
    if isinstance(value, str):
        value = [value]
    if isinstance(value, list | tuple):
        value = [item.strip() if isinstance(item, str) else item for item in value]
        return [item for item in value if item != ""]
    return value


def _word(value: object) -> object:
    return value.lower() if isinstance(value, str) else value


def _key(value: str) -> str:
    key = slot_key(value)
    if key is None:
        raise ValueError("is empty")
    return key


Result = dict[str, object]
"""What an operation answers: ids and names, with the keys of upstream's JSON."""
Text = Annotated[str, StringConstraints(strict=True, min_length=1)]
Items = Annotated[list[Any], BeforeValidator(_as_list)]
"""Pieces of evidence: words, or objects that name a memory, a session or a file."""
Texts = Annotated[list[Text], BeforeValidator(_as_list)]
Share = Annotated[Annotated[float, Field(ge=0, le=1)] | None, BeforeValidator(clamped)]
Force = Annotated[bool, BeforeValidator(_force)]
Kind = Annotated[Literal["attribute", "constraint"], BeforeValidator(_word)]
Key = Annotated[Text, AfterValidator(_key)]


def plain_types(field: FieldInfo) -> set[object]:
    """The plain types that a field takes, for forms: `{float, NoneType}` for an optional share."""
    kinds = get_args(field.annotation) if get_origin(field.annotation) in (Union, UnionType) else (
        field.annotation,)
    plain = [get_args(kind)[0] if get_origin(kind) is Annotated else kind for kind in kinds]
    return {get_origin(kind) or kind for kind in plain}


def to_mind(sentences: list[str]) -> Result:
    """The part of a result that says what is to be minded."""
    return {"warnings": sentences} if sentences else {}


def called(*names: str) -> AliasChoices:
    """The names that a payload may use for one field; the first one given wins."""
    return AliasChoices(*names)


ENTITY = called("entity", "entity_id", "target_entity", "target_entity_id", "target_id")
"""How payloads that are about something under an entity name the entity."""
ENTITY_ITSELF = called(*map(str, ENTITY.choices), "id", "name", "target", "selector")
"""How payloads that are about nothing but an entity name it."""
ASPECT = called("aspect", "aspect_id", "aspect_name", "target_aspect")
NEW_NAME = called("new_name", "newName")


class OperationInfo(Struct, frozen=True, kw_only=True):
    """Metadata of an operation for the queue, the sky, the command line and the window.

    `line` and `label` are templates with the words of `request_descriptions.Target`: name, new,
    type, aspect, slot, claim, link, link_type, other, content. The fields from `entity` on name the
    payload's target; if several are listed, the first that is set counts.

    Attributes:
        line: it in a queue, without the entity's name: `Set {slot}`.
        past: how its title begins, and how it begins once it is done: `{"Pin": "Pinned"}`.
        effect: what the sky draws for it while it is pending.
        label: the sky's label for it.
        makes: its entity is created if there is none.
        other_goes: its other entities go into the first one (a merge).
        beside: what it makes stands beside the entity and changes no row of it.
        pin_matters: warn if its entity is pinned.
        on_archived: its entity must be archived.
        inverse: the operation that reverses it with the same payload; empty if none does.
        arguments: the fields without a flag on the command line; None for the required ones.
        entity: the entity that it is about.
        other: the entities at its other end.
        aspect: the entity's aspect.
        value: the new value of a claim.
        attribute: the id of a stored value.
        link: the id of a link.
        memory: the id of a memory; what it mentions most is what the operation is about.
        assertion: the id of an assertion.
        entity_type: the expected type of its entity.
    """

    line: str
    past: Mapping[str, str]
    effect: Literal["appear", "change", "go", "link"] = "change"
    label: str = "{name}"
    makes: bool = False
    other_goes: bool = False
    beside: bool = False
    pin_matters: bool = False
    on_archived: bool = False
    inverse: str = ""
    arguments: tuple[str, ...] | None = None
    entity: tuple[str, ...] = ("entity",)
    other: tuple[str, ...] = ()
    aspect: tuple[str, ...] = ("aspect",)
    value: tuple[str, ...] = ("value",)
    attribute: tuple[str, ...] = ("attribute_id",)
    link: tuple[str, ...] = ()
    memory: tuple[str, ...] = ()
    assertion: tuple[str, ...] = ()
    entity_type: tuple[str, ...] = ("entity_type",)


class Payload(BaseModel, ABC):
    """Base of every operation's input.

    Strings are trimmed and an empty one counts as missing. Unknown keys are ignored, because
    agents send more than an operation reads (`repair_kind`, notes of their own). Each input also
    describes what it would do: `title` for a list, `sentence` for a review.
    Those two only read the graph; `info` has the rest.
    """

    model_config = ConfigDict(extra="ignore", frozen=True, defer_build=True)
    info: ClassVar[OperationInfo]

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
            needed = [name for name, field in cls.model_fields.items() if field.is_required()]
            raise OperationError(400, "payload is required", field="payload",
                                 do=f"It needs {', '.join(needed)}" if needed else "")
        try:
            return cls.model_validate(payload)
        except ValidationError as error:
            raise refusal(error) from None

    @classmethod
    def completed(
        cls, reader: Reader, payload: Mapping[str, object]
    ) -> Mapping[str, object]:
        """The payload with what the rows that it names tell by themselves: nothing, unless
        overridden."""
        return payload

    @classmethod
    def require_known(cls, payload: Mapping[str, object]) -> None:
        """Refuse (400) fields that the operation does not read."""
        known = [name for field in cls.model_fields for name in cls.names_of(field)]
        unknown = next((name for name in payload if name not in known), None)
        if unknown is not None:
            near = nearest(unknown, known, 1) or known
            raise OperationError(400, f"Unknown field “{unknown}”", field=unknown,
                                 do=f"Choose one of {', '.join(near)}")

    @classmethod
    def names_of(cls, field: str) -> list[str]:
        """The keys that a payload may use for a field."""
        alias = cls.model_fields[field].validation_alias
        return list(map(str, alias.choices)) if isinstance(alias, AliasChoices) else [field]

    @property
    def verb(self) -> str:
        """How its title begins."""
        return next(iter(self.info.past))

    def subject(self, reader: Reader) -> str:
        """The name of its target: its entity, unless overridden."""
        selectors = (getattr(self, name, None) for name in self.info.entity)
        return wording.entity_name(reader, next(filter(None, selectors), None))

    def title(self, reader: Reader) -> str:
        """A short line for lists: `Pin Harbor Ledger`."""
        return f"{self.verb} {wording.short(self.subject(reader))}"

    @abstractmethod
    def sentence(self, reader: Reader) -> str:
        """One plain sentence about what will change."""


def refusal(error: ValidationError) -> OperationError:
    """A validation error as one sentence about the first field at fault."""
    place, _, words = next(faults_of(error))
    field = str(place[0]) if place else ""
    return OperationError(400, f"{field} {words}".strip(), field=field)
