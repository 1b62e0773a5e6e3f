"""Finds values that contradict or repeat each other, have no place or source, or are stale."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta

from core.health.finding import Finding, Findings, Fix, Rules, Severity, fix
from core.ingest.propose_instead_of_writing import key_of_words
from core.learning import retire_contradicted_values
from core.maintenance import duplicate_values as twins
from core.model.names import canonical, spoken
from core.model.text_formatting import one_line
from core.model.vocabulary import OBSERVATIONS
from core.queries.disputes import disputes
from core.queries.rows_to_model import CLAIM_KEY, GROUP_KEY, same_words, text
from core.store.database import Row
from core.store.reader_and_writer import Reader, stamp

VALUE = f"""
SELECT v.id, v.kind, v.content, v.claim_key, v.group_key, v.created_at, v.rowid AS number,
  v.aspect_id, v.memory_id, v.confidence, {same_words('v')} AS words, s.name AS aspect,
  s.id AS aspect_key, e.id AS entity, e.name"""
OWNED = """
CROSS JOIN entity_aspects s ON s.id = v.aspect_id CROSS JOIN entities e ON e.id = s.entity_id"""
SEEN = """
+v.agent_id = :agent AND +v.status = 'active' AND +s.agent_id = :agent AND +s.status = 'active'
  AND +e.agent_id = :agent AND +e.status = 'active'"""
_ORDER = " ORDER BY e.name, e.id, s.name, v.rowid"
_CROWDED = f"""
WITH crowded AS (
  SELECT v.aspect_id, {GROUP_KEY} AS slot_group, {CLAIM_KEY} AS slot_claim
  FROM entity_attributes v WHERE v.agent_id = :agent AND v.status = 'active'
    AND v.claim_key <> '' AND v.aspect_id IN (
      SELECT a.aspect_id FROM entity_attributes a WHERE a.agent_id = :agent
        AND a.status = 'active' GROUP BY a.aspect_id HAVING COUNT(*) > 1)
  GROUP BY 1, 2, 3 HAVING COUNT(*) > 1)
{VALUE}, c.slot_group, c.slot_claim
FROM crowded c CROSS JOIN entity_attributes v ON v.aspect_id = c.aspect_id
  AND {GROUP_KEY} = c.slot_group AND {CLAIM_KEY} = c.slot_claim {OWNED}
