"""Reads the links and assertions in force that may answer a question, and what entities are.

Those of the entities that the question refers to are found by their indexes; of the others the
newest, as far as their reason or their text holds one of its words.
"""

from collections.abc import Collection, Iterable, Sequence

from msgspec import Struct

from core.model.graph_statement import ASSERTION, ENTITY, LINK, Statement
from core.model.link import link_in_words, own_sentence, own_words
from core.model.link_and_type_synonyms import (
    asked_for_assertion,
    asked_for_kin,
    asked_for_link,
    asked_for_type,
    asked_for_words,
)
from core.model.names import spoken
from core.model.search_words import Term, cores
from core.model.text_formatting import one_line
from core.model.vocabulary import CO_OCCURRED, EXTRACTED, NAMED_ONLY
from core.model.walk import FocalEntity
from core.queries.descriptions import HOLDS
from core.queries.entity_search import like
from core.queries.rows_to_model import number, text
from core.recall.keyword import spellings
from core.store.database import Row
from core.store.reader_and_writer import Reader

OF_ONE = 200
"""Links from, links to and assertions about one entity that are looked at, the strongest and the
newest: a hub costs no more than others."""
SCANNED = 1_000
"""Links and assertions whose own words are searched, the newest."""
HOLDING = 60
"""Of those that are found so, the newest that are looked at."""
LONGEST_NAME, LONGEST_TEXT = 120, 300
"""Characters of a name and of a reason or an assertion that are told."""
_UNTOLD_TYPES = frozenset({"", "unknown", "extracted"})
"""Types that tell nothing of an entity."""
_KIND = ("kind", "sort", "type", "thing")
"""Words that ask for one."""

_ENDS = """
CROSS JOIN entities s ON s.id = d.source_entity_id
CROSS JOIN entities t ON t.id = d.target_entity_id
WHERE +d.agent_id = :agent AND +d.status = 'active' AND +s.agent_id = :agent
  AND +s.status = 'active' AND +t.agent_id = :agent AND +t.status = 'active'
  AND (+s.muted = 0 OR s.id IN (SELECT value FROM json_each(:asked)))
  AND (+t.muted = 0 OR t.id IN (SELECT value FROM json_each(:asked)))"""
_LINK = """
SELECT d.id, d.dependency_type, d.reason, d.source_kind, d.confidence, d.created_at,
  s.id AS source_id, s.name AS source_name, s.entity_type AS source_type,
  t.id AS target_id, t.name AS target_name, t.entity_type AS target_type"""
_LINKS_OF = f"""{_LINK}
FROM json_each(:asked) f CROSS JOIN entity_dependencies d ON d.id IN (
  SELECT c.id FROM entity_dependencies c WHERE c.{{end}}_entity_id = f.value
    AND +c.agent_id = :agent AND +c.status = 'active' ORDER BY c.strength DESC LIMIT :most)
{_ENDS}"""
_LINKS_HOLDING = f"""{_LINK}
FROM (SELECT n.id FROM (SELECT r.id, r.reason, r.rowid AS place FROM entity_dependencies r
    ORDER BY r.rowid DESC LIMIT :scanned) n
  WHERE {{holds}} ORDER BY n.place DESC LIMIT :most) f
CROSS JOIN entity_dependencies d ON d.id = f.id {_ENDS}"""
_ASSERTION = """
SELECT a.id, a.predicate, a.content, a.speaker, a.asserted_at, a.confidence,
  e.id AS entity_id, e.name AS entity, e.entity_type"""
_SUBJECT = """
CROSS JOIN entities e ON e.id = a.subject_entity_id
WHERE +a.agent_id = :agent AND +a.status = 'active' AND +e.agent_id = :agent
  AND +e.status = 'active' AND (+e.muted = 0 OR e.id IN (SELECT value FROM json_each(:asked)))"""
