"""What the agent would see: focal entities, the walk from them, and why each thing is in or out."""

import hashlib
import json
from collections.abc import Mapping

from msgspec import Struct, field

from core.model.claims_and_assertions import Slot
from core.model.dispute import Dispute, with_dispute
from core.model.memory_text_of_value import with_owner
from core.model.outdated_claim import OutdatedClaim, marked


class Miss(Struct, frozen=True):
    """A near miss, with the rule and the number that excluded it.

    `value` and `limit` are the two sides of the rule (rank 11 of 10, confidence 0.42 of 0.5);
    None where the rule has no number (`archived`, `muted`, ...).
    """

    kind: str
    """`entity`, `aspect`, `attribute`, `link` or `memory`."""
    id: str
    label: str
    rule: str
    """One of `MISS_RULES`."""
    value: float | None = None
    limit: float | None = None
    entity_id: str = ""
    """The walked entity at whose door it stopped."""


MISS_RULES = (
    "weight rank", "importance rank", "mention rank", "strength rank", "match rank", "confidence",
    "strength", "links in all", "budget", "scope", "aspect filter", "archived", "superseded",
    "muted", "muted over pinned", "deleted", "gone", "no memory", "not asked", "deadline",
    "common word",
)
"""The rules that keep something out of a walk, as `Miss.rule` names them."""


class FocalEntity(Struct, frozen=True):
    """An entity that a walk starts from.

    `name` and `entity_type` are empty for an id that the agent has no entity of: another agent's
    name is not disclosed.
    """

    id: str
    name: str
    entity_type: str
    reason: str
    """`pinned`, `asked`, `checkpoint`, `project`, `query`, `rule` or `session`."""
    detail: str = ""
    """What matched: the folder, the word, the alias."""
    also: str = ""
    """Of a pinned entity the first other reason, empty if there is none."""

    @property
    def asked(self) -> bool:
        """True if more than its pin brought it: it was asked for, or the project is about it."""
        return self.reason != "pinned" or bool(self.also)


class AskedRule(Struct, frozen=True):
    """A constraint in force about what the question wants to do.

    Attributes:
        memory_id: the memory that it rests on, empty for none.
        share: how much of what the question wants to do it speaks of, 0 to 1.
        detail: these words.
    """

    id: str
    memory_id: str
    entity_id: str
    entity_name: str
    entity_type: str
    content: str
    share: float
    detail: str


class Focal(Struct, frozen=True):
    """The start of a walk, and the first signal that found entities for it.

    `source` is `checkpoint`, `project`, `query`, `session_key`, or `asked` where entities were
    named and nothing else was given.
    """

    entities: tuple[FocalEntity, ...] = ()
    source: str = "query"
    pinned_ids: tuple[str, ...] = ()
    misses: tuple[Miss, ...] | None = None
    """What nearly became focal; None when it was not asked for."""
    timed_out: bool = False
    """True if there was no time to ask every signal."""
    faults: tuple[str, ...] = ()
    """What could not be asked as it should, each in one sentence."""
    milliseconds: float = 0.0
    """How long it took to find them: the walk has what is left of the time."""
    in_question: tuple[FocalEntity, ...] = ()
    """What the question alone refers to, in the order of the match."""
    rules: tuple[AskedRule, ...] = ()
    """The constraints that a question about what may or must be done asks for, the best first."""

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the focal entities, in order."""
        return tuple(entity.id for entity in self.entities)

    @property
    def asked_ids(self) -> frozenset[str]:
        """The ids of those that are there for more than their pin."""
        return frozenset(entity.id for entity in self.entities if entity.asked)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the focal entities, those without one left out."""
        return tuple(entity.name for entity in self.entities if entity.name)


class Path(Struct, frozen=True):
    """How the walk reached something: the entities, aspects and dependencies it passed."""

    entity_ids: tuple[str, ...] = ()
    aspect_ids: tuple[str, ...] = ()
    dependency_ids: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.entity_ids) + len(self.aspect_ids) + len(self.dependency_ids)


class Shares(Struct, frozen=True):
    """How a budget was divided, in its own unit: memories of a walk, characters of a session.

    Attributes:
        asked: what the question, the project and entities asked for brought.
        pinned: what pinned entities and pinned memories brought.
        others: the rest, by importance and age alone.
    """

    asked: int = 0
    pinned: int = 0
    others: int = 0

    @property
    def words(self) -> str:
        """`1,100 for what was asked, 620 by pins, 230 by importance`; empty for nothing."""
        parts = ((self.asked, "for what was asked"), (self.pinned, "by pins"),
                 (self.others, "by importance"))
        return ", ".join(f"{number:,} {words}" for number, words in parts if number)


class PassedRule(Struct, frozen=True):
    """A rule that something met on its way in, with its number and the limit."""

    rule: str
    value: float
    limit: float
    label: str = ""
    """What the rule was asked of: the aspect's, the link's name."""


