"""Stores a memory with its entities, values and what they replace; all or nothing."""

import hashlib
from collections.abc import Iterator

from msgspec.structs import replace

from core.errors import OperationError
from core.ingest.config import IngestSettings
from core.ingest.decision_wording import decision_words
from core.ingest.mentions import link_mentions
from core.ingest.payload import Remembered
from core.ingest.remember_state import RememberState
from core.ingest.restated_archived_facts import is_kept_out
from core.ingest.reversals import note_reversals
from core.ingest.structured import persist_structured
from core.ingest.triples import persist_entities
from core.learning import retire_contradicted_values
from core.learning.config import SupersessionSettings
from core.model.ingest_results import RememberReport
from core.model.memory import usual_visibility
from core.model.memory_hash import short_hash
from core.model.names import canonical
from core.model.secret_wording import secret_warnings
from core.model.text_formatting import one_line
from core.ontology import disputes
from core.store.database import Row
from core.store.reader_and_writer import Writer, new_id

_END = ".!?,;:"


def remember(
    writer: Writer, remembered: Remembered, settings: IngestSettings | None = None,
    supersede: SupersessionSettings | None = None, *, explain: bool = False,
) -> RememberReport:
    """Store a memory in the open transaction; several may share one.

    The same memory twice is one memory: a known idempotency key returns what it brought before,
    known content only adds the structure that is missing. What the person has archived or
    deleted does not come back, and is told in `skipped`, like names that the quality gate
    refuses and what is beyond a cap. A memory that says just that, from an agent, is not stored
    (`restated_archived_facts`).

    Raises:
        OperationError: the key belongs to another agent (409), or the content is too long (400);
            nothing is written then.
    """
    asked = settings or IngestSettings()
    if len(remembered.content) > asked.max_characters:
        raise OperationError(
            400, f"content is longer than {asked.max_characters:,} characters", field="content")
    with writer.savepoint():
        known = _by_key(writer, remembered)
        if known is not None:
            return RememberReport(known["id"], "idempotency_key")
        decided = _decided(remembered) if asked.decisions else ""
        known = _by_content(writer, remembered)
        state = RememberState(
            writer, asked, known["id"] if known else new_id(),
            remembered.created_at or (known["created_at"] if known else writer.now()),
            fresh=known is None, explain=explain)
        state.warn(secret_warnings(_texts(remembered)))
        if known is None and is_kept_out(state, remembered.content):
            return replace(state.report(), memory_id="")
        if decided:
            state.note("$.content", decided, "reads like a decision: its values become constraints")
        if known is None:
            _insert(state, remembered, bool(decided))
        _persist(state, remembered, bool(decided), supersede or SupersessionSettings())
        return state.report("content" if known else "", bool(decided))


def _decided(remembered: Remembered) -> str:
    """What makes the memory a decision: its type, or its wording; empty if nothing does."""
    return "decision" if remembered.type == "decision" else decision_words(remembered.content)


def _texts(remembered: Remembered) -> Iterator[tuple[str, str]]:
    """The memory and its values, with what a warning calls each."""
    yield "The memory", remembered.content
    for aspect in remembered.aspects:
        for value in aspect.attributes:
            yield f"A value of “{one_line(aspect.entity_name, 60)}”", value.content


def _persist(
    state: RememberState, remembered: Remembered, decision: bool, supersede: SupersessionSettings
) -> None:
    persist_entities(state, remembered.entities)
    persist_structured(state, remembered.aspects, decision)
    if state.settings.link_mentions:
        link_mentions(state, remembered.content)
    _hint(state, remembered)
    note_reversals(state, remembered.content)
    retired = retire_contradicted_values.check(state.writer, tuple(state.places), supersede)
    state.superseded_ids.extend(retired.superseded)
    for one in retired.held:
        state.disputes.extend(disputes.ask(state.writer, [one.old_id], one.new_id, one.verdict))
    does = "would replace" if supersede.shadow else "replaces"
    for one in retired.found:
        state.note(
            state.places.get(one.new_id) or state.places.get(one.old_id, ""), one.new,
            f"{does} “{one.old}”: {one.verdict.reasoning} ({one.verdict.confidence:g})")


def content_hash(content: str) -> str:
    """A hash of a memory's text, ignoring spacing, case and a final full stop."""
    return hashlib.sha256(canonical(content).rstrip(_END).encode()).hexdigest()


def _by_key(writer: Writer, remembered: Remembered) -> Row | None:
    """The memory that this key brought before, also one that was forgotten since."""
    if remembered.idempotency_key is None:
        return None
    rows = writer.rows(
        "SELECT id, agent_id, is_deleted FROM memories WHERE idempotency_key = :key",
        key=remembered.idempotency_key)
    own = writer.has_column("memories", "agent_id")
    mine = [row for row in rows if row["agent_id"] == writer.agent or not own]
    if rows and not mine:
        raise OperationError(
            409, "This idempotency key is already used", field="idempotency_key", do="Use another "
                                                                                     "key")
    return min(mine, key=lambda row: row["is_deleted"] or 0, default=None)