_ASSERTIONS_OF = f"""{_ASSERTION}
FROM json_each(:asked) f CROSS JOIN epistemic_assertions a ON a.id IN (
  SELECT c.id FROM epistemic_assertions c WHERE c.agent_id = :agent
    AND c.subject_entity_id = f.value AND c.status = 'active'
  ORDER BY c.asserted_at DESC LIMIT :most)
{_SUBJECT}"""
_ASSERTIONS_HOLDING = f"""{_ASSERTION}
FROM (SELECT n.id FROM (SELECT r.id, r.speaker, r.content, r.rowid AS place
    FROM epistemic_assertions r ORDER BY r.rowid DESC LIMIT :scanned) n
  WHERE {{holds}} ORDER BY n.place DESC LIMIT :most) f
CROSS JOIN epistemic_assertions a ON a.id = f.id {_SUBJECT}"""
_ENTITIES = f"""
SELECT e.id, e.name, e.entity_type, CASE WHEN {HOLDS} THEN e.description END AS description,
  e.created_at FROM json_each(:asked) f
CROSS JOIN entities e ON e.id = f.value
WHERE +e.agent_id = :agent AND +e.status = 'active' ORDER BY f.key"""


_KNOWN_BY_LINKS = """
SELECT f.value AS id FROM json_each(:asked) f
WHERE NOT EXISTS (SELECT 1 FROM memory_entity_mentions n WHERE n.entity_id = f.value)
  AND NOT EXISTS (SELECT 1 FROM entity_aspects s WHERE s.entity_id = f.value)"""


class FoundStatement(Struct, frozen=True):
    """A statement as it is matched with a question.

    Attributes:
        also: plain words by which it may be asked for, beside those of its text.
        names: for each of its entities, the name and the type.
        relation: of a link its type, of an assertion its predicate, else empty.
        called: what an imported file says of a link, `works at`; empty where its type says it.
        is_all: nothing but links is known of one of its ends.
    """

    statement: Statement
    also: tuple[str, ...]
    names: tuple[tuple[str, str], ...]
    relation: str = ""
    called: str = ""
    is_all: bool = False


def find_statements(
    reader: Reader, terms: Sequence[Term], focal: Sequence[FocalEntity], *, told: Iterable[str] = ()
) -> tuple[FoundStatement, ...]:
    """The links, assertions and entities that may answer a question, each once.

    Args:
        terms: its words.
        focal: the entities that it refers to.
        told: ids of entities of which it is told already what they are.
    """
    asked = [each.id for each in focal]
    pieces = sorted({spelled for term in terms for core in cores(term.forms)
                     for spelled in spellings(core)})
    return (*_entities(reader, [id for id in asked if id not in set(told)]),
            *_links(reader, asked, pieces), *_assertions(reader, asked, pieces))


def only_links_of(reader: Reader, ids: Sequence[str], most: int) -> list[str]:
    """Of entities of which nothing but links is known, their strongest links in words.

    Args:
        most: links of one entity that leave, and that reach it.
    """
    known = [row["id"] for row in reader.rows(_KNOWN_BY_LINKS, asked=ids)] if ids else []
    rows = {row["id"]: row for end in ("source", "target") if known
            for row in reader.rows(_LINKS_OF.format(end=end), asked=known, most=most)}
    return [_link(row, known).statement.text for row in rows.values()]


def _links(
    reader: Reader, asked: Sequence[str], pieces: Sequence[str]
) -> Iterable[FoundStatement]:
    rows: dict[str, Row] = {}
    for end in ("source", "target") if asked else ():
        rows |= {row["id"]: row for row in reader.rows(
            _LINKS_OF.format(end=end), asked=asked, most=OF_ONE)}
    if pieces:
        holds, bound = _holding(("n.reason",), pieces)
        rows |= {row["id"]: row for row in reader.rows(
            _LINKS_HOLDING.format(holds=holds), asked=asked, scanned=SCANNED, most=HOLDING,
            **bound)}
    known_by_links = {row["id"] for row in reader.rows(_KNOWN_BY_LINKS, asked=asked)
                      } if asked and rows else set[str]()
    return (_link(row, known_by_links, asked) for row in rows.values())


