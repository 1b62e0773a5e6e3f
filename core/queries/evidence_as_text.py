"""Resolves pieces of evidence to text that a person can read."""

from collections.abc import Iterable, Mapping

from msgspec import Struct

from core.model.names import spoken
from core.model.proposal import Evidence
from core.queries.rows_to_model import MEMORY_VISIBLE, first_text, text
from core.store.database import Row
from core.store.reader_and_writer import Reader

AROUND = 4000
"""Characters of a long source that are shown around the quote."""

_MEMORY_KINDS = ("memory", "memories")
_SESSION_KINDS = ("session", "transcript", "session_transcript")


class _Reference(Struct, frozen=True):
    """What one piece of evidence says and where it says to have it from."""

    quote: str
    kind: str
    memory: str = ""
    session: str = ""
    path: str = ""
    when: str = ""


def resolve(
    reader: Reader, items: Iterable[object], source: Mapping[str, object] | None = None
) -> tuple[Evidence, ...]:
    """Each piece of evidence with its source, in the order given.

    An item is an object (`memory_id`, or `source_kind` with `source_id` or `source_path`, and a
    `quote`) or plain words. If the source was deleted, only the quote is left
    (`provided_quote`).

    Args:
        source: the source of the proposal or value itself, as one more item unless it is there.
    """
    references = [reference for item in items if (reference := _reference(item))]
    own = _reference(source) if source else None
    if own and not any(_same_place(own, other) for other in references):
        references.append(own)
    memories = _fetch(reader, "memories", {item.memory for item in references})
    transcripts = _fetch(reader, "session_transcripts", {item.session for item in references})
    artifacts = _fetch(reader, "memory_artifacts", {item.path for item in references})
    return tuple(dict.fromkeys(
        _evidence(item, memories, transcripts, artifacts) for item in references))


def _reference(item: object) -> _Reference | None:
    if isinstance(item, str):
        words = item.strip()
        if words.startswith("memory:"):
            return _Reference("", "memory", memory=words.removeprefix("memory:"))
        return _Reference(words, "provided_quote") if words else None
    if not isinstance(item, Mapping):
        return None
    kind = first_text(item, "source_kind", "sourceKind", "kind", "type")
    source = first_text(item, "source_id", "sourceId")
    reference = _Reference(
        quote=first_text(item, "quote", "excerpt", "sentence", "snippet", "text", "content"),
        kind=kind,
        memory=first_text(item, "memory_id", "memoryId")
        or (source if kind in _MEMORY_KINDS else ""),
        session=first_text(item, "session_key", "sessionKey")
        or (source if kind in _SESSION_KINDS else ""),
        path=first_text(item, "source_path", "sourcePath", "path"),
        when=first_text(item, "captured_at", "created_at", "timestamp", "when"))
    speaks = reference.quote or reference.memory or reference.session or reference.path
    return reference if speaks else None


def _same_place(one: _Reference, other: _Reference) -> bool:
    return any(mine and mine == theirs for mine, theirs in (
        (one.memory, other.memory), (one.session, other.session), (one.path, other.path)))


_SOURCES = {
    "memories": "SELECT m.id AS key, m.content, m.who AS label, m.created_at AS at"
                " FROM memories m WHERE m.id IN (SELECT value FROM json_each(:keys))"
                f" AND {MEMORY_VISIBLE}",
    "session_transcripts": "SELECT session_key AS key, content, harness AS label,"
                           " created_at AS at FROM session_transcripts WHERE agent_id = :agent"
                           " AND session_key IN (SELECT value FROM json_each(:keys))",
    "memory_artifacts": "SELECT source_path AS key, content, source_path AS label,"
                        " captured_at AS at FROM memory_artifacts WHERE agent_id = :agent"
                        " AND source_path IN (SELECT value FROM json_each(:keys))",
}


def _fetch(reader: Reader, table: str, keys: set[str]) -> dict[str, Row]:
    wanted = sorted(keys - {""})
    if not wanted or not reader.has_table(table):
        return {}
    return {row["key"]: row for row in reader.rows(_SOURCES[table], keys=wanted)}


def _evidence(
    item: _Reference, memories: Mapping[str, Row], transcripts: Mapping[str, Row],
    artifacts: Mapping[str, Row],
) -> Evidence:
    for kind, key, rows in (("memory", item.memory, memories),
                            ("session_transcript", item.session, transcripts),
                            ("memory_artifact", item.path, artifacts)):
        row = rows.get(key)
        if row is not None:
            return Evidence(kind, item.quote, around(text(row["content"]), item.quote), key,
                            text(row["at"]) or None, text(row["label"]) or spoken(kind))
    place = item.path or item.session or item.memory
    kind = "provided_quote" if item.quote else item.kind or "source"
    return Evidence(kind, item.quote, "", place or None, item.when or None, place)


def around(content: str, quote: str, width: int = AROUND) -> str:
    """`content`, or where it is long the part around `quote`, cut with `…` where it is."""
    if len(content) <= width:
        return content
    start = min(max(content.find(quote) - width // 2, 0), len(content) - width) if quote else 0
    end = start + width
    return ("…" if start else "") + content[start:end] + ("…" if end < len(content) else "")
