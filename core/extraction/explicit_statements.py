"""Takes from plain text what it says without doubt: wiki links, rules, links, who said what."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import Struct

from core.extraction.extracted import Extracted, Request, Text, distinct
from core.ingest.config import IngestSettings
from core.ingest.mentions import names_meant
from core.model.names import name_key, slot_key
from core.ontology import wording
from core.queries.find_by_name_or_id import match_entities
from core.store.reader_and_writer import Reader

_SENTENCES = re.compile(r"(?<=[.!?])\s+|\n+")
_WIKI = re.compile(r"\[\[([^\[\]|\n]{1,120})(?:\|([^\[\]\n]{0,120}))?\]\]")
_RULE = re.compile(r"\s+(should not|should|must not|must never|must|may not|never)\s+(\S.{2,300})",
                   re.IGNORECASE)
_BINDING = ("must", "may not", "never")
_SAID = re.compile(r"\s+(claims|believes|observed|decided|prefers|denies|questions)"
                   r"(?:\s+that)?[:,]?\s+(\S.{2,300})", re.IGNORECASE)
_BETWEEN = re.compile(r"\s+(?:(?:is|are)\s+)?([a-z]+(?:\s[a-z]+)?)\s+(?:the\s+|an?\s+)?",
                      re.IGNORECASE)
_LINKS = {
    "uses": "uses", "use": "uses", "requires": "requires", "needs": "requires",
    "depends on": "depends_on", "owns": "owns", "owned by": "owned_by", "blocks": "blocks",
    "maintains": "maintains", "implements": "implements", "part of": "part_of",
    "supports": "supports_claim", "contradicts": "contradicts", "produces": "produces",
    "triggers": "triggers", "precedes": "precedes", "follows": "follows",
}
"""Words between two names, and the type of link that they state."""
_KEY_WORDS = 4
ASPECT = "guidance"
"""Where what an entity should do is put."""
_SURE, _LIKELY = 0.7, 0.6


class _Name(Struct, frozen=True):
    """A name in a sentence without its brackets."""

    name: str
    start: int
    stop: int
    linked: bool


def extracted(reader: Reader, text: Text, settings: IngestSettings) -> Extracted:
    """What a text states of names that the graph knows, or that stand in `[[…]]`.

    Other capitalised words are left alone: a wrong entity costs more than a missed one.
    """
    proposals: list[Request] = []
    assertions: list[Request] = []
    mentions: Counter[str] = Counter()
    for sentence in filter(str.strip, _SENTENCES.split(text.content)):
        plain, names = _names(reader, sentence.strip(), settings)
        mentions.update(one.name for one in names if not one.linked)
        evidence = {"evidence": [text.quoting(plain)], **text.columns()}
        for operation, payload, confidence in _found(reader, plain, names):
            request = {"operation": operation, "payload": payload, **evidence}
            if operation == "create_assertion":
                assertions.append(request)
            else:
                proposals.append({**request, "confidence": confidence,
                                  "rationale": f"“{wording.short(plain, 120)}”"})
    return Extracted("text", tuple(distinct(proposals)), tuple(distinct(assertions)), mentions)


def _found(
    reader: Reader, plain: str, names: Sequence[_Name]
) -> Iterator[tuple[str, Request, float]]:
    for one in names:
        if one.linked and not match_entities(reader, one.name, ""):
            yield "create_entity", {"name": one.name}, _SURE
    for one, other in zip(names, names[1:], strict=False):
        link = _BETWEEN.fullmatch(plain, one.stop, other.start)
        kind = _LINKS.get(link[1].lower()) if link else None
        if kind and name_key(one.name) != name_key(other.name):
            yield "create_link", {"source_entity": one.name, "target_entity": other.name,
                                  "link_type": kind, "reason": wording.short(plain, 200)}, _SURE
    if names:
        yield from _of_first(plain, names)


def _of_first(plain: str, names: Sequence[_Name]) -> Iterator[tuple[str, Request, float]]:
    """What the sentence says of the name that it begins with."""
    first = names[0]
    if plain[:first.start].strip(" -*•\"'“").lower() not in ("", "the", "a", "an"):
        return
    rule = _RULE.match(plain, first.stop)
    if rule:
        words = rule[2].rstrip(" .!")
        binds = rule[1].lower().startswith(_BINDING)
        yield "add_claim_value", {
            "entity": first.name, "aspect": ASPECT, "claim_key": _key(words),
            "value": f"{rule[1].lower()} {words}", "kind": "constraint" if binds else "attribute",
        }, _LIKELY
    said = _SAID.match(plain, first.stop)
    if said:
        subject = next((one.name for one in names[1:]), first.name)
        yield "create_assertion", {
            "entity": subject, "predicate": said[1].lower(), "content": said[2].rstrip(" ."),
            "speaker": first.name}, _LIKELY


def _key(words: str) -> str:
    return slot_key(" ".join(re.findall(r"\w+", words)[:_KEY_WORDS])) or "rule"


def _names(
    reader: Reader, sentence: str, settings: IngestSettings
) -> tuple[str, list[_Name]]:
    """The sentence without brackets, and its names in their order."""
    plain, linked, at = "", [], 0
    for match in _WIKI.finditer(sentence):
        plain += sentence[at:match.start()]
        shown = (match[2] or match[1]).strip()
        linked.append(_Name(match[1].strip(), len(plain), len(plain) + len(shown), True))
        plain, at = plain + shown, match.end()
    plain += sentence[at:]
    taken = [range(one.start, one.stop) for one in linked]
    known = [_Name(name.text, name.start, name.stop, False)
             for name in names_meant(reader, plain, settings)
             if not any(name.start < there.stop and name.stop > there.start for there in taken)]
    return plain, sorted((one for one in (*linked, *known) if one.name), key=lambda one: one.start)
