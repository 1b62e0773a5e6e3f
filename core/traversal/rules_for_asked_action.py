"""The rules that a question about what may or must be done asks for, wherever they hang.

"May claude-code push?" is answered by "An agent never pushes", a rule of `commit rules`, which the
question does not name. So every rule in force is compared with what the question wants to do.
"""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from core.model.relation_synonyms import with_relations
from core.model.rule_or_event_question import asks_for_a_rule, without_permission
from core.model.search_words import NO_NAMES, Term, terms, words
from core.model.vocabulary import FINISHED_TASKS
from core.model.walk import AskedRule, FocalEntity
from core.queries.outdated_memories import FINISHED, any_finished
from core.queries.rows_to_model import text
from core.store.reader_and_writer import Reader

MOST_RULES = 8
"""Rules that one question brings, the best first."""
MOST_READ = 5_000
"""Rules in force that are compared, the newest."""
ENOUGH, BESIDE_BEST = 0.5, 0.75
"""Share of what the question wants to do that a rule must speak of; and of the best rule's share.
"""
LEADING, PLAIN = 2.0, 0.5
"""What the word of the action counts, "push" in "Can I push to main?", and a plain word."""
_PLAIN_WORDS = NO_NAMES | frozenset({"call", "run", "set", "start"})
"""Words that say little of what is done: "run" in "run a migration"."""
OF_ITS_KIND = 0.25
"""What a rule gains by being of a named entity, or of its type ("agent")."""

_RULES = """
SELECT v.id, v.memory_id, v.content, v.claim_key, s.name AS aspect, s.entity_id, e.name,
  e.entity_type
FROM entity_attributes v CROSS JOIN entity_aspects s ON s.id = v.aspect_id
CROSS JOIN entities e ON e.id = s.entity_id
WHERE v.agent_id = :agent AND v.status = 'active' AND v.kind = 'constraint'
  AND s.status = 'active' AND e.status = 'active' AND e.muted = 0 AND e.agent_id = :agent{unless}
ORDER BY v.rowid DESC LIMIT :most"""


class _Rule(Struct, frozen=True):
    """A rule in force with the words that it and its place in the graph say."""

    id: str
    memory_id: str
    entity_id: str
    name: str
    entity_type: str
    content: str
    said: frozenset[str]
    in_order: str


def asked_rules(
    reader: Reader, question: str, named: Sequence[FocalEntity]
) -> tuple[AskedRule, ...]:
    """The rules in force about what the question wants to do, those that say most of it first.

    Args:
        named: what the question names. Their names are who wants it, not what; but a rule may be
            about them, or about all of their type.
    """
    if not (question and asks_for_a_rule(question)):
        return ()
    action = _action(question, named)
    weights = _weights(action)
    shares: list[tuple[float, AskedRule]] = []
    for rule in _in_force(reader):
        held = [term.is_in(rule.said, rule.in_order) for term in action]
        share = sum(weight for weight, holds in zip(weights, held, strict=True) if holds)
        if share >= ENOUGH:
            detail = ", ".join(t.word for t, holds in zip(action, held, strict=True) if holds)
            bonus = OF_ITS_KIND if _is_about(rule, named) else 0.0
            shares.append((share + bonus, AskedRule(
                rule.id, rule.memory_id, rule.entity_id, rule.name, rule.entity_type,
                rule.content, share, detail)))
    least = BESIDE_BEST * max((share for share, _ in shares), default=0.0)
    best = sorted(shares, key=lambda pair: -pair[0])[:MOST_RULES]
    return tuple(rule for share, rule in best if share >= least)


def _in_force(reader: Reader) -> list[_Rule]:
    """Every rule in force, read once after each change of the file."""
    return reader.once(f"rules in force of {reader.agent}", lambda: _read(reader))


def _read(reader: Reader) -> list[_Rule]:
    unless, bound = "", {}
    if any_finished(reader):
        unless = f" AND NOT {FINISHED.format(entity='s.entity_id')}"
        bound = {"finished": list(FINISHED_TASKS)}
    rules = []
    for row in reader.rows(_RULES.format(unless=unless), most=MOST_READ, **bound):
        said = words(" ".join(text(row[part]) for part in (
            "name", "aspect", "claim_key", "content")).replace("_", " "))
        rules.append(_Rule(row["id"], text(row["memory_id"]), row["entity_id"], text(row["name"]),
                           text(row["entity_type"]), text(row["content"]),
                           frozenset(said), " ".join(said)))
    return rules


def _action(question: str, named: Iterable[FocalEntity]) -> list[Term]:
    """What the question wants to do: its words without those of the names and of permission."""
    spoken = frozenset(words(question))
    names = [name for entity in named for name in (entity.name, _alias(entity))]
    who = {word for name in names if spoken.issuperset(words(name)) for word in words(name)}
    asked = with_relations(terms(without_permission(question)), question)
    return [term for term in asked if not who.intersection(words(term.word))] or list(asked)


def _alias(entity: FocalEntity) -> str:
    """What a named entity is called in the question; empty where it shares only words with it."""
    return "" if set(words(entity.detail)) < set(words(entity.name)) else entity.detail


def _weights(action: Sequence[Term]) -> list[float]:
    """What each word counts, 1 in total: the first telling one leads."""
    plain = [term.word in _PLAIN_WORDS for term in action]
    leading = plain.index(False) if False in plain else 0
    weights = [LEADING if n == leading else PLAIN if plain[n] else 1.0 for n in range(len(action))]
    return [weight / sum(weights) for weight in weights]


def _is_about(rule: _Rule, named: Iterable[FocalEntity]) -> bool:
    return any(rule.entity_id == entity.id or entity.entity_type in rule.said for entity in named)
