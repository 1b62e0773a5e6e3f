"""Decides whether a name may become an entity, with the reason if not (entity quality, version 3).

Markdown marks and the punctuation around a name are no part of it. Three rules are narrower than
upstream's, which also refused "User Guide", "System X" and "Primary Database", and "Bob" without a
type: a role counts as a label only with a colon or dash after it, section words only as the whole
name, and a short name that is written as one ("Bob", "Io") is one.
"""

import re
from collections.abc import Collection
from functools import lru_cache

from core.model.names import canonical
from core.model.search_words import width
from core.model.vocabulary import ENTITY_TYPES

REASONS = {
    "punctuation_only": "the name has no letter or digit",
    "numeric_only": "the name is only a number",
    "generic_or_scaffolding_name": "the name is a general word",
    "metadata_role": "the name is a role in a conversation",
    "discourse_fragment": "the name is a part of a sentence",
    "role_prefixed_scaffolding": "the name is a line of a conversation",
    "section_heading": "the name is a heading",
    "too_short": "the name is too short for an entity without a concrete type",
    "non_concrete_entity_type": "this type is abstract",
    "unknown_entity_type": "this type is not known",
    "event_without_time_or_event_signal": "an event needs a time or a word for what happened",
}
CONCRETE_TYPES = frozenset((
    "person", "organization", "project", "product", "system", "tool", "artifact", "document",
    "source", "place", "event"))
"""Types that remembering may give; a name of such a type may be short."""
UNTYPED = frozenset(("", "extracted", "unknown"))


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split(","))


_GENERIC = _set(
    "a,an,the,and,or,but,of,for,to,in,on,at,by,from,with,as,into,over,under,about,between,this,"
    "that,these,those,it,its,he,she,we,they,i,you,me,him,her,us,them,my,your,his,our,their,who,"
    "whom,which,what,when,where,why,how,is,am,are,was,were,be,been,being,do,does,did,has,have,"
    "had,will,would,can,could,shall,should,may,might,must,not,no,yes,ok,okay,if,then,else,than,"
    "so,such,here,there,now,also,just,only,very,all,any,some,each,every,both,other,another,same,"
    "more,most,less,one,two,first,last,next,new,old,thing,things,stuff,something,someone,anyone,"
    "everyone,somebody,anything,everything,nothing,current,status,summary,result,results,update,"
    "updates,author,recipient,sender,intent,note,notes,todo,example,examples,none,null,undefined,"
    "n/a,unknown,misc,other,others")
_ROLES = _set("assistant,author,intent,recipient,sender,system,user")
_FRAGMENTS = _set(
    "because,despite,however,let,once,read,understand,want,write,although,though,while,unless,"
    "therefore,thus,hence,instead,otherwise,meanwhile,perhaps,maybe,please,thanks,thank you,"
    "let me,let us,of course,for example,in addition")
_HEADINGS = _set(
    "current work,pending tasks,primary request,next steps,open questions,key decisions,"
    "action items,key points,main points,background context,table of contents,to do")
_ROLE_LINE = re.compile(
    r"(user|assistant|system|sender|recipient|author)\s*(:|\s[-\u2013\u2014]\s)\s*\S",
    re.IGNORECASE)

_WRAPS = (("**", "**"), ("__", "__"), ("~~", "~~"), ("[[", "]]"), ("*", "*"), ("_", "_"),
          ("`", "`"), ('"', '"'), ("'", "'"), ("\u201c", "\u201d"), ("\u2018", "\u2019"),
          ("\u00ab", "\u00bb"))
_LEAD = re.compile(r"(#{1,6}|>|[-*+\u2022])\s+|\d+[.)]\s+(?=\D)")

_MONTHS = ("january|february|march|april|june|july|august|september|october|november|december"
           "|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec")
_DAYS = "monday|tuesday|wednesday|thursday|friday|saturday|sunday"
_SPANS = (f"week|weekend|month|quarter|year|night|morning|afternoon|evening|spring|summer|autumn"
          f"|fall|winter|{_DAYS}|{_MONTHS}")
