"""A parsed question: search words, the times that it asks for, whether it asks for the newest."""

import math
import re
from collections.abc import Iterable
from datetime import UTC, datetime

from msgspec import Struct

from core.model.recall import DateSpan
from core.model.relation_synonyms import with_relations
from core.model.rule_or_event_question import (
    PERMISSION,
    asks_for_a_rule,
    first,
    happened_at,
    names_a_rule,
    without_permission,
    without_politeness,
)
from core.model.search_words import STOP_WORDS, Term, is_german, silent_words, terms, words
from core.model.split_words import written_words
from core.model.task_marks import asked_states, with_marks
from core.recall.asked_tense import asks_ahead
from core.recall.dates import (
    MentionedTime,
    has_open_start,
    is_recurring,
    is_since,
    month_names,
    names_weekday,
    question_times,
)


class Question(Struct, frozen=True):
    """A parsed question.

    Attributes:
        text: as typed.
        terms: the words to look for. Of a time only the names that come again: a memory may tell
            of every Friday, while its "yesterday" is another day. Where only a time is asked for,
            its words, which bring what tells of it and count for nothing by themselves.
        dates: the times that it asks for; not the Friday of "Can I deploy on Friday?".
        past: it asks for what was so before, so that what no longer holds may be an answer.
        newest: it asks for what is so now, or was last ("recently", "now", "latest").
        rule: it asks what may or must be done ("Can I deploy on Friday?").
        former_rule: it asks what a rule once was ("What did the deploy rule say in February?").
        former: it says so ("used to", "before"), so that what no longer holds comes first.
        only_time: it asks for nothing but a time ("What did we do yesterday?").
        ahead: it asks for a time that is not over, of which most was said before.
        oldest: it asks for what was so first ("Who noticed it first?").
        negated: it asks for what is not so ("What does Ines not eat?").
        about_questions: it asks for what is asked or open ("Which questions are open?").
        states: how far what it asks for is ("in progress"), as marks such as `[wip]` say.
    """

    text: str
    terms: tuple[Term, ...] = ()
    dates: tuple[DateSpan, ...] = ()
    past: bool = False
    newest: bool = False
    rule: bool = False
    former_rule: bool = False
    former: bool = False
    only_time: bool = False
    states: frozenset[str] = frozenset()
    oldest: bool = False
    negated: bool = False
    about_questions: bool = False
    ahead: bool = False


_PAST = re.compile(
    r"\b(used to|before|formerly|previous(ly)?|earlier|originally|back then|in the past|at first"
    r"|once|until(?= (?!when\b)\w)|früher|vorher|antes|avant)\b", re.IGNORECASE)
_DID_USE_TO = re.compile(r"(\bdid(?:n['’]?t)?\b[^.?!]{1,60}?\buse) to\b", re.IGNORECASE)
_PAST_TENSE = re.compile(r"\b(was|were|had|did)\b", re.IGNORECASE)
_GERMAN_PAST_TENSE = re.compile(r"\b(war|waren|hatten?|wurden?)\b", re.IGNORECASE)
_NEWEST = re.compile(
    r"\b(?:(?:most )?recent(?:ly)?|lately|nowadays|(?:just |right )?now|currently|at present"
    r"|at the moment|these days|latest|newest"
    r"|current(?! (?:is|was|in|of|at|on|for|to|from|through|flows?)\b)(?= \w)"
    r"|jetzt|aktuell\w*|derzeit\w*|zurzeit|momentan|kürzlich|neulich|neueste\w*"
    r"|maintenant|actuel\w*|récemment|dernièrement|ahora|actualmente|recientemente)\b"
    r"|现在|目前|当前|最近|最新|現在|今(?![日年月週週晩夜回朝度後])|지금|현재|최근|최신",
    re.IGNORECASE)
_OLDEST = re.compile(
    r"\bfirst(?=\W*$| time\b)|(?<=\bdid )(?:\w+ ){1,3}first\b"
    r"|\b(?:earliest|originally|initially|in the beginning|to begin with)\b", re.IGNORECASE)
_OF_OLD = re.compile(
    rf"{_PAST.pattern}|\b(?:first(?=\W*$)|earliest|initially|in the beginning|to begin with)\b",
    re.IGNORECASE)
"""The words by which a question asks for either, which an answer need not say."""
_NEWS = re.compile(rf"(?:{_NEWEST.pattern})(?:\s+(?:changes?|updates?|news|events?)\b)?",
                   re.IGNORECASE)
"""The words by which it asks for the newest, with "changes" after them."""
_RULE = re.compile(
    r"\b(?:can|could|might|must|shall|should"
    r"|would|(?:do|does)(?! \w+ have\b)|allowed|permitted|forbidden|okay|ok|fine|safe|supposed"
    r"|rules?|policy|always|never|ever|usually|normally)\b", re.IGNORECASE)
"""Words of a question about what holds at all times: a rule, a habit."""
_NEGATED = re.compile(r"\b(?:not|never|nicht|kein\w*|nie)\b|n['’]t\b", re.IGNORECASE)
_ABOUT_QUESTIONS = re.compile(
    r"\b(?:ask\w*|questions?|wonder\w*|unclear|undecided|open|unanswered|frag\w+)\b", re.IGNORECASE)
