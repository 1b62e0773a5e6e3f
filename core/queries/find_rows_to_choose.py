"""Rows to choose from by what a person knows of them: a name, an aspect, words of a value."""

from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct

from core.errors import OperationError
from core.model.entity import EntityRow
from core.model.names import name_key, spoken
from core.model.text_formatting import one_line
from core.queries.claims import evidence_of
from core.queries.entities import entities_by_id, list_entities
from core.queries.entity_search import like
from core.queries.links import links_of
from core.queries.rows_to_model import MEMORY_VISIBLE, VALUE_ORDER, text
from core.store.reader_and_writer import Reader

MOST = 40
"""So many are offered; who wants another one types more of it."""
NEAR = 8
"""Entities that are looked into for each word that was typed."""
LOOKED_AT = 5_000
"""Rows of them that are looked at."""
LONGEST = 160

_VALUES = f"""
SELECT v.id, e.name AS entity, s.name AS aspect, v.claim_key AS claim, v.content, v.status
FROM json_each(:ids) f CROSS JOIN entity_aspects s ON s.entity_id = f.value
CROSS JOIN entity_attributes v ON v.aspect_id = s.id CROSS JOIN entities e ON e.id = s.entity_id
WHERE +s.agent_id = :agent AND +v.agent_id = :agent
  AND v.status IN (SELECT value FROM json_each(:statuses))
ORDER BY v.status, f.key, s.weight DESC, {VALUE_ORDER} LIMIT :most"""
_ASPECTS = """
SELECT s.name FROM entity_aspects s WHERE s.entity_id = :entity AND +s.agent_id = :agent
  AND (s.status = 'active') = :open ORDER BY s.weight DESC, s.rowid"""
_ALIASES = """
SELECT a.alias FROM entity_aliases a WHERE a.entity_id = :entity AND +a.agent_id = :agent
  AND a.status = 'active' ORDER BY a.rowid"""
_SAID = """
COALESCE(e.name, '') || ' ' || COALESCE(a.speaker, a.created_by, '') || ' ' || a.predicate || ' '
|| a.content"""
_ASSERTIONS = """
SELECT a.id, e.name AS entity, COALESCE(a.speaker, a.created_by, '') AS who, a.predicate, a.content
FROM epistemic_assertions a LEFT JOIN entities e ON e.id = a.subject_entity_id
WHERE a.agent_id = :agent AND (a.status <> 'archived') = :open AND {holds}
ORDER BY a.subject_entity_id = :entity DESC, a.rowid DESC LIMIT :most"""
_MEMORIES = f"""
SELECT m.id, m.content FROM memories m
WHERE {MEMORY_VISIBLE} AND COALESCE(m.is_deleted, 0) = 0 AND {{holds}}
ORDER BY EXISTS (SELECT 1 FROM memory_entity_mentions n
  WHERE n.memory_id = m.id AND n.entity_id = :entity) DESC, m.rowid DESC LIMIT :most"""


class RowChoice(Struct, frozen=True):
    """A row: what an operation calls it, and one line that a person knows it by."""

    id: str
    words: str


def row_choices(
    reader: Reader, kind: str, typed: str = "", *, entity: str = "", of: str = "",
    gone: bool = False,
) -> tuple[RowChoice, ...]:
    """The agent's rows of a kind that hold all words that were typed.

    Args:
        kind: of `core.ontology.row_reference_fields`.
        entity: the id of the entity whose rows come first; the only one for aspects and aliases.
        of: the id of the value whose sources are listed.
        gone: the archived ones (of values: those that hold no more), which can be restored; else
            values that hold come before earlier ones.

    Raises OperationError (404) where there is no such kind.
    """
    words = tuple(name_key(typed).split())
    if kind == "entity":
        return tuple(_entities(reader, typed, gone=gone))
    if kind in ("memory", "assertion"):
        return tuple(_said(reader, kind, words, entity, gone=gone))
    if kind not in _BY_KIND:
        raise OperationError(404, f"There are no rows of the kind “{one_line(kind, 40)}”")
    found = _BY_KIND[kind](reader, _near(reader, words, entity), entity, of, gone)
    return tuple(_holding(found, words))


def _holding(found: Iterable[RowChoice], words: tuple[str, ...]) -> Iterator[RowChoice]:
    left = MOST
    for choice in found:
        key = name_key(choice.words)
        if all(word in key for word in words):
            yield choice
            left -= 1
        if not left:
            return


def _near(reader: Reader, words: tuple[str, ...], entity: str) -> list[str]:
    """The entities that are looked into: the given one, and those that a word finds."""
    found = dict.fromkeys([entity] if entity else [])
    for typed in (" ".join(words), *words) if words else ([] if entity else [""]):
        found |= dict.fromkeys(row.id for row in _listed(reader, typed, NEAR, "active"))
    return list(found)


