"""Reads memories exported from mem0, with their relations, or the history database beside it."""

from collections.abc import Iterator

from core.progress import Report
from core.transfer.readers.foreign_tables import Row, count, rows
from core.transfer.readers.json_lists import listed
from core.transfer.readers.memories_as_facts import memory_records, words_of
from core.transfer.readers.reader_interface import ImportFormat, Look, Notes, Placed

_OWNERS = (("user_id", "person"), ("agent_id", "agent"), ("app_id", "app"), ("run_id", "session"))
_LISTS = ("results", "memories", "relations")
_TEXT = ("memory", "text", "data", "content")
_MARKS = {"user_id", "hash", "agent_id", "run_id", "categories"}
_OWN = {"score", "created_at", "categories", "metadata", "metadata_",
        *_TEXT, *(key for key, _ in _OWNERS)}


def _knows(look: Look) -> bool:
    if look.is_database:
        return look.tables.get("history", frozenset()) >= {"memory_id", "new_memory", "event"}
    return any(f"{part}memory" in look.keys and any(f"{part}{mark}" in look.keys
                                                    for mark in _MARKS)
               or {f"{part}{key}" for key in ("content", "user_id", "app_id")} <= look.keys
               or {f"{part}memory", f"{part}created_at"} <= look.keys
               and f"{part}name" not in look.keys
               for part in ("", "results.", "memories."))


def _read(look: Look, notes: Notes, report: Report) -> Iterator[Placed]:
    if look.is_database:
        yield from _history(look, notes)
        return
    for line, part, given in listed(look, notes, report, _LISTS):
        if part == "relations":
            yield from _relation(line, given, notes)
        else:
            yield from _memory(line, given, notes)


def _memory(line: int, given: Row, notes: Notes) -> Iterator[Placed]:
    text = next((given[key] for key in _TEXT if isinstance(given.get(key), str)), "")
    if not str(text).strip():
        notes.complain(line, "has no text", "memory")
        return
    metadata = given.get("metadata") or given.get("metadata_")
    more = dict(metadata) if isinstance(metadata, dict) else {}
    categories = words_of(given.get("categories")) or words_of(more.pop("category", ""))
    owners = [(str(given[key]), kind) for key, kind in _OWNERS if given.get(key)][:1]
    rest = {key: value for key, value in given.items()
            if key not in _OWN and value not in (None, "", [], {})}
    more.pop("text", None)
    yield from memory_records(line, str(text), owners, {
        **more, **rest, "aspect": categories[0] if categories else "",
        "created_at": given.get("created_at"),
        **({"categories": categories} if len(categories) > 1 else {})})


def _relation(line: int, given: Row, notes: Notes) -> Iterator[Placed]:
    source, target = given.get("source"), given.get("target") or given.get("destination")
    if not source or not target:
        notes.complain(line, "names no two ends", "relations")
        return
    words = given.get("relationship") or given.get("relation") or ""
    yield line, {"type": "relation", "from": source, "to": target,
                 "relationType": str(words).replace("_", " ")}


def _history(look: Look, notes: Notes) -> Iterator[Placed]:
    """What each memory says last; one that was deleted is left out."""
    notes.begin("history", count(look.path, "history"))
    last: dict[object, tuple[int, Row]] = {}
    for line, row in enumerate(rows(look.path, "history"), 1):
        last[row.get("memory_id")] = line, row
    for line, row in last.values():
        if str(row.get("event", "")).upper() == "DELETE" or row.get("is_deleted"):
            notes.remark(line, "is deleted there: left out")
        else:
            yield from _memory(line, {
                "memory": row.get("new_memory"), "created_at": row.get("created_at"),
                "agent_id": row.get("actor_id")}, notes)


MEM0 = ImportFormat("mem0", "memories of mem0", _knows, _read)
