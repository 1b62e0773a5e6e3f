"""The words by which people ask for a relation, and those by which memories tell it.

"Who covers for Ines?" is answered by "Ines's deputy is Marek", which shares only the name with it.
So a phrase that asks for a relation also looks for the nouns that name it; and of a phrase such as
"stands in for" only the whole is looked for, which "stand-up" is not.
"""

import re
from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from core.model.search_words import Term, fold

_DEPUTY = ("deputy", "substitute", "stand in", "backup")
_CARE = ("owner", "owns", "responsible", "maintainer", "maintains")
_REACH = ("phone", "telephone", "email", "contact")
_RELEASE = ("release", "releases", "deploy", "deploys", "deployment", "deployments", "rollout")
_MOVE = ("migrate", "migrates", "migrated", "migration", "replace", "replaces", "replaced")
_DISTURB = ("ping", "interrupt", "disturb", "bother", "call")
_LIKE = ("like", "likes", "liked", "love", "loves", "enjoy", "enjoys", "prefer", "prefers",
         "favourite", "favorite", "fond")
_DISLIKE = (*_LIKE, "dislike", "dislikes", "hate", "hates", "avoid", "avoids")
_EAT = ("eat", "eats", "food", "meal", "dish", "diet", "vegetarian", "vegan", "allergic", "allergy")
_BORN = ("born", "birthday", "birth", "birthdate", "age", "years old")
_GEBOREN = ("geboren", "geburtstag", "geburt", "geburtsdatum", "jahre alt", "alter", "born")
_PRICE = ("price", "rent", "fee", "cost", "costs", "pay", "pays")
_PREIS = ("preis", "miete", "beitrag", "gebuhr", "kosten", "kostet", "kaufpreis", "zahlt")
_RELATIONS = tuple((re.compile(rf"\b{pattern}\b", re.IGNORECASE), nouns) for pattern, nouns in (
    (r"(?P<head>cover(?:s|ed|ing)?|substitutes?|deputi[sz]es?) for", _DEPUTY),
    (r"(?P<head>stand(?:s|ing)?|stood|fill(?:s|ed|ing)?|step(?:s|ped|ping)?) (?P<rest>in) for",
     _DEPUTY),
    (r"(?P<head>look(?:s|ed|ing)?) (?P<rest>after)", _CARE),
    (r"(?P<head>tak(?:es?|ing)) (?P<rest>care of)", _CARE),
    (r"in (?P<head>charge) of", _CARE),
    (r"(?:is|are) (?P<head>responsible|accountable) for", _CARE),
    (r"how (?:can|do|could|should) (?:i|we|you|one) (?P<head>reach|contact|call|phone)", _REACH),
    (r"(?P<head>get) (?P<rest>hold of|in touch with)", _REACH),
    (r"(?:(?:may|can|could|must|shall|should|[a-z]+n['’]?t) (?:i|we|you|they)|not|never)"
     r" (?P<head>release|deploy|ship)", _RELEASE),
    (r"(?P<head>mov(?:e|es|ed)|switch(?:es|ed)?) (?:from|to|away)", _MOVE),
    (r"(?P<head>disturb(?:s|ed)?|interrupt(?:s|ed)?)", _DISTURB),
    (r"(?P<head>eats?|serves?)", _EAT),
    (r"(?:do|does|did)(?:n['’]?t)?\b[^?!]*?(?P<head>like)", _LIKE),
    (r"(?:not|never|[a-z]+n['’]t)\b[^?!]*?(?P<head>like)", _DISLIKE),
    (r"how (?P<head>old) (?:is|are|was)", ("birthday", "born", "age", "years old")),
    (r"(?P<head>older|younger|oldest|youngest|elder|eldest)", _BORN),
    (r"(?P<head>birthday|birthdate|born)", _BORN),
    (r"wie (?P<head>alt)", _GEBOREN),
    (r"(?P<head>älter|jünger|älteste\w?|jüngste\w?)", _GEBOREN),
    (r"wann\b[^?!]*?(?P<head>geburtstag|geboren)", _GEBOREN),
    (r"how much\b[^?!]*?(?P<head>costs?)", _PRICE),
    (r"(?:wie ?viel|was)\b[^?!]*?(?P<head>kostet|kosten)", _PREIS),
    (r"wie (?P<head>teuer)", _PREIS),
))
"""How a relation is asked for, and the words that name it. `head` is the word that is a search
term, `rest` what makes it mean that."""


def with_relations(terms: Iterable[Term], question: str) -> tuple[Term, ...]:
    """The terms, those that ask for a relation to be found by what names it, too."""
    widened = tuple(terms)
    for pattern, nouns in _RELATIONS:
        match = pattern.search(question)
        if match:
            widened = _widened(widened, match, nouns)
    return widened


def _widened(
    terms: Sequence[Term], match: re.Match[str], nouns: Sequence[str]
) -> tuple[Term, ...]:
    head, rest = fold(match["head"]), match.groupdict().get("rest")

    def wider(term: Term) -> Term:
        own = [f"{form} {rest.lower()}" for form in term.forms] if rest else term.forms
        return replace(term, forms=tuple(dict.fromkeys((*own, *nouns))), exact=())

    return tuple(wider(term) if fold(term.word) == head else term for term in terms)