def _listed(reader: Reader, typed: str, limit: int, status: str) -> list[EntityRow]:
    try:
        return list_entities(reader, text=typed, limit=limit, status=status)
    except OperationError:
        return []  # What is typed is not finished yet.


def _entities(reader: Reader, typed: str, *, gone: bool) -> Iterator[RowChoice]:
    for row in _listed(reader, typed, MOST, "archived" if gone else "active"):
        yield RowChoice(row.id, f"{one_line(row.name, 80)} · {row.entity_type}")


def _said(
    reader: Reader, kind: str, words: tuple[str, ...], entity: str, *, gone: bool
) -> Iterator[RowChoice]:
    whole = "m.content" if kind == "memory" else _SAID
    holds = " AND ".join(f"{whole} LIKE :word{at} ESCAPE '\\'" for at in range(len(words))) or "1"
    given = {f"word{at}": like(word) for at, word in enumerate(words)}
    if kind == "memory":
        for row in reader.rows(_MEMORIES.format(holds=holds), entity=entity, most=MOST, **given):
            yield RowChoice(row["id"], one_line(text(row["content"]), LONGEST))
        return
    for row in reader.rows(_ASSERTIONS.format(holds=holds), entity=entity, most=MOST,
                           open=not gone, **given):
        said = " ".join(part for part in (text(row["who"]), text(row["predicate"])) if part)
        yield RowChoice(row["id"], one_line(
            f"{text(row['entity'])} › {said}: {text(row['content'])}", LONGEST))


def _values(
    reader: Reader, near: list[str], _entity: str, _of: str, gone: bool
) -> Iterator[RowChoice]:
    statuses = ("superseded", "deleted") if gone else ("active", "superseded")
    for row in reader.rows(_VALUES, ids=near, statuses=statuses, most=LOOKED_AT):
        claim = f" · {spoken(text(row['claim']))}" if row["claim"] else ""
        earlier = " (earlier)" if row["status"] == "superseded" and not gone else ""
        yield RowChoice(row["id"], one_line(
            f"{text(row['entity'])} › {text(row['aspect'])}{claim}{earlier}:"
            f" {text(row['content'])}", LONGEST))


def _links(
    reader: Reader, near: list[str], _entity: str, _of: str, gone: bool
) -> Iterator[RowChoice]:
    names, seen = entities_by_id(reader, near), set()
    for id in near:
        for link in links_of(reader, id, archived=gone, limit=LOOKED_AT // NEAR):
            if link.id in seen or (link.status == "active") == gone:
                continue
            seen.add(link.id)
            ends = [one_line(names[id].name if id in names else id, 60),
                    one_line(link.other_name or link.other_id, 60)]
            source, target = ends if link.direction == "out" else ends[::-1]
            yield RowChoice(link.id, f"{source} — {link.words} → {target}")


def _aspects(
    reader: Reader, _near: list[str], entity: str, _of: str, gone: bool
) -> Iterator[RowChoice]:
    for row in reader.rows(_ASPECTS, entity=entity, open=not gone):
        yield RowChoice(text(row["name"]), text(row["name"]))


def _aliases(
    reader: Reader, _near: list[str], entity: str, _of: str, _gone: bool
) -> Iterator[RowChoice]:
    for row in reader.rows(_ALIASES, entity=entity):
        yield RowChoice(text(row["alias"]), text(row["alias"]))


def _sources(
    reader: Reader, _near: list[str], _entity: str, of: str, _gone: bool
) -> Iterator[RowChoice]:
    for piece in evidence_of(reader, of) if of else ():
        if piece.source_id and piece.kind != "ontology_proposal":
            yield RowChoice(piece.source_id, one_line(
                f"{spoken(piece.kind)}: {piece.quote or piece.text or piece.source_id}", LONGEST))


_BY_KIND: dict[str, Callable[..., Iterator[RowChoice]]] = {
    "value": _values, "link": _links, "aspect": _aspects, "alias": _aliases, "source": _sources}


def described(reader: Reader, kind: str, id: str) -> RowChoice | None:
    """The row with this id as it would be offered; None if it is not there."""
    if kind == "value":
        owner = reader.row(
            "SELECT s.entity_id AS id, v.status FROM entity_attributes v"
            " CROSS JOIN entity_aspects s ON s.id = v.aspect_id"
            " WHERE v.id = :id AND +v.agent_id = :agent", id=id)
        every = _values(reader, [owner["id"]], "", "",
                        owner["status"] == "deleted") if owner else ()
        return next((each for each in every if each.id == id), None)
    if kind == "memory":
        row = reader.row("SELECT m.content FROM memories m"
                         f" WHERE m.id = :id AND {MEMORY_VISIBLE}", id=id)
        return RowChoice(id, one_line(text(row["content"]), LONGEST)) if row else None
    return None