_TIME = re.compile(
    r"(?<![\d:])([01]?\d|2[0-3]):[0-5]\d(?![\d:]*\d)"
    r"|\b\d{4}-\d{2}(-\d{2})?\b|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b|\b(19|20)\d\d\b"
    rf"|\b({_MONTHS}|{_DAYS})\b|\bmay\s+\d|\d\s+may\b"
    r"|\b(today|tonight|yesterday|tomorrow|noon|midnight)\b"
    rf"|\b(last|next|this)\s+({_SPANS})\b|\bq[1-4]\b", re.IGNORECASE)
_HAPPENING = re.compile(
    r"\b(announce[ds]?|announcement|created|decided|deploy(ed|ment)?|install(ed|ation)?"
    r"|launch(ed)?|meeting|meetup|merged?|migration|publish(ed)?|release[ds]?|started|stopped"
    r"|updated|digest|conference|summit|workshop|hackathon|retro|retrospective|standup|review"
    r"|interview|demo|incident|outage|birthday|wedding|party|festival|ceremony)\b",
    re.IGNORECASE)


def refuse(
    name: str, entity_type: str | None = None, *, shortest: int = 4,
    refused_types: Collection[str] = (), shown: str | None = None,
) -> str | None:
    """The code of the first rule that the name breaks (a key of `REASONS`), None if it passes.

    Args:
        shortest: letters that a name without a concrete type needs.
        refused_types: types that may not be made this way.
        shown: the name as `clean_name` gives it, where it is known.
    """
    shown, kind = clean_name(name) if shown is None else shown, type_word(entity_type)
    core = canonical(_bare(shown))
    rule = _name_rule(name, core, kind)
    if rule is None and _needs_letters(shown, kind) and width(canonical(shown)) < shortest:
        rule = "too_short"
    return rule or _type_rule(shown, kind, refused_types)


def _needs_letters(shown: str, kind: str) -> bool:
    """True of a name that neither its type nor its capital tells to be one: `cli`."""
    told = kind in CONCRETE_TYPES or kind not in UNTYPED and kind not in ENTITY_TYPES
    return not (told or shown[:1].isupper() and shown[1:].islower())


def _name_rule(name: str, core: str, kind: str) -> str | None:
    if not core:
        return "punctuation_only"
    if core.isdigit():
        return "numeric_only"
    if core == "user" and kind == "person":
        return None
    for words, code in ((_GENERIC, "generic_or_scaffolding_name"), (_ROLES, "metadata_role"),
                        (_FRAGMENTS, "discourse_fragment"), (_HEADINGS, "section_heading")):
        if core in words:
            return code
    return "role_prefixed_scaffolding" if _ROLE_LINE.match(name.strip()) else None


def _type_rule(shown: str, kind: str, refused_types: Collection[str]) -> str | None:
    if kind in UNTYPED:
        return None
    if kind in refused_types:
        return "non_concrete_entity_type"
    if kind not in CONCRETE_TYPES and kind not in ENTITY_TYPES:
        return "unknown_entity_type"
    if kind == "event" and not (_TIME.search(shown) or _HAPPENING.search(shown)):
        return "event_without_time_or_event_signal"
    return None


def clean_name(name: str) -> str:
    """A name without Markdown marks, quotes and a label's colon: `**Signet:**` is `Signet`."""
    shown, before = " ".join(name.split()), None
    if shown[:1].isalpha() and shown[-1:].isalnum():
        return shown
    while shown and shown != before:
        before = shown
        shown = _LEAD.sub("", shown, count=1) if _LEAD.match(shown) else shown
        shown = shown.rstrip(":").strip()
        for opening, closing in _WRAPS:
            inside = len(shown) - len(opening) - len(closing)
            if inside > 0 and shown.startswith(opening) and shown.endswith(closing):
                shown = shown[len(opening):-len(closing)].strip()
    return shown


@lru_cache(maxsize=200)
def type_word(entity_type: str | None) -> str:
    """A type as it is compared and stored: `Object Type` is `object_type`."""
    return re.sub(r"[\s-]+", "_", (entity_type or "").strip().lower())


def _bare(name: str) -> str:
    """The name from its first to its last letter or digit."""
    if name[:1].isalnum() and name[-1:].isalnum():
        return name
    places = [place for place, sign in enumerate(name) if sign.isalnum()]
    return name[places[0]:places[-1] + 1] if places else ""
