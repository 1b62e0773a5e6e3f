"""Retires values that newer ones contradict: as they are remembered, and in maintenance.

Values are compared within their claim slot; those without a claim key with the others of their
aspect and group that have none. Upstream compares the whole aspect, lets the older of two win if
it was looked at second, and marks one value as replaced several times; here the newer value wins
and each is replaced once. What a person has taken back or restored is not done again.
Constraints are never touched, nor is what a person wrote or applied for what no person says: that
is for the person to decide.

Finding reads, applying writes: a model that takes seconds is asked in between, outside of any
transaction.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from core.learning.automatic_change_log import record, record_of_memory, recorded
from core.learning.config import SupersessionSettings
from core.learning.detect_contradiction import detect
from core.model.contradiction import Contradiction, Superseding
from core.model.names import slot_key
from core.model.times import parse_time
from core.queries.archived_by_person import is_of_person
from core.queries.authors import is_person
from core.queries.rows_to_model import CLAIM_KEY, GROUP_KEY
from core.store.database import Row
from core.store.reader_and_writer import Reader, Writer, new_id

BY = "pipeline:supersession"
"""Who the record names."""
DONE, PROPOSED = "attribute_superseded", "supersession_proposal"
_AT_ONCE = 500
_COLUMNS = ("v.rowid AS number, v.id, v.aspect_id, v.memory_id, v.content, v.group_key,"
            " v.claim_key, v.created_at, v.version, v.version_root_id, v.previous_attribute_id")
_COUNTS = ("v.agent_id = :agent AND v.status = 'active' AND v.kind = 'attribute'"
           " AND v.aspect_id IS NOT NULL")

SlotKey = tuple[str, str, str]
"""Aspect, group and claim; an empty claim is that of all values without a key."""


class Contradictions(Struct, frozen=True):
    """Contradictions, and how many values were not compared."""

    sure: tuple[Contradiction, ...] = ()
    skipped: int = 0


def check(
    writer: Writer, attribute_ids: Sequence[str], settings: SupersessionSettings
) -> Superseding:
    """Compare values that have just been written with those of their place, and apply."""
    if not (settings.enabled and settings.inline and attribute_ids):
        return Superseding()
    contradictions = find_for(writer, attribute_ids, settings)
    held = () if is_person(writer) else over_a_person(writer, contradictions.sure, settings)
    kept = frozenset(held)
    free = [one for one in contradictions.sure if one not in kept]
    return replace(apply(writer, free, settings), held=held, skipped=contradictions.skipped)


def over_a_person(
    reader: Reader, contradictions: Iterable[Contradiction], settings: SupersessionSettings
) -> tuple[Contradiction, ...]:
    """Those whose older value a person wrote or applied, and whose newer one nobody did.

    In shadow mode there are none: nothing is retired, and nobody is asked.
    """
    return () if settings.shadow else tuple(
        one for one in contradictions if is_of_person(reader, one.old_id)
        and not is_of_person(reader, one.new_id))


def find_for(
    reader: Reader, attribute_ids: Sequence[str], settings: SupersessionSettings
) -> Contradictions:
    """What contradicts these values, or is contradicted by them."""
    asked = list(dict.fromkeys(attribute_ids))
    rows = reader.rows(
        f"SELECT {_COLUMNS} FROM entity_attributes v WHERE {_COUNTS}"
        " AND v.id IN (SELECT value FROM json_each(:ids))", ids=asked)
    fresh = {row["id"] for row in rows}
    places = {_slot(row) for row in rows}
    siblings = _siblings(reader, {place[0] for place in places})
    contradictions = _compare(
        reader, (rows for place, rows in siblings.items() if place in places), settings, fresh)
    return replace(contradictions, skipped=contradictions.skipped + len(asked) - len(rows))


def find_all(reader: Reader, settings: SupersessionSettings, *, since: str = "") -> Contradictions:
    """Every contradiction of the agent's values; with `since`, of places touched from then on."""
    if not (settings.enabled and settings.sweep):
        return Contradictions()
    # Most slots hold one value: the file itself sorts them out.
    crowded = reader.rows(
        f"SELECT v.aspect_id FROM entity_attributes v WHERE {_COUNTS} AND v.aspect_id IN ("
        f" SELECT v.aspect_id FROM entity_attributes v WHERE {_COUNTS}"
        " GROUP BY v.aspect_id HAVING count(*) > 1)"
        f" GROUP BY v.aspect_id, {GROUP_KEY}, COALESCE({CLAIM_KEY}, '')"
        " HAVING count(*) > 1 AND max(replace(v.updated_at, ' ', 'T')) >= :since", since=since)
    ids = list(dict.fromkeys(row["aspect_id"] for row in crowded))
    parts = [
        _compare(reader, _siblings(reader, ids[start:start + _AT_ONCE]).values(), settings)
        for start in range(0, len(ids), _AT_ONCE)
    ]
    return Contradictions(
        tuple(one for part in parts for one in part.sure), sum(part.skipped for part in parts))