def _by_content(writer: Writer, remembered: Remembered) -> Row | None:
    """The agent's memory with the same words in the same scope.

    An old Signet file keeps neither agent nor scope of a memory: there it is everybody's.
    """
    plain = hashlib.sha256(canonical(remembered.content).encode()).hexdigest()
    hashed = writer.has_column("memories", "content_hash")
    same = "content_hash IN (:mine, :plain, :imported)" if hashed else "content = :content"
    if _hash_is_shared(writer):
        same = f"({same} OR content_hash IS NULL AND content = :content)"
    return writer.row(
        f"SELECT id, created_at FROM memories WHERE {same} AND is_deleted = 0"
        " AND (+agent_id = :agent OR NOT :own) AND COALESCE(scope, '') = COALESCE(:scope, '')",
        mine=content_hash(remembered.content), plain=plain, imported=short_hash(plain),
        content=remembered.content,
        scope=remembered.scope if writer.has_column("memories", "scope") else None,
        own=writer.has_column("memories", "agent_id"))


def _insert(state: RememberState, remembered: Remembered, decision: bool) -> None:
    writer = state.writer
    writer.insert(
        "memories", id=state.memory_id, agent_id=writer.agent, content=remembered.content,
        type=remembered.type or ("decision" if decision else "fact"),
        content_hash=_free_hash(writer, remembered),
        normalized_content=canonical(remembered.content),
        confidence=1.0 if remembered.confidence is None else remembered.confidence,
        importance=_importance(state, remembered, decision),
        tags=",".join(remembered.tags) or None, who=remembered.who, why=remembered.why,
        project=remembered.project, pinned=remembered.pinned, scope=remembered.scope,
        visibility=_visibility(writer, remembered), source_type=remembered.source_type,
        source_id=remembered.source_id, source_path=remembered.source_path,
        idempotency_key=remembered.idempotency_key, is_deleted=0,
        extraction_status="completed" if remembered.structured else "none",
        created_at=state.at, updated_at=writer.now(), updated_by=writer.actor)
    _tell_lost(state, remembered)


def _visibility(writer: Writer, remembered: Remembered) -> str:
    return remembered.visibility or usual_visibility(writer.agent)


def _tell_lost(state: RememberState, remembered: Remembered) -> None:
    """Say what of the memory a file of an older generation has no room for."""
    seen = _visibility(state.writer, remembered)
    private = seen if seen != "global" and remembered.visibility else ""
    for name, column, value, what in (
        ("visibility", "visibility", private, "private memories: every agent sees this one"),
        ("scope", "scope", remembered.scope, "scopes"),
        ("sourcePath", "source_path", remembered.source_path, "places of sources"),
        ("idempotencyKey", "idempotency_key", remembered.idempotency_key, "idempotency keys"),
    ):
        if value and not state.writer.has_column("memories", column):
            state.not_kept(f"$.{name}", value, what)


def _importance(state: RememberState, remembered: Remembered, decision: bool) -> float:
    if remembered.importance is not None:
        return remembered.importance
    return state.settings.decision_importance if decision else state.settings.importance


def _free_hash(writer: Writer, remembered: Remembered) -> str | None:
    """The hash, unless another agent's memory has it in a file where it is unique across agents."""
    digest = content_hash(remembered.content)
    taken = _hash_is_shared(writer) and writer.value(
        "SELECT 1 FROM memories WHERE content_hash = :hash AND is_deleted = 0", hash=digest)
    return None if taken else digest


def _hash_is_shared(writer: Writer) -> bool:
    """True where hashes are unique across agents: Signet told agents apart (migration 043) before
    that index did (056)."""
    if writer.kind == "native" or not writer.has_column("memories", "agent_id"):
        return False
    return "agent_id" not in (writer.value(
        "SELECT sql FROM main.sqlite_master WHERE name = 'idx_memories_content_hash_unique'")
        or "agent_id")


def _hint(state: RememberState, remembered: Remembered) -> None:
    """Keep the questions that the memory answers, for recall."""
    writer = state.writer
    if remembered.hints and not writer.has_table("memory_hints"):
        state.not_kept("$.hints", remembered.hints[0], "hints")
    if not remembered.hints or not writer.has_table("memory_hints"):
        return
    known = {row["hint"] for row in writer.rows(
        "SELECT hint FROM memory_hints WHERE memory_id = :id", id=state.memory_id)}
    for hint in dict.fromkeys(remembered.hints):
        if hint not in known:
            writer.insert("memory_hints", id=new_id(), memory_id=state.memory_id,
                          agent_id=writer.agent, hint=hint, created_at=writer.now())
