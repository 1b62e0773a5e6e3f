"""Memories to store, read from JSON; every fault is listed by its JSON path.

The shape is upstream's: camel case or snake case, `structured` around the graph's part or not,
triples as `source`, `relationship`, `target`. Plain names may stand among the triples.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal, Self

from pydantic import (
    AfterValidator,
    AliasChoices,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    Tag,
    ValidationError,
    ValidationInfo,
    model_validator,
)
from pydantic.alias_generators import to_camel

from core.ingest.payload_errors import PARTS, Fault, Invalid, faults_of, given_twice
from core.model.names import slot_key
from core.model.times import parse_time
from core.model.vocabulary import LONGEST_TEXT, MEMORY_TYPES
from core.store.reader_and_writer import stamp

_LONGEST_NAME = 300


# -- words of the fields ---------------------------------------------------------------------


def _text(value: str, info: ValidationInfo) -> str:
    text = value.strip()
    longest = info.context or LONGEST_TEXT
    if not text:
        raise ValueError("is empty")
    if len(text) > longest:
        raise ValueError(f"is longer than {longest:,} characters")
    if any("\ud800" <= sign <= "\udfff" for sign in text):
        raise ValueError("contains an incomplete character")
    return text


def _name(value: str) -> str:
    if len(value) > _LONGEST_NAME:
        raise ValueError(f"is longer than {_LONGEST_NAME} characters")
    if "\0" in value:
        raise ValueError("contains a NUL character")
    return value


def _moment(value: str) -> str:
    moment = parse_time(value)
    if moment is None:
        raise ValueError("is not a time (ISO 8601, such as 2026-03-14T21:40:46Z)")
    return stamp(moment)


def _tags(value: object) -> object:
    """Tags come as a list or as text between commas."""
    if isinstance(value, str):
        return tuple(tag.strip() for tag in value.split(",") if tag.strip())
    return value


def _key(value: str) -> str | None:
    return slot_key(value[:120])


def _word(value: object) -> object:
    return value.strip().lower() if isinstance(value, str) else value


def _memory_type(value: str) -> str:
    if value not in MEMORY_TYPES:
        raise ValueError(f"must be one of {', '.join(MEMORY_TYPES)}")
    return value


def _relationship(value: str) -> str:
    if slot_key(value) is None:
        raise ValueError("is empty")
    return value


Text = Annotated[str, AfterValidator(_text)]
Name = Annotated[str, AfterValidator(_text), AfterValidator(_name)]
Moment = Annotated[str, AfterValidator(_text), AfterValidator(_moment)]
Share = Annotated[float, Field(ge=0, le=1)]
Key = Annotated[str | None, AfterValidator(lambda value: value and _key(value))]
Kind = Annotated[Literal["attribute", "constraint"], BeforeValidator(_word)]
MemoryType = Annotated[str, BeforeValidator(_word), AfterValidator(_memory_type)]
Relationship = Annotated[Name, AfterValidator(_relationship)]


def _called(*names: str) -> AliasChoices:
    return AliasChoices(*names)


class _Part(BaseModel):
    """Base of every part: unknown keys are left alone, numbers are not guessed from text."""

    model_config = ConfigDict(
        frozen=True, extra="ignore", strict=True, alias_generator=to_camel, populate_by_name=True)

    @model_validator(mode="before")
    @classmethod
    def _without_blanks(cls, data: object) -> object:
        """An empty field counts as one that was not given, and a list will do for a tuple."""
        if not isinstance(data, Mapping):
            return data
        return {key: tuple(value) if isinstance(value, list) else value
                for key, value in data.items() if value is not None and value != ""}


class Triple(_Part):
    """A source, its relation to a target, and the confidence."""

    source: Name
    source_type: Name | None = None
    relationship: Relationship = Field(validation_alias=_called("relationship", "relation", "type"))
    target: Name
    target_type: Name | None = None
    confidence: Share | None = None


class Named(_Part):
    """An entity that is only named."""

    name: Name
    entity_type: Name | None = Field(None, validation_alias=_called("entityType", "entity_type",
                                                                    "type"))


class AttributeIn(_Part):
    """A value under an aspect."""

    content: Text = Field(validation_alias=_called("content", "value"))
    kind: Kind | None = None
    group_key: Key = Field(None, validation_alias=_called("groupKey", "group_key", "group"))
    claim_key: Key = Field(None, validation_alias=_called("claimKey", "claim_key", "claim"))
    confidence: Share | None = None
    importance: Share | None = None


def _some(items: tuple[AttributeIn, ...]) -> tuple[AttributeIn, ...]:
    if not items:
        raise ValueError("is empty")
    return items


class AspectIn(_Part):
    """What is known of one side of an entity."""

    entity_name: Name = Field(validation_alias=_called("entityName", "entity_name", "entity"))
    entity_type: Name | None = None
    aspect: Name
    attributes: Annotated[tuple[AttributeIn, ...], AfterValidator(_some)]


def _shape(item: object) -> str:
    if isinstance(item, Mapping) and not ({"source", "target", "relationship"} & item.keys()):
        return "named"
    return "triple" if isinstance(item, Mapping | Triple) else "named"


def _named(item: object) -> object:
    return {"name": item} if isinstance(item, str) else item


Entity = Annotated[
    Annotated[Triple, Tag("triple")]
    | Annotated[Named, BeforeValidator(_named), Tag("named")],
    Discriminator(_shape),
]


class Remembered(_Part):
    """A memory, and what of it becomes structure."""

    content: Text
    type: MemoryType | None = None
    importance: Share | None = None
    confidence: Share | None = None
    tags: Annotated[tuple[Text, ...], BeforeValidator(_tags)] = ()
    who: Name | None = None
    why: Text | None = None
    project: Text | None = None
    pinned: bool = False
    scope: Name | None = None
    visibility: Literal["global", "private"] | None = None
    """Who may see it; where nothing is said, `default`'s are for all, another agent's its own."""
    source_type: Name | None = None
    source_id: Text | None = None
    source_path: Text | None = None
    created_at: Moment | None = None
    idempotency_key: Name | None = None
    entities: tuple[Entity, ...] = ()
    aspects: tuple[AspectIn, ...] = ()
    hints: tuple[Text, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _out_of_structured(cls, data: object) -> object:
        """Upstream puts the graph's part into `structured`; both are the same here."""
        inner = data.get("structured") if isinstance(data, Mapping) else None
        if not isinstance(data, Mapping) or not isinstance(inner, Mapping):
            return data
        kept = {key: value for key, value in data.items() if key != "structured"}
        return {**kept, **{key: inner[key] for key in PARTS if inner.get(key)}}

    @property
    def structured(self) -> bool:
        """True if the caller gives the structure to store."""
        return bool(self.entities or self.aspects)

    @classmethod
    def read(cls, payload: object, root: str = "$", *, longest: int = LONGEST_TEXT) -> Self:
        """The payload, checked; raises Invalid with every fault by its path under `root`.

        Args:
            longest: characters that each of its texts may have.
        """
        if not isinstance(payload, Mapping):
            raise Invalid((Fault(root, "must be an object"),))
        faults = tuple(given_twice(payload, root))
        try:
            remembered = cls.model_validate(dict(payload), context=longest)
        except ValidationError as error:
            raise Invalid(faults + faults_of(error, payload, root)) from None
        if faults:
            raise Invalid(faults)
        return remembered


def read_many(
    payloads: Sequence[object], root: str = "$", *, longest: int = LONGEST_TEXT
) -> tuple[Remembered, ...]:
    """Several payloads; raises Invalid with the faults of all of them."""
    memories: list[Remembered] = []
    faults: list[Fault] = []
    for place, payload in enumerate(payloads):
        try:
            memories.append(Remembered.read(payload, f"{root}[{place}]", longest=longest))
        except Invalid as invalid:
            faults += invalid.faults
    if faults:
        raise Invalid(tuple(faults))
    return tuple(memories)
