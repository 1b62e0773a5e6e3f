"""The graph's channels: the walk from a question's entities, mentions, and stored questions."""

import math
from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct, field

from core.errors import ConstellationError, DeadlinePassed
from core.model.names import name_key
from core.model.search_words import Term, cores, words
from core.model.walk import Focal, FocalEntity, Walk, WalkedMemory
from core.queries.descriptions import descriptions
from core.queries.entity_search import like
from core.queries.rows_to_model import number, text
from core.recall.config import RecallSettings
from core.recall.filters import ANY_SCOPE, TELLABLE, memory_count
from core.recall.question import Question
from core.store.reader_and_writer import Reader
from core.traversal.config import TraversalSettings
from core.traversal.walk import ANY, walk

NAMED = 5
"""Entities of a question whose mentions are looked at, the rarest first."""
HINTS_READ = 500
OF_A_RULE = 0.5
"""Share of the walk's score for what is told of an entity only because its rule is asked for."""

_COUNTS = """
SELECT n.entity_id, COUNT(*) AS mentions FROM memory_entity_mentions n
WHERE n.entity_id IN (SELECT value FROM json_each(:ids)) GROUP BY n.entity_id"""
# In the order of the index: an entity that is named everywhere costs no more.
_NEWEST = f"""
SELECT m.rowid AS place FROM memory_entity_mentions n CROSS JOIN memories m ON m.id = n.memory_id
WHERE n.entity_id = :id AND {TELLABLE} ORDER BY n.rowid DESC LIMIT :most"""
_FORMER = """
SELECT COALESCE((SELECT m.id FROM memories m WHERE m.id = v.id), v.memory_id) AS memory_id
FROM json_each(:ids) f CROSS JOIN entity_aspects s ON s.entity_id = f.value
CROSS JOIN entity_attributes v ON v.aspect_id = s.id
WHERE v.status = 'superseded' AND +v.agent_id = :agent AND v.memory_id IS NOT NULL
ORDER BY v.rowid DESC LIMIT :most"""
# Along the shorter way: from the memories, or from entities that few memories mention.
_AMONG = """
SELECT n.memory_id, n.entity_id, n.confidence FROM json_each(:memories) f
CROSS JOIN memory_entity_mentions n ON n.memory_id = f.value
WHERE n.entity_id IN (SELECT value FROM json_each(:ids))"""
_OF_FEW = """
SELECT n.memory_id, n.entity_id, n.confidence FROM json_each(:ids) f
CROSS JOIN memory_entity_mentions n ON n.entity_id = f.value"""
_MENTIONING = """
SELECT DISTINCT n.memory_id FROM json_each(:ids) f
CROSS JOIN memory_entity_mentions n ON n.memory_id = f.value"""
_HINTS = """
SELECT h.memory_id, h.hint FROM {source} WHERE {holds} AND h.agent_id = :agent LIMIT :most"""


class GraphEvidence(Struct, frozen=True):
    """Evidence from the graph.

    Attributes:
        walk: the walk from the question's entities, None if it names none.
        walked: the walk's score and path for a memory, by memory id.
        named: the weight of mentioning an entity that is named in full, by id.
        names: their names.
        mentions: how many mentions of them there are in all.
        newest: row numbers of the newest memories that mention one of them.
        hinted: by memory id the share of the question that a stored question covers.
        former: where the past is asked for, ids of memories of what was so of these entities.
        about: what the entities that are named in full are, in words.
        described: their ids.
    """

    walk: Walk | None = None
    walked: Mapping[str, tuple[float, WalkedMemory]] = field(default_factory=dict)
    named: Mapping[str, float] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    mentions: int = 0
    newest: tuple[int, ...] = ()
    hinted: Mapping[str, float] = field(default_factory=dict)
    former: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    described: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    timed_out: bool = False


def search_graph(
    reader: Reader, question: Question, focal: Focal, weights: Mapping[str, float],
    settings: RecallSettings, traversal: TraversalSettings, *, scope: str | None = ANY_SCOPE,
    explain: bool = False,
) -> GraphEvidence:
    """Search the graph for a question.

    Args:
        focal: the entities that the question refers to.
        weights: for each word of the question its share of the question's weight.
        explain: with the walk's reasons.
    """
    graph = GraphEvidence()
    try:
        graph = _walked(reader, question, focal, settings, traversal, scope, explain)
        hinted = _hinted(reader, question.terms, weights, settings.hint_candidates)
    except DeadlinePassed:
        return _with(graph, timed_out=True, notes=("Time ran out before the graph was walked",))
    except ConstellationError as error:
        # Words and meanings can still answer; if they fail as well, their error is raised.
        return _with(graph, notes=(f"The graph could not be walked: {error.what.lower()}",))
    return _with(graph, hinted=hinted)


def _with(graph: GraphEvidence, **changes: object) -> GraphEvidence:
    values = {name: getattr(graph, name) for name in GraphEvidence.__struct_fields__}
    return GraphEvidence(**values | changes)


