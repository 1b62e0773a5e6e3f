"""Says in words how a walk came to something, what let it in, and what kept it out."""

from collections.abc import Mapping

from core.model.link import Link
from core.model.names import spoken
from core.model.session import EFFECTIVE, EMBEDDING, WORDS
from core.model.walk import FocalEntity, Miss, PassedRule, Path
from core.model.wording import one_line
from ui.widgets.labels import isolate

ARROW, STEP = " → ", " › "
SOURCES = {EFFECTIVE: "by importance and age", EMBEDDING: "by its meaning",
           WORDS: "by words that the last sessions share"}
REASONS = {
    "pinned": "pinned", "asked": "named here", "checkpoint": "the last session stood here",
    "project": "project path", "query": "in the question", "session": "the session stood here",
}
RANKS = {
    "weight rank": "aspect", "importance rank": "value", "mention rank": "mention",
    "match rank": "match", "strength rank": "link", "budget": "memory", "links in all": "link",
}
PLAIN = {
    "scope": "of another scope", "aspect filter": "not the aspect asked for",
    "archived": "archived", "superseded": "superseded", "muted": "muted",
    "muted over pinned": "muted, which wins over its pin", "deleted": "deleted",
    "gone": "its entity is gone", "no memory": "no memory behind it",
    "not asked": "an earlier signal decided", "deadline": "no time was left",
    "links in all": "beyond the links in all",
}


def score_words(score: float) -> str:
    """`.92`; `1.0` for the whole."""
    return "1.0" if score >= 0.995 else f"{score:.2f}"[1:]


def path_words(path: Path | None, labels: Mapping[str, str]) -> str:
    """`Harbor Ledger → Ines Duarte › habits`; empty where nobody walked."""
    if path is None:
        return ""
    entities = [_name(id, labels) for id in path.entity_ids]
    aspects = [_name(id, labels) for id in path.aspect_ids]
    return STEP.join(part for part in (ARROW.join(entities), *aspects) if part)


def _name(id: str, labels: Mapping[str, str]) -> str:
    return isolate(one_line(labels.get(id, ""), 60) or "something unnamed")


def reason_words(entity: FocalEntity) -> str:
    """Why an entity is in focus: `project path: harbor`."""
    words = REASONS.get(entity.reason, spoken(entity.reason))
    detail = one_line(entity.detail, 80)
    told = bool(detail) and detail.lower() not in entity.name.lower()
    return f"{words}: {isolate(detail)}" if told else words


def ground_words(ground: PassedRule) -> str:
    """A rule that was met: `aspect 3 of 10`, `confidence 0.90 ≥ 0.50`."""
    if ground.rule in RANKS:
        return f"{RANKS[ground.rule]} {ground.value:.0f} of {ground.limit:.0f}"
    return f"link {spoken(ground.rule)} {ground.value:.2f} ≥ {ground.limit:.2f}"


def miss_words(miss: Miss, link: Link | None = None) -> str:
    """The rule that was not met, with its numbers."""
    value, limit = miss.value, miss.limit
    if value is None or limit is None:
        return PLAIN.get(miss.rule, spoken(miss.rule))
    if miss.rule in RANKS:
        return f"{RANKS[miss.rule]} {value:.0f} of {limit:.0f}"
    below = _below(value, limit)
    if miss.rule == "strength" and link is not None:
        return f"link {link.confidence:.2f} × {link.strength:.2f} = {below}"
    return f"link {spoken(miss.rule)} {below}"


def _below(value: float, limit: float) -> str:
    """`0.24 < 0.30`, with as many digits as it takes to see the difference."""
    digits = next((count for count in (2, 3, 4) if round(value, count) < round(limit, count)), 5)
    return f"{value:.{digits}f} < {limit:.{digits}f}"