def _assertions(
    reader: Reader, asked: Sequence[str], pieces: Sequence[str]
) -> Iterable[FoundStatement]:
    if not reader.has_table("epistemic_assertions"):
        return ()
    rows: dict[str, Row] = {}
    if asked:
        rows |= {row["id"]: row for row in reader.rows(_ASSERTIONS_OF, asked=asked, most=OF_ONE)}
    if pieces:
        holds, bound = _holding(("n.content", "n.speaker"), pieces)
        rows |= {row["id"]: row for row in reader.rows(
            _ASSERTIONS_HOLDING.format(holds=holds), asked=asked, scanned=SCANNED, most=HOLDING,
            **bound)}
    return map(_assertion, rows.values())


def _holding(columns: Sequence[str], pieces: Sequence[str]) -> tuple[str, dict[str, object]]:
    """SQL that is true where one of the columns holds one of the pieces, and its parameters."""
    bound: dict[str, object] = {f"p{n}": like(piece) for n, piece in enumerate(pieces)}
    return " OR ".join(f"{column} LIKE :{name} ESCAPE '\\'"
                       for name in bound for column in columns), bound


# -- in words --------------------------------------------------------------------------------


def _link(
    row: Row, known_by_links: Collection[str], asked: Collection[str] = ()
) -> FoundStatement:
    """As it is matched.

    Args:
        asked: ids of the entities that the question refers to.
    """
    kind, reason = text(row["dependency_type"]), text(row["reason"])
    own, sentence = (find(kind, reason, row["source_kind"]) for find in (own_words, own_sentence))
    words = own or said(kind)
    source, target = _name(row["source_name"]), _name(row["target_name"])
    why = "" if own or sentence or reason.startswith((EXTRACTED, CO_OCCURRED)) else one_line(
        reason, LONGEST_TEXT)
    types = text(row["source_type"]), text(row["target_type"])
    return FoundStatement(
        Statement(LINK, row["id"], link_in_words(
            source, words, target, why, one_line(sentence, LONGEST_TEXT)),
                  text(row["created_at"]), (row["source_id"], row["target_id"]),
                  confidence=number(row["confidence"], 1.0)),
        (*asked_for_link(kind), *asked_for_words(own),
         *asked_for_kin(words, of_source=row["source_id"] in asked),
         *(word for each in types for word in asked_for_type(each))),
        ((source, types[0]), (target, types[1])), kind, own or sentence,
        row["source_id"] in known_by_links or row["target_id"] in known_by_links)


def said(dependency_type: str) -> str:
    """`is part of`: a type without a verb gets one; a damaged file may have one without words."""
    words = spoken(dependency_type).strip() or "related to"
    return f"is {words}" if words.split()[0] in ("part", "owned", "authored", "related") else words


def _assertion(row: Row) -> FoundStatement:
    predicate, speaker = text(row["predicate"]), one_line(text(row["speaker"]), LONGEST_NAME)
    about, when = _name(row["entity"]), text(row["asserted_at"])
    return FoundStatement(
        Statement(ASSERTION, row["id"],
                  f"{speaker or 'Someone'} {predicate} about {about}"
                  f" ({when[:10]}): {one_line(text(row['content']), LONGEST_TEXT)}",
                  when, (row["entity_id"],), who=speaker,
                  confidence=number(row["confidence"], 1.0)),
        asked_for_assertion(predicate), ((about, text(row["entity_type"])),), predicate)


def _entities(reader: Reader, asked: Sequence[str]) -> Iterable[FoundStatement]:
    for row in reader.rows(_ENTITIES, asked=asked) if asked else ():
        name, kind = _name(row["name"]), spoken(text(row["entity_type"]))
        described = one_line(text(row["description"]), LONGEST_TEXT)
        described = "" if described == NAMED_ONLY else described
        if kind in _UNTOLD_TYPES and not described:
            continue
        article = "an" if kind[:1] in "aeiou" else "a"
        words = "" if kind in _UNTOLD_TYPES else f" is {article} {kind}"
        yield FoundStatement(
            Statement(ENTITY, row["id"], name + words + (f": {described}" if described else ""),
                      text(row["created_at"]), (row["id"],)),
            (*_KIND, *asked_for_type(text(row["entity_type"]))),
            ((name, text(row["entity_type"])),))


def _name(value: object) -> str:
    return one_line(text(value), LONGEST_NAME)