def apply(
    writer: Writer, contradictions: Iterable[Contradiction], settings: SupersessionSettings
) -> Superseding:
    """Carry contradictions out; those whose values have changed since are left alone."""
    asked = list(contradictions)
    standing = _standing(writer, asked)
    counted = [one for one in asked if one.old_id in standing and one.new_id in standing]
    if settings.shadow:
        return Superseding(tuple(counted), proposed=_propose(writer, counted, standing))
    gone: list[str] = []
    replaced: dict[str, list[Row]] = defaultdict(list)
    for one in counted:
        if one.old_id in gone or one.new_id in gone:
            continue
        _supersede(writer, one, standing[one.old_id])
        gone.append(one.old_id)
        replaced[one.new_id].append(standing[one.old_id])
    # From the oldest on, so that each link of a chain sees the version before it.
    for new_id_, olds in sorted(replaced.items(), key=lambda item: _age(standing[item[0]])):
        _give_lineage(writer, new_id_, olds)
    return Superseding(tuple(counted), tuple(gone))


# -- finding ---------------------------------------------------------------------------------


def _siblings(reader: Reader, aspect_ids: Iterable[str]) -> dict[SlotKey, list[Row]]:
    """The active attributes of these aspects by place."""
    by_slot: dict[SlotKey, list[Row]] = defaultdict(list)
    for row in reader.rows(
        f"SELECT {_COLUMNS} FROM entity_attributes v"
        f" WHERE v.aspect_id IN (SELECT value FROM json_each(:ids)) AND {_COUNTS}",
        ids=sorted(aspect_ids),
    ):
        by_slot[_slot(row)].append(row)
    return by_slot


def _slot(row: Row) -> SlotKey:
    return (row["aspect_id"], slot_key(row["group_key"], "general") or "general",
            slot_key(row["claim_key"]) or "")


def _age(row: Row) -> tuple[str, int]:
    moment = parse_time(row["created_at"])
    return (moment.isoformat() if moment else "", row["number"] or 0)


def _compare(
    reader: Reader, places: Iterable[list[Row]], settings: SupersessionSettings,
    fresh: set[str] | None = None,
) -> Contradictions:
    """Pairs of each place, the newer against the older; with `fresh`, only pairs with one."""
    sure: list[Contradiction] = []
    subjects: dict[str, str] = {}
    skipped = 0
    for rows in places:
        ordered = sorted(rows, key=_age)[-settings.most_compared:]
        skipped += len(rows) - len(ordered)
        for older, newer in _pairs(ordered, fresh):
            contradiction = _judge_words(older, newer, settings)
            if contradiction is None:
                continue
            sure.append(contradiction)
            subjects[older["id"]] = older["memory_id"] or older["id"]
    done = {(item.get("old_attribute_id"), item.get("new_attribute_id"))
            for item in recorded(reader, DONE, subjects.values())} if subjects else set()
    return Contradictions(
        tuple(_once([one for one in sure if (one.old_id, one.new_id) not in done])), skipped)


def _pairs(ordered: list[Row], fresh: set[str] | None) -> Iterator[tuple[Row, Row]]:
    """Older and newer; nearest first for each older one. Words said at once are no change."""
    for place, older in enumerate(ordered):
        for newer in ordered[place + 1:]:
            if fresh is not None and fresh.isdisjoint((older["id"], newer["id"])):
                continue
            if older["memory_id"] is None or older["memory_id"] != newer["memory_id"]:
                yield older, newer


def _judge_words(
    older: Row, newer: Row, settings: SupersessionSettings
) -> Contradiction | None:
    """What the words say, None where they say nothing or are not sure enough."""
    new, old = str(newer["content"]), str(older["content"])
    verdict = detect(
        new, old, newer["created_at"], older["created_at"],
        same_slot=bool(slot_key(older["claim_key"])), settings=settings)
    if verdict is None or verdict.confidence < settings.min_confidence:
        return None
    return Contradiction(older["id"], newer["id"], older["aspect_id"], old, new, verdict)


