"""Reads the database or the JSON export of mcp-memory-service: memories with tags."""

from collections.abc import Iterator

from core.model.text_formatting import counted
from core.progress import Report
from core.transfer.readers.foreign_tables import Row, count, rows
from core.transfer.readers.json_lists import listed
from core.transfer.readers.memories_as_facts import memory_records, parsed, words_of
from core.transfer.readers.reader_interface import ImportFormat, Look, Notes, Placed

_OWN = {"content", "tags", "memory_type", "created_at", "created_at_iso", "id", "updated_at",
        "updated_at_iso", "deleted_at", "type"}


def _knows(look: Look) -> bool:
    if look.is_database:
        return look.tables.get("memories", frozenset()) >= {
            "content_hash", "content", "tags", "memory_type"}
    return {"memories.content_hash", "memories.content"} <= look.keys or {
        "content_hash", "content", "tags"} <= look.keys


def _read(look: Look, notes: Notes, report: Report) -> Iterator[Placed]:
    if not look.is_database:
        for line, _, memory in listed(look, notes, report, ("memories",)):
            yield from _memory(line, memory, notes)
        return
    notes.begin("memories", whole := count(look.path, "memories"))
    for line, row in enumerate(rows(look.path, "memories"), 1):
        yield from _memory(line, row, notes)
        report(line / whole)
    if "memory_graph" in look.tables and (links := count(look.path, "memory_graph")):
        notes.remark(0, f"{counted(links, 'link')} between memories left out: "
                        "a graph links entities")


def _memory(line: int, row: Row, notes: Notes) -> Iterator[Placed]:
    text = row.get("content")
    if row.get("deleted_at"):
        notes.remark(line, "is deleted there: left out")
        return
    if not isinstance(text, str) or not text.strip():
        notes.complain(line, "has no text", "content")
        return
    metadata = parsed(row.get("metadata"))
    rest = {key: value for key, value in row.items() if key not in (*_OWN, "metadata")}
    fact = {**(metadata if isinstance(metadata, dict) else {}), **rest,
            "aspect": str(row.get("memory_type") or ""),
            "created_at": row.get("created_at_iso") or row.get("created_at")}
    fact.pop("text", None)
    yield from memory_records(line, text, ((tag, "tag") for tag in words_of(row.get("tags"))),
                              fact)


MEMORY_SERVICE = ImportFormat("mcp-memory-service", "memories of mcp-memory-service", _knows, _read,
                              "row")