class WalkedMemory(Struct, frozen=True):
    """A memory found by the walk, with its score (0..1) and its path."""

    id: str
    content: str
    score: float
    path: Path
    via: str
    """`attribute`, `constraint` or `mention`: what pointed at it."""
    attribute_id: str | None = None
    slot: Slot | None = None
    """The claim slot of that attribute; only when explained."""
    grounds: tuple[PassedRule, ...] = ()
    """What let it in; only when explained."""
    asked: bool = True
    """False if only pinned entities led to it."""
    belongs: str = ""
    """`part of Harbor Ledger`: how its entity belongs to the one it came with; else empty."""
    outdated: tuple[OutdatedClaim, ...] = ()
    """What it says that no longer holds."""
    disputed: Dispute | None = None
    """The newer value that seems to say the opposite, until a person decides."""
    entity: str = ""
    """The names of the entities that it is of; empty if that is not known."""
    before: str = ""
    """What is told before its text; empty where the text itself names one of them."""
    constraint: bool = False
    """It says constraints in force, and nothing else that is."""

    @property
    def marked_text(self) -> str:
        """Its text with whose it is, and with what of it no longer holds or is disputed."""
        return self._marked(with_owner(self.before, self.content))

    @property
    def own_text(self) -> str:
        """The same without whose it is: for a reader who is given the entity beside it."""
        return self._marked(self.content)

    def _marked(self, content: str) -> str:
        return with_dispute(
            marked(content, self.outdated, constraint=self.constraint), self.disputed)


class WalkedConstraint(Struct, frozen=True):
    """A constraint of a focal or hop entity; these are always included."""

    id: str
    entity_id: str
    entity_name: str
    content: str
    importance: float
    path: Path
    slot: Slot | None = None
    grounds: tuple[PassedRule, ...] = ()
    disputed: Dispute | None = None
    """The newer rule that seems to say the opposite, until a person decides."""

    @property
    def marked_text(self) -> str:
        """Its text, marked where it is disputed."""
        return with_dispute(self.content, self.disputed)


class Walk(Struct, frozen=True):
    """The result of one walk.

    `entity_ids` are the walked entities, focal ones first; `misses` is None when the walk was not
    asked to explain itself. A walk that ran out of time keeps its results so far, with every
    constraint of its entities; `timed_out` is also true where finding the focal entities ran out of
    time.
    """

    focal: Focal
    memories: tuple[WalkedMemory, ...] = ()
    constraints: tuple[WalkedConstraint, ...] = ()
    entity_ids: tuple[str, ...] = ()
    dependency_ids: tuple[str, ...] = ()
    active_aspect_ids: tuple[str, ...] = ()
    entity_count: int = 0
    timed_out: bool = False
    misses: tuple[Miss, ...] | None = None
    labels: Mapping[str, str] = field(default_factory=dict)
    """The names of what paths go through, by id; only when explained."""
    milliseconds: float = 0.0
    """How long it took, with finding the focal entities."""
    budget: int = 0
    """How many memories it might bring."""

    @property
    def shares(self) -> Shares:
        """How many of the memories came for what was asked, and how many for pins alone."""
        asked = sum(memory.asked for memory in self.memories)
        return Shares(asked, len(self.memories) - asked)

    @property
    def shortfalls(self) -> tuple[str, ...]:
        """Why there may be more than was found, each in one sentence; empty for a whole answer."""
        return (*self.focal.faults, *self.missing)

    @property
    def missing(self) -> tuple[str, ...]:
        """What time left out, each in one sentence: nothing unless the walk is partial."""
        if self.focal.timed_out:
            return ("Partial: time ran out while finding focal entities; pins are there, what"
                    " others would bring is missing",)
        if self.timed_out:
            return ("Partial: the walk ran out of time; the constraints of what is pinned and of"
                    " what is asked about are there, some memories may not be",)
        return ()


class WalkStatus(Struct, frozen=True):
    """The result of an agent's last walk, as the seeds report it.

    Attributes:
        phase: its purpose: `session start`, `recall`, or `walk` where it was only looked at.
        at: when, in ISO-8601 UTC.
        source: the signal that determined its start.
        focal_names: the focal entities, those without a name left out.
        focal_entities: how many there were.
        traversed_entities: how many entities were walked, these among them.
    """

    phase: str
    at: str
    source: str
    focal_names: tuple[str, ...] = ()
    focal_entities: int = 0
    traversed_entities: int = 0
    memories: int = 0
    constraints: int = 0
    timed_out: bool = False


_KEYS = (("entity_ids", "entityIds"), ("aspect_ids", "aspectIds"),
         ("dependency_ids", "dependencyIds"))


def path_json(path: Path) -> str:
    """The path as the file stores it, each id once and in order."""
    lists = (path.entity_ids, path.aspect_ids, path.dependency_ids)
    return json.dumps({key: list(dict.fromkeys(ids))
                       for (key, _), ids in zip(_KEYS, lists, strict=True)},
                      ensure_ascii=False, separators=(",", ":"))


def path_hash(path: Path) -> str:
    """SHA-1 of the stored form."""
    return hashlib.sha1(path_json(path).encode("utf-8", "surrogatepass"),
                        usedforsecurity=False).hexdigest()


def read_path(value: object) -> Path | None:
    """A path from JSON text or an object, in snake or camel case; None if it names nothing."""
    if isinstance(value, Path):
        return value if len(value) else None
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return None
    if not isinstance(value, Mapping):
        return None
    path = Path(*(_ids(value.get(snake, value.get(camel))) for snake, camel in _KEYS))
    return path if len(path) else None


def _ids(value: object) -> tuple[str, ...]:
    if not isinstance(value, list | tuple):
        return ()
    return tuple(dict.fromkeys(id for id in value if isinstance(id, str) and id))
