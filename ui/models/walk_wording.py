"""Words of a walk: its way, why an entity is focal, which rule was met or missed."""

from collections.abc import Mapping

from core.model.names import spoken
from core.model.session_start_and_end import EFFECTIVE, EMBEDDING, WORDS
from core.model.text_formatting import one_line
from core.model.walk import FocalEntity, Miss, PassedRule, Path
from ui.widgets.labels import isolate

ARROW, STEP = " → ", " › "
SOURCES = {EFFECTIVE: "by importance and age", EMBEDDING: "by its meaning",
           WORDS: "by topics of the last sessions"}
REASONS = {
    "pinned": "pinned", "asked": "named directly",
    "checkpoint": "from the last session's checkpoint", "project": "project path",
    "query": "in the question", "rule": "its rule is asked for",
    "session": "from this session's checkpoint",
}
RANKS = {
    "weight rank": "aspect", "importance rank": "value", "mention rank": "mention",
    "match rank": "match", "strength rank": "link", "budget": "memory", "links in all": "link",
}
SHORT = {"strength": "too weak", "confidence": "too unsure"}
"""What a link is whose number is below the limit."""
PLAIN = {
    "scope": "in another scope", "aspect filter": "not the requested aspect",
    "archived": "archived", "superseded": "superseded", "muted": "muted",
    "muted over pinned": "muted, which overrides its pin", "deleted": "deleted",
    "gone": "its entity was deleted", "no memory": "it has no memory",
    "not asked": "found by an earlier signal", "deadline": "out of time",
    "links in all": "above the limit of links",
    "common word": "shares only a plain word with the question",
}


def score_words(score: float) -> str:
    """`.92`; `1.0` for the whole."""
    return "1.0" if score >= 0.995 else f"{score:.2f}"[1:]


def path_words(path: Path | None, labels: Mapping[str, str]) -> str:
    """`Harbor Ledger → Ines Duarte › habits`; empty without a walk."""
    if path is None:
        return ""
    entities = [_name(id, labels) for id in path.entity_ids]
    aspects = [_name(id, labels) for id in path.aspect_ids]
    return STEP.join(part for part in (ARROW.join(entities), *aspects) if part)


def _name(id: str, labels: Mapping[str, str]) -> str:
    return isolate(one_line(labels.get(id, ""), 60) or "an unnamed item")


def reason_words(entity: FocalEntity) -> str:
    """Why an entity is focal: `project path: harbor`."""
    words = ", ".join(REASONS.get(reason, spoken(reason))
                      for reason in (entity.reason, entity.also) if reason)
    detail = one_line(entity.detail, 80)
    adds = bool(detail) and detail.lower() not in entity.name.lower()
    return f"{words}: {isolate(detail)}" if adds else words


def ground_words(ground: PassedRule) -> str:
    """A rule that was met: `aspect 3 of 10`, `confidence 0.90 ≥ 0.50`."""
    if ground.rule in RANKS:
        return f"{RANKS[ground.rule]} {ground.value:.0f} of {ground.limit:.0f}"
    return f"link {spoken(ground.rule)} {ground.value:.2f} ≥ {ground.limit:.2f}"


def miss_words(miss: Miss) -> str:
    """The rule that was not met, with its numbers: `too weak: 0.24, needs 0.30`."""
    value, limit = miss.value, miss.limit
    if value is None or limit is None:
        return PLAIN.get(miss.rule, spoken(miss.rule))
    if miss.rule in RANKS:
        return f"{RANKS[miss.rule]} no. {value:.0f}, the limit is {limit:.0f}"
    return f"{SHORT.get(miss.rule, spoken(miss.rule))}: {_below(value, limit)}"


def _below(value: float, limit: float) -> str:
    """`0.24, needs 0.30`, with as many digits as it takes to see the difference."""
    digits = next((count for count in (2, 3, 4) if round(value, count) < round(limit, count)), 5)
    return f"{value:.{digits}f}, needs {limit:.{digits}f}"
