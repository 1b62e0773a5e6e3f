"""Compares what an earlier import from the same place said with what the file says now.

A fact that was changed in a note, or taken out of it, stands in the graph beside the new one: only
a person knows whether it still holds, so it is told, and archived where that is wanted. The oldest
Signet files do not keep where a value is from: of those nothing is told.
"""

from collections import defaultdict
from collections.abc import Iterable

from msgspec import Struct

from core.model.memory_hash import digest_of
from core.model.names import canonical
from core.model.text_formatting import counted, one_line
from core.model.vocabulary import IMPORTED, WITHDRAWN
from core.queries.rows_to_model import text
from core.store.reader_and_writer import Writer
from core.transfer.withdraw_and_restore import SAID_BY_NOBODY_ELSE, archive_fact, restore

TOLD = 5
"""Facts that are told in full."""
_SHOWN = 100
"""Characters of a fact."""
_FACTS = f"""
SELECT s.entity_id, v.id, v.content, v.status FROM json_each(:ids) f
CROSS JOIN entity_aspects s ON s.entity_id = f.value
CROSS JOIN entity_attributes v ON v.aspect_id = s.id LEFT JOIN memories m ON m.id = v.memory_id
WHERE +s.agent_id = :agent AND s.status = 'active' AND +v.agent_id = :agent
  AND v.source_kind = :kind AND COALESCE(v.source_path, m.source_path) = :path
  AND (v.status = 'active' AND {SAID_BY_NOBODY_ELSE}
    OR v.status = 'deleted' AND v.archive_reason = :withdrawn)"""
"""What imports from there wrote: what is in force and nobody else has said, and what was archived
since it was said no longer."""
_NAMED = """
SELECT v.content, e.name FROM json_each(:ids) f
CROSS JOIN entity_attributes v ON v.id = f.value CROSS JOIN entity_aspects s ON s.id = v.aspect_id
CROSS JOIN entities e ON e.id = s.entity_id WHERE +v.agent_id = :agent"""

_Facts = defaultdict[bytes, list[str]]


class NoLongerSaid(Struct, frozen=True):
    """Facts of an earlier import that the file no longer has.

    Attributes:
        count: how many there are.
        first: some of them, each with its entity.
        archived: whether they were archived now; else they stay in force.
    """

    count: int
    first: tuple[str, ...]
    archived: bool

    @property
    def head(self) -> str:
        """`2 facts of an earlier import are no longer in it, and still hold`."""
        facts = counted(self.count, "fact of an earlier import is",
                        "facts of an earlier import are")
        what = "archived" if self.archived else "still told"
        return f"{facts} no longer in it, and {what}"

    def lines(self) -> tuple[str, ...]:
        """The head, and the first of them."""
        more = self.count - len(self.first)
        return (f"{self.head}:", *(f"  {each}" for each in self.first),
                *((f"  … and {more:,} more",) if more > 0 else ()))


class EarlierFacts:
    """What an earlier import from a path said of the entities that are imported again."""

    def __init__(self, writer: Writer, path: str) -> None:
        self._writer, self._path = writer, path
        self._looked_up: set[str] = set()
        self._left: dict[str, _Facts] = {}
        self._withdrawn: dict[str, _Facts] = {}
        self._again: list[str] = []
        self._described: dict[str, tuple[str, str]] = {}

    def learn(self, entity_ids: Iterable[str]) -> None:
        """Look up what was said of these entities, of each once."""
        fresh = [id for id in entity_ids if id not in self._looked_up]
        self._looked_up.update(fresh)
        for row in self._writer.rows(_FACTS, ids=fresh, kind=IMPORTED, path=self._path,
                                     withdrawn=WITHDRAWN) if fresh else ():
            facts = self._left if row["status"] == "active" else self._withdrawn
            of_entity = facts.setdefault(row["entity_id"], _Facts(list))
            of_entity[digest_of(canonical(text(row["content"])))].append(row["id"])

    def say(self, entity_id: str, digest: bytes) -> bool:
        """Hear that the file says it now; True if it was archived and is to come back."""
        held = _taken(self._left, entity_id, digest)
        back = [] if held else _taken(self._withdrawn, entity_id, digest)
        self._again += back[-1:]
        return bool(back)

    def describe(self, entity_id: str, was: str, now: str) -> None:
        """Hear that the file describes an entity otherwise than the graph does."""
        self._described[entity_id] = was, now

    def settle(self, *, archive: bool) -> NoLongerSaid | None:
        """Bring back what is said again, and tell what is not said any more.

        Args:
            archive: archive that, too.
        """
        for id in self._again:
            restore(self._writer, "restore_claim_version", {"attribute_id": id})
        gone = [id for facts in self._left.values() for ids in facts.values() for id in ids]
        if not gone:
            return None
        first = tuple(f"{one_line(text(row['name']))}: {one_line(text(row['content']), _SHOWN)}"
                      for row in self._writer.rows(_NAMED, ids=gone[:TOLD]))
        if archive:
            self._describe_anew()
        for id in gone if archive else ():
            archive_fact(self._writer, id)
        return NoLongerSaid(len(gone), first, archive)

    def _describe_anew(self) -> None:
        """Take over a description where the one of before is a fact that is no longer in it."""
        for id, (was, now) in self._described.items():
            if digest_of(canonical(was)) in self._left.get(id, {}):
                self._writer.update("entities", id, description=now,
                                    updated_at=self._writer.now())


def _taken(facts: dict[str, _Facts], entity_id: str, digest: bytes) -> list[str]:
    """The values with these words, taken out; what then is empty takes no room."""
    of_entity = facts.get(entity_id)
    if of_entity is None:
        return []
    values = of_entity.pop(digest, [])
    if not of_entity:
        del facts[entity_id]
    return values
