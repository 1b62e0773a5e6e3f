"""The versions of a claim, each made when it is looked at: there may be thousands."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import overload

from core.model.claims_and_assertions import Span, Value, Version
from core.model.times import later
from core.queries.authors import author_of
from core.queries.rows_to_model import first_text, text, value_of
from core.store.database import Row
from core.store.reader_and_writer import Reader

_RESTORES = """
SELECT r.attribute_id, r.held_from, r.held_until, r.restored_at
FROM json_each(:ids) f CROSS JOIN claim_restores r ON r.attribute_id = f.value
WHERE r.agent_id = :agent ORDER BY r.restored_at, r.rowid"""


class Lineage(Sequence[Version]):
    """Versions of one claim, newest first.

    Attributes:
        told: the id, the status and the words of each, without making any of them.
    """

    def __init__(self, reader: Reader, rows: Sequence[Row], entity_id: str) -> None:
        self._agent, self._rows, self._entity_id = reader.agent, rows, entity_id
        self.told = tuple((row["id"], text(row["status"]), text(row["content"])) for row in rows)
        self._restores: defaultdict[str, list[Row]] = defaultdict(list)
        for row in reader.rows(_RESTORES, ids=[id for id, _, _ in self.told]):
            self._restores[row["attribute_id"]].append(row)
        self._places = {id: place for place, (id, _, _) in enumerate(self.told)}
        self._made: dict[int, Version] = {}

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, place: int) -> Version: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Version, ...]: ...
    def __getitem__(self, place: int | slice) -> Version | tuple[Version, ...]:
        if isinstance(place, slice):
            return tuple(self[at] for at in range(*place.indices(len(self))))
        at = range(len(self))[place]
        if at not in self._made:
            self._made[at] = self._make(self._rows[at])
        return self._made[at]

    def __iter__(self) -> Iterator[Version]:
        return (self[at] for at in range(len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Lineage):
            return NotImplemented
        return (self._agent, self._entity_id, self._rows, self._restores) == (
            other._agent, other._entity_id, other._rows, other._restores)

    def __hash__(self) -> int:
        return hash(self.told)

    def _make(self, row: Row) -> Version:
        value = value_of(row, self._entity_id)
        who, by = author_of(
            self._agent, created_by=text(row["created_by"]), applied_by=text(row["applied_by"]),
            sources=(text(value.source_kind), text(row["proposal_source"]),
                     text(row["memory_source"])),
            memory_who=text(row["memory_who"]))
        evidence = with_memory(value.proposal_evidence, value.memory_id)
        return Version(value, who, by, value.created_at, len(evidence), self._spans(value))

    def _spans(self, value: Value) -> tuple[Span, ...]:
        """From when to when it was in force: what each restore has written down, and the time
        since the last one."""
        restores = self._restores.get(value.id, ())
        since = text(restores[-1]["restored_at"]) if restores else value.created_at
        until = ""
        if value.status != "active":
            replaced = (start for start in self._starts(value.superseded_by or "")
                        if later(start, since))
            until = next(replaced, "") or value.archived_at or value.updated_at
        # A clock that was set back ends a version before it began.
        return (*(Span(text(row["held_from"]), text(row["held_until"])) for row in restores),
                Span(until if later(since, until) else since, until))

    def _starts(self, attribute_id: str) -> Iterator[str]:
        """When a version came into force, each time."""
        place = self._places.get(attribute_id)
        if place is not None:
            yield text(self._rows[place]["created_at"])
            yield from (text(row["restored_at"]) for row in self._restores.get(attribute_id, ()))


def with_memory(items: Iterable[object], memory_id: str | None) -> list[object]:
    """Evidence and the value's own memory, unless the evidence already quotes it."""
    items = list(items)
    quoted = {first_text(item, "memory_id", "memoryId") for item in items
              if isinstance(item, Mapping)}
    return items if not memory_id or memory_id in quoted else [*items, {"memory_id": memory_id}]
