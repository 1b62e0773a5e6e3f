"""Tells the words by which a question asks for all that is known, and for nothing special."""

import re

_KNOWN = "know known knew store stored record recorded note noted learn learned learnt remember" \
    " remembered recall recalled keep kept got have hear heard"
_TELLING = "describe summarize summarise outline overview summary profile everything anything all" \
    " whole fact facts information info detail details give show list else already"
_GERMAN = "weißt weisst weiss wisst wissen weiß bekannt erzähl erzähle beschreib beschreibe alles" \
    " zusammenfassung überblick"
_WHOLE = "overview|summary|outline|profile|everything|all(?: the)?(?: facts)?|facts|information" \
    "|info|details"
_FOR_ALL = re.compile(
    rf"\bwhat (?:else )?(?:(?:do|did|have) (?:you|we|i)|is|was|has been|you|we|i)"
    rf"(?: already)? (?:{_KNOWN.replace(' ', '|')})\b[^?]{{0,200}}\b(?:about|of|on)\b"
    rf"|\A\W{{0,9}}(?:please |(?:can|could) you )?(?:describe|summari[sz]e|outline)\b"
    rf"|\b(?:{_WHOLE})\b(?: (?:you|we|i|there is|is|that is))?"
    rf"(?: (?:{_KNOWN.replace(' ', '|')}))? (?:about|of|on)\b"
    r"|\bwas wei(?:ß|ss)t du\b|\bwas wissen wir\b|\bwas ist\b.{0,200}\bbekannt\b"
    r"|\A\W{0,9}(?:erzähle?|beschreibe?)\b|\balles (?:über|zu)\b|\büberblick über\b",
    re.IGNORECASE)
"""Looks so far at most from each place: a long text that somebody pastes costs no more for it."""
_WORDS = frozenset(f"{_KNOWN} {_TELLING} {_GERMAN}".split())


def words_for_all(text: str) -> frozenset[str]:
    """The words that say no more than that: “know” of “What do you know about Petra?”; none of a
    question for something special: “What does Petra know?”.
    """
    return _WORDS if _FOR_ALL.search(text) else frozenset()