def _once(contradictions: list[Contradiction]) -> Iterator[Contradiction]:
    """Each old value once, with the first newer one that replaces it."""
    seen: set[str] = set()
    for one in contradictions:
        if one.old_id not in seen:
            seen.add(one.old_id)
            yield one


# -- writing ---------------------------------------------------------------------------------


def _standing(writer: Writer, asked: list[Contradiction]) -> dict[str, Row]:
    """The values concerned that still are active attributes."""
    ids = {id for one in asked for id in (one.old_id, one.new_id)}
    return {row["id"]: row for row in writer.rows(
        f"SELECT {_COLUMNS} FROM entity_attributes v WHERE {_COUNTS}"
        " AND v.id IN (SELECT value FROM json_each(:ids))", ids=sorted(ids))}


def _propose(writer: Writer, asked: list[Contradiction], standing: dict[str, Row]) -> int:
    """Note contradictions down, each once however often the pass comes by."""
    known = {(item.get("old_attribute_id"), item.get("new_attribute_id"))
             for item in recorded(writer, PROPOSED, (
                 _subject(standing[one.old_id]) for one in asked))}
    new = [one for one in asked if (one.old_id, one.new_id) not in known]
    for one in new:
        _record(writer, PROPOSED, one, standing[one.old_id], lasting=False)
    return len(new)


def _supersede(writer: Writer, one: Contradiction, old: Row) -> None:
    writer.update("entity_attributes", one.old_id, status="superseded",
                  superseded_by=one.new_id, updated_at=writer.now())
    if old["memory_id"]:
        _keep_copy(writer, old["memory_id"])
    _record(writer, DONE, one, old)


def _subject(row: Row) -> str:
    return str(row["memory_id"] or row["id"])


def _record(
    writer: Writer, event: str, one: Contradiction, old: Row, *, lasting: bool = True
) -> None:
    # A memory's row is where Signet writes it, too.
    subject = _subject(old)
    write = record_of_memory if writer.value(
        "SELECT 1 FROM memories WHERE id = :id AND agent_id = :agent", id=subject) else record
    write(
        writer, event, subject, old=one.old, new=one.new, by=BY,
        reason=one.verdict.reasoning, lasting=lasting,
        metadata={
            "old_attribute_id": one.old_id, "new_attribute_id": one.new_id,
            "aspect_id": one.aspect_id, "method": one.verdict.method,
            "signal": one.verdict.signal, "confidence": one.verdict.confidence,
            "reasoning": one.verdict.reasoning,
        })


_COPIED = ("type", "category", "content", "confidence", "importance", "source_id", "source_type",
           "tags", "who", "why", "project", "content_hash", "normalized_content",
           "extraction_status", "embedding_model", "extraction_model", "update_count", "agent_id")


def _keep_copy(writer: Writer, memory_id: str) -> None:
    """Copy the memory of a replaced value to the cold store; the memory itself stays."""
    memory = writer.row(
        "SELECT * FROM memories WHERE id = :id AND agent_id = :agent", id=memory_id)
    if memory is None or writer.value(
        "SELECT 1 FROM memories_cold WHERE memory_id = :id AND archived_reason = 'superseded'"
        " AND agent_id = :agent", id=memory_id,
    ):
        return
    writer.insert(
        "memories_cold", archive_id=new_id(), memory_id=memory_id, archived_at=writer.now(),
        archived_reason="superseded", original_created_at=memory["created_at"],
        **{column: memory[column] for column in _COPIED})


def _give_lineage(writer: Writer, attribute_id: str, olds: list[Row]) -> None:
    """Make the new value the next version of what it replaced, unless it has a line already."""
    row = writer.row(
        f"SELECT {_COLUMNS} FROM entity_attributes v WHERE v.id = :id AND v.agent_id = :agent",
        id=attribute_id)
    if row is None or row["previous_attribute_id"]:
        return
    # Read anew: an earlier link of the same chain may just have got its version.
    before = max(_standing_or_gone(writer, [old["id"] for old in olds]), key=_version)
    writer.update(
        "entity_attributes", attribute_id, previous_attribute_id=before["id"],
        version=max((row["version"] or 1), (before["version"] or 1) + 1),
        version_root_id=before["version_root_id"] or before["id"])


def _standing_or_gone(writer: Writer, ids: list[str]) -> list[Row]:
    return writer.rows(
        f"SELECT {_COLUMNS} FROM entity_attributes v WHERE v.agent_id = :agent"
        " AND v.id IN (SELECT value FROM json_each(:ids))", ids=ids)


def _version(row: Row) -> tuple[int, tuple[str, int]]:
    return (row["version"] or 1, _age(row))