_OWN_YEAR = re.compile(r"\d|\b(?:last|past|previous|letzte\w?|vergangene\w?|vorige\w?)\b",
                       re.IGNORECASE)
_OWN_WEEK = re.compile(r"\b(?:this|next|coming|diese\w?|nächste\w?|kommende\w?)\b",
                       re.IGNORECASE)
_ANYTHING = frozenset({"change", "changed", "changes", "done", "events", "going", "happen",
                       "happened", "happening", "happens", "new", "news", "anything",
                       "something", "due", "planned", "scheduled", "coming", "upcoming",
                       "passiert", "los", "geplant", "fallig", "gibt", "steht",
                       "neu", "neues", "geschehen"})
"""Words that, beside a time, ask for whatever was then."""
LONGEST = 4_000
"""Characters of a question that are read."""
MOST_TERMS = 40


def read_question(
    text: str, *, now: datetime | None = None, stemming: bool = True
) -> Question:
    """Read a question as asked at `now`."""
    text = _DID_USE_TO.sub(r"\1d to", text[:LONGEST].strip())
    now = now or datetime.now(UTC)
    tense = asks_ahead(text)
    times = question_times(text, now, ahead=bool(tense))
    dates = tuple(time.span for time in _dates(text, times))
    if tense is None:  # Both are meant: what there is a memory of decides.
        coming = _dates(text, question_times(text, now, ahead=True))
        dates = tuple(dict.fromkeys((*dates, *(time.span for time in coming))))
    newest, rule = _NEWEST.search(text) is not None, asks_for_a_rule(text)
    rest = _without(text, times)
    silent = silent_words(text) | STOP_WORDS
    only_time = bool(dates) and all(
        word in silent or word in _ANYTHING or is_recurring(word) for word in words(rest))
    ahead = bool(dates) and tense is not False and all(
        span.end > now and not is_since(span.text) for span in dates)
    past = (_asks_for_the_past(rest if ahead else text, newest=newest, rule=rule)
            or (any(span.end <= now for span in dates) and not any(
                span.start > now for span in dates)))
    former, oldest = past and _PAST.search(text) is not None, _OLDEST.search(text) is not None
    states = asked_states(text)
    if only_time:
        rest = " ".join((*(text[time.start:time.end] for time in times),
                         *(name for span in dates if ahead for name in month_names(span))))
    elif rule:
        rest = without_permission(rest)
    elif former or oldest:
        rest = _OF_OLD.sub(" ", rest)
    asked = terms(rest, stemming=stemming)[:MOST_TERMS]
    if newest and not dates:
        asked = terms(_NEWS.sub(" ", rest), stemming=stemming)[:MOST_TERMS] or asked
    asked = with_relations(asked, text)
    return Question(text, with_marks(asked, states) if states else asked, dates, past=past,
                    newest=newest, rule=rule, former=former, oldest=oldest, states=states,
                    negated=_NEGATED.search(text) is not None and not rule,
                    about_questions=_ABOUT_QUESTIONS.search(text) is not None,
                    only_time=only_time, ahead=ahead,
                    former_rule=past and not rule and names_a_rule(text))


def _asks_for_the_past(text: str, *, newest: bool, rule: bool) -> bool:
    """True for a question about what was so once.

    "What was changed recently?" and "What must I do before I commit?" are none.
    """
    if rule:
        return False
    tense = _GERMAN_PAST_TENSE if is_german(text) else _PAST_TENSE
    return bool(_PAST.search(text) or (not newest and tense.search(text)))


def _without(text: str, times: Iterable[MentionedTime]) -> str:
    """The text without its times, but with the names in them that come again.

    What comes before a time has nothing of its name: "before September" is in no September.
    """
    for time in sorted(times, key=lambda time: -time.start):
        names = "" if has_open_start(text[time.start:time.end]) else " ".join(
            filter(is_recurring, written_words(text[time.start:time.end])))
        text = f"{text[:time.start]} {names} {text[time.end:]}"
    return text


def _dates(text: str, times: Iterable[MentionedTime]) -> list[MentionedTime]:
    """The times that are meant as dates.

    A rule or a habit ("Can I deploy on Friday?", "Do we release in July?") is asked of any Friday
    and July, so that a time that comes again is no date there; nor is a bare weekday, unless the
    question is about what happened ("What did Ines say on Friday?").
    """
    plain = without_politeness(text)
    rule = min(first(_RULE, plain), first(PERMISSION, plain))
    if happened_at(text) < rule:
        return list(times)
    return [time for time in times if not _comes_again(time.span.text, rule < math.inf)]


def _comes_again(time: str, rule: bool) -> bool:
    """True for a time of every week or year, or, where nothing says so, of every week."""
    if _OWN_YEAR.search(time):
        return False
    if rule:
        return any(map(is_recurring, words(time)))
    return names_weekday(time) and not _OWN_WEEK.search(time)