WHERE {SEEN}
ORDER BY e.name, e.id, s.name, c.slot_group, c.slot_claim, replace(v.created_at, 'T', ' '),
  v.rowid"""
GIVEN = f"""
{VALUE} FROM json_each(:ids) f CROSS JOIN entity_attributes v ON v.id = f.value {OWNED}
WHERE {SEEN}{_ORDER}"""


def two_values(reader: Reader, rules: Rules) -> Iterator[Finding]:
    """Values that share the place of one claim, a constraint beside an attribute as well.

    The newer value takes the place of the older one, and a constraint that of any attribute. What
    says the same, or contradicts it, is told of by those kinds.
    """
    slots: dict[tuple[str, str, str], list[Row]] = {}
    for row in reader.rows(_CROWDED):
        slots.setdefault((row["aspect_id"], row["slot_group"], row["slot_claim"]), []).append(row)
    told = contradicting(reader, rules) if slots else {}
    for rows in slots.values():
        # The rules last, and among equals the newest: the last one stays.
        *others, stays = sorted(rows, key=lambda row: row["kind"] == "constraint")
        for row in others:
            if row["id"] not in told and (
                    row["kind"] != stays["kind"] or not _says_same(row, stays)):
                yield yields(reader, "two_values", row, stays, "warning")


def contradictions(reader: Reader, rules: Rules) -> Iterator[Finding]:
    """Values that a newer one seems to take back: by their words, or in a dispute that waits."""
    pairs = contradicting(reader, rules)
    rows = {row["id"]: row for row in reader.rows(
        GIVEN, ids=sorted({*pairs, *pairs.values()}))} if pairs else {}
    for row in rows.values():
        newer = rows.get(pairs.get(row["id"], ""))
        if newer is not None:
            yield yields(reader, "contradiction", row, newer, "error")


def contradicting(reader: Reader, rules: Rules) -> dict[str, str]:
    """The older values by id, each with the newer one that takes it back."""
    pairs = {one.older_id: one.newer_id for one in disputes(reader).values()}
    return pairs | {one.old_id: one.new_id
                    for one in retire_contradicted_values.find_all(reader, rules.supersession).sure}


def yields(
    reader: Reader, kind: str, older: Row, newer: Row, severity: Severity
) -> Finding:
    """That one value should go and another stay in its place."""
    spot = spoken(older["claim_key"]) if older["claim_key"] else text(older["aspect"])
    both = (f"“{cut(older)}” is there twice" if _says_same(older, newer)
            else f"“{cut(older)}” and “{cut(newer)}” both hold")
    rule = older["kind"] == "constraint"
    if rule:
        both = f"{both}; the first is a constraint"
    elif newer["kind"] == "constraint":
        both = f"{both}; the second is a constraint"
    return Finding(
        kind, severity, (older["id"], newer["id"]), older["entity"], text(older["name"]),
        f"{spot}: {both}", fix(
            reader, "supersede_claim_value", entity=older["entity"], aspect=older["aspect_key"],
            kind=older["kind"], attribute_id=older["id"], superseded_by=newer["id"],
            **({"force": True} if rule else {})))


def _says_same(one: Row, other: Row) -> bool:
    return canonical(text(one["words"])) == canonical(text(other["words"]))


def cut(row: Row) -> str:
    return one_line(text(row["content"]), 80)


def duplicate_values(reader: Reader, rules: Rules) -> Iterator[Finding]:
    """Values that say the same in one aspect; the best founded one stays."""
    groups = twins.find(reader)
    keeps = {gone: group for group in groups for gone in group.gone_ids}
    for row in reader.rows(GIVEN, ids=sorted(keeps)) if keeps else ():
        rule = {"force": True} if row["kind"] == "constraint" else {}
        group = keeps[row["id"]]
        yield Finding(
            "duplicate_values", "info", (row["id"], group.kept_id), row["entity"],
            text(row["name"]), f"{text(row['aspect'])}: “{cut(row)}” is there"
            f" {_times(len(group.gone_ids) + 1)}",
            fix(reader, "archive_claim_value", attribute_id=row["id"],
                reason="The same value is there more than once", **rule))


def _times(count: int) -> str:
    return "twice" if count == 2 else f"{count} times"


_WITHOUT = f"""
SELECT v.id FROM entity_attributes v {OWNED}
WHERE v.agent_id = :agent AND {{lacking}} AND {SEEN}{_ORDER}"""
_WITHOUT_GROUP = _WITHOUT.format(lacking="trim(COALESCE(v.group_key, '')) = ''")
# What an MCP memory file calls observations has no keys there either.
_WITHOUT_CLAIM = _WITHOUT.format(
    lacking="trim(COALESCE(v.claim_key, '')) = '' AND s.canonical_name IS NOT :loose")
_WITHOUT_SOURCE = _WITHOUT.format(lacking="""
COALESCE(v.source_path, v.source_id, v.proposal_id, '') = '' AND (
  v.memory_id IS NULL OR v.memory_id = v.id
  OR NOT EXISTS (SELECT 1 FROM memories m WHERE m.id = v.memory_id))""")


def missing_group(reader: Reader, rules: Rules) -> Iterable[Finding] | Findings:
    """Values in no group; they are told under “general”."""
    if not reader.has_column("entity_attributes", "group_key"):
        return ()
    return _incomplete(reader, "missing_group", _WITHOUT_GROUP, "is in no group",
                       lambda row: {"group_key": "general"})


def missing_claim(reader: Reader, rules: Rules) -> Iterable[Finding] | Findings:
    """Values that no newer one can take the place of, since nothing says what they are about."""
    if not reader.has_column("entity_attributes", "claim_key"):
        return ()
    return _incomplete(reader, "missing_claim", _WITHOUT_CLAIM, "has no claim key",
                       lambda row: {"claim_key": key_of_words(text(row["content"]))})


def missing_source(reader: Reader, rules: Rules) -> Findings:
    """Values of which nobody knows where they come from: no memory, document or proposal."""
    return _incomplete(reader, "missing_source", _WITHOUT_SOURCE, "has no source")


def _incomplete(
    reader: Reader, kind: str, query: str, words: str,
    place: Callable[[Row], dict[str, str]] | None = None,
) -> Findings:
    """Values that lack something; `place` is what a move would give them."""
    def made(ids: Sequence[str]) -> list[Finding]:
        return [Finding(kind, "info", (row["id"],), row["entity"], text(row["name"]),
                        f"{text(row['aspect'])}: “{cut(row)}” {words}",
                        place and fix(reader, "move_claim", attribute_id=row["id"], **place(row))
                        or None)
                for row in reader.rows(GIVEN, ids=list(ids))]

    return Findings(kind, (row["id"] for row in reader.each(query, loose=OBSERVATIONS)), made)


_STALE = f"""
{VALUE}, v.updated_at FROM entity_attributes v {OWNED}
WHERE v.agent_id = :agent AND v.status = 'active' AND v.kind = 'attribute'
  AND v.confidence < :low AND replace(v.updated_at, 'T', ' ') < :before AND {SEEN}{_ORDER}"""


def stale_values(reader: Reader, rules: Rules) -> Iterator[Finding]:
    """Unsure values that nothing has confirmed for long."""
    limits = rules.health
    before = stamp(datetime.now(UTC) - timedelta(days=limits.stale_days)).replace("T", " ")
    for row in reader.rows(_STALE, low=limits.low_confidence, before=before):
        yield Finding(
            "stale_value", "info", (row["id"],), row["entity"], text(row["name"]),
            f"{text(row['aspect'])}: “{cut(row)}” is unsure ({row['confidence']:.2f}) and"
            f" unchanged since {str(row['updated_at'])[:10]}", _archive(reader, row))


def _archive(reader: Reader, row: Row) -> Fix | None:
    return fix(reader, "archive_claim_value", attribute_id=row["id"],
               reason="Unsure, and not confirmed for long")