def _walked(
    reader: Reader, question: Question, focal: Focal, settings: RecallSettings,
    traversal: TraversalSettings, scope: str | None, explain: bool,
) -> GraphEvidence:
    if not focal.entities:
        return GraphEvidence(timed_out=focal.timed_out, notes=Walk(focal).shortfalls)
    question_words = frozenset(words(question.text))
    shares = {entity.id: _share_of_name(entity, question_words) for entity in focal.entities}
    in_full = [id for id, share in shares.items() if share == 1.0]
    result = walk(reader, focal, traversal, scope=ANY if scope == ANY_SCOPE else scope,
                 explain=explain)
    walked = {
        memory.id: (memory.score * shares.get(_start(memory), 1.0), memory)
        for memory in result.memories
        # Being mentioned with the entity itself is told by the mentions, rarity and all.
        if memory.via != "mention" or len(memory.path.entity_ids) > 1
    }
    counts, about = _counts(reader, in_full), descriptions(reader, in_full)
    named = _rare(counts, memory_count(reader))
    each = settings.mention_candidates // max(len(named), 1)
    newest = [row["place"] for id in named
              for row in (reader.rows(_NEWEST, id=id, most=each) if each else ())]
    return GraphEvidence(
        walk=result, walked=walked, named=named, newest=tuple(dict.fromkeys(newest)),
        names={entity.id: entity.name for entity in focal.entities},
        mentions=sum(counts[id] for id in named),
        former=_former(reader, focal, settings) if question.past else (),
        about=tuple(about.values()), described=tuple(about), timed_out=result.timed_out,
        notes=result.shortfalls)


def named_in_full(entities: Sequence[FocalEntity], question: str) -> list[str]:
    """The ids of the entities whose whole name, or an alias, stands in the question."""
    question_words = frozenset(words(question))
    return [entity.id for entity in entities if _share_of_name(entity, question_words) == 1.0]


def _former(reader: Reader, focal: Focal, settings: RecallSettings) -> tuple[str, ...]:
    """Memories of the newest values of these entities that are no longer in force."""
    rows = reader.rows(_FORMER, ids=list(focal.ids), most=settings.former_candidates)
    return tuple(row["memory_id"] for row in rows)


def _start(memory: WalkedMemory) -> str:
    return memory.path.entity_ids[0] if memory.path.entity_ids else ""


def _share_of_name(entity: FocalEntity, question_words: frozenset[str]) -> float:
    """How much of an entity's name the question says: `apollo` is half of `Project Apollo`."""
    if entity.reason == "rule":
        return OF_A_RULE
    if entity.reason != "query":
        return 1.0
    name = words(entity.name)
    if not name or question_words.issuperset(name):
        return 1.0
    alias = name_key(entity.detail)
    if alias == name_key(entity.name):
        return 1.0  # It stands there in full, perhaps in a run of signs that is one word.
    if alias and not set(words(alias)) <= set(name):
        return 1.0
    return sum(word in question_words for word in name) / len(name)


def _counts(reader: Reader, ids: Collection[str]) -> dict[str, int]:
    """How many mentions there are of each entity that has any."""
    if not ids:
        return {}
    return {row["entity_id"]: row["mentions"] for row in reader.rows(_COUNTS, ids=list(ids))}


def _rare(counts: Mapping[str, int], total: int) -> dict[str, float]:
    """For each entity how telling a mention of it is: nothing where all memories mention it."""
    rarity = {id: 1 - math.log1p(min(mentions, total)) / math.log1p(total)
              for id, mentions in counts.items() if total}
    return dict(sorted(rarity.items(), key=lambda item: -item[1])[:NAMED])


def mentions(
    reader: Reader, structure: GraphEvidence, memories: Sequence[str]
) -> dict[str, tuple[float, str]]:
    """For each memory that mentions a named entity what that is worth, and the name."""
    if not structure.named:
        return {}
    worths: dict[str, tuple[float, str]] = {}
    ids = list(structure.named)
    rows = (reader.rows(_OF_FEW, ids=ids) if structure.mentions < len(memories) else
            reader.rows(_AMONG, memories=list(memories), ids=ids))
    for row in rows:
        sure = min(max(number(row["confidence"], 0.8), 0.0), 1.0)
        worth = (structure.named[row["entity_id"]] * sure, structure.names[row["entity_id"]])
        worths[row["memory_id"]] = max(worths.get(row["memory_id"], (0.0, "")), worth)
    return worths


def that_mention(reader: Reader, memories: Collection[str]) -> frozenset[str]:
    """Those of the memories that mention any entity."""
    return frozenset(row["memory_id"] for row in reader.rows(_MENTIONING, ids=list(memories)))


def _hinted(
    reader: Reader, terms: Sequence[Term], weights: Mapping[str, float], most: int
) -> dict[str, float]:
    """Memories that were stored together with a question like this one."""
    if not terms or not most or not reader.value("SELECT 1 FROM memory_hints h LIMIT 1"):
        return {}
    bound: dict[str, object] = {"most": HINTS_READ}
    if reader.has_table("memory_hints_fts"):
        source = "memory_hints_fts f CROSS JOIN memory_hints h ON h.rowid = f.rowid"
        holds = "memory_hints_fts MATCH :query"
        bound["query"] = " OR ".join(
            '"' + form.replace('"', '""') + '"' for term in terms for form in term.forms)
    else:
        source = "memory_hints h"
        pieces = sorted({core for term in terms for core in cores(term.forms)})
        bound |= {f"t{n}": like(piece) for n, piece in enumerate(pieces)}
        holds = "(" + " OR ".join(
            f"h.hint LIKE :t{n} ESCAPE '\\'" for n in range(len(pieces))) + ")"
    shares: dict[str, float] = {}
    for row in reader.rows(_HINTS.format(source=source, holds=holds), **bound):
        hint_words = words(text(row["hint"]))
        joined, held = " ".join(hint_words), set(hint_words)
        share = sum(weights.get(term.word, 0.0) for term in terms
                    if term.is_in(held, joined))
        shares[row["memory_id"]] = max(shares.get(row["memory_id"], 0.0), share)
    return dict(sorted(shares.items(), key=lambda item: -item[1])[:most])
