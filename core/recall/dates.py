"""The times that a question or a memory speaks of: "last March", "yesterday", "in May 2023".

English and German words, numeric dates, and those of Chinese, Japanese and Korean. Relative words
are read from a given moment: a question's are read from now, a memory's from the memory's own time.
"""

import calendar
import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import product

from msgspec import Struct

from core.model.recall import DateSpan
from core.model.search_words import cores, fold
from core.model.times import parse_time

MONTHS = {name.lower(): number for number, name in enumerate(calendar.month_name) if name}
_SHORT = {name[:3]: number for name, number in MONTHS.items()} | {"sept": 9}
_GERMAN_MONTHS = {"januar": 1, "jänner": 1, "februar": 2, "märz": 3, "mai": 5, "juni": 6, "juli": 7,
                  "oktober": 10, "dezember": 12}
_DAYS = {name.lower(): number for number, name in enumerate(calendar.day_name)}
_DAYS |= {name: number for number, name in enumerate((
    "montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag"))}
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12,
            "frühling": 3, "sommer": 6, "herbst": 9}
NUMBERS = {word: number for number, word in enumerate((
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
    "nineteen", "twenty"))}
NUMBERS |= {"a": 1, "an": 1, "a couple of": 2, "couple of": 2, "few": 3, "a few": 3,
            "several": 3, "thirty": 30, "forty": 40, "fifty": 50}
"""What counts days and hours, as a word."""
_GERMAN_NUMBERS = {"einem": 1, "einer": 1, "zwei": 2, "drei": 3, "vier": 4, "fünf": 5, "sechs": 6,
                   "sieben": 7, "acht": 8, "neun": 9, "zehn": 10}

_MONTH = "|".join((*MONTHS, *_GERMAN_MONTHS, *(rf"{name}\b\.?" for name in _SHORT)))
_DAY = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_COUNT = r"(?P<count>\d{1,3}|" + "|".join(sorted(NUMBERS, key=len, reverse=True)) + ")"
_UNIT = r"(?P<unit>day|week|month|year)"
_GERMAN_UNITS = {"tag": "day", "woche": "week", "monat": "month", "jahr": "year"}
_GERMAN_UNIT = rf"(?P<unit>{'|'.join(_GERMAN_UNITS)})(?:e?n|e?s|e)?"
_GERMAN_WHICH = {"letzt": "last", "vergangen": "last", "vorig": "last", "dies": "this",
                 "nächst": "next", "kommend": "next"}
_ENDED = rf"(?:{'|'.join(_GERMAN_WHICH)})e[nmrs]?"
_SAME = {"coming": "next", "on": "last", "am": "last", "im": "in", "seit": "since"}
_WHICH = rf"(?P<which>last|past|previous|this|next|coming|{_ENDED})"

_PATTERNS = tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in (
    ("iso", rf"(?<!\d){_YEAR}-(?P<number>[01]?\d)(?:-{_DAY})?(?![\d-])"),
    ("iso", rf"(?<!\d){_YEAR}(?P<sign>[./])(?P<number>[01]?\d)(?P=sign){_DAY}(?![\d.-])"),
    ("iso", rf"(?<!\d){_YEAR} ?[年년] ?(?P<number>[01]?\d) ?[月월](?: ?{_DAY} ?[日일])?"),
    ("slashed", rf"(?<![\d./])(?P<first>[0-3]?\d)(?P<sign>[./])(?P<second>[0-3]?\d)(?P=sign)"
                rf"{_YEAR}(?!\d)"),
    ("quarter", rf"\bq(?P<number>[1-4])[ /-]?{_YEAR}\b"),
    ("date", rf"\b{_DAY}\.?(?: of)? (?P<month>{_MONTH})(?:,? {_YEAR})?\b"),
    ("date", rf"\b(?P<month>{_MONTH}) {_DAY}\b(?!:)(?:,? {_YEAR})?"),
    ("month", rf"\b(?:(?P<which>last|this|next|coming|early|late|mid|in|since|during"
              rf"|im|seit|{_ENDED}) )?"
              rf"(?P<month>{_MONTH})(?:,? {_YEAR})?(?![\w'’])"),
    ("season", rf"\b(?:(?P<which>last|past|previous|this|next|coming|in|im|{_ENDED}) )?"
               rf"(?P<season>{'|'.join(_SEASONS)})(?: of)?(?: {_YEAR})?\b"),
    ("span", rf"\b(?:last|past) {_COUNT} {_UNIT}s?\b"),
    ("today", r"\b(?:hours?|minutes?) ago\b"),
    ("ago", rf"(?<!half )\b{_COUNT} {_UNIT}s? (?:ago|before|earlier)\b"),
    ("ago", rf"\bvor (?P<count>\d{{1,3}}|{'|'.join(_GERMAN_NUMBERS)}) {_GERMAN_UNIT}\b"),
    ("unit", rf"\b{_WHICH} {_UNIT}\b"),
    ("unit", rf"\b(?P<which>{_ENDED}) {_GERMAN_UNIT}\b"),
    ("weekend", rf"\b(?:{_WHICH} |the )?weekend\b"),
    ("weekday", rf"\b(?:(?P<which>last|this|next|coming|on|am|{_ENDED}) )"
                rf"(?P<weekday>{'|'.join(_DAYS)})\b"),
    ("day", r"\b(?P<word>the day before yesterday|yesterday|today|tonight|tomorrow|last night"
            r"|this (?:morning|afternoon|evening)"
            r"|vorgestern|gestern|heute|übermorgen|(?<!guten )(?<!am )morgen)\b"),
    ("year", rf"\b(?:in|during|since|of|year) {_YEAR}\b"),
))
_NAMES = (*_SEASONS, *_DAYS, *MONTHS, *_GERMAN_MONTHS, *_SHORT, "weekend", "today", "tonight",
          "yesterday", "tomorrow", "vorgestern", "gestern", "heute", "übermorgen", "morgen")
_CENTURIES, _AHEAD_OF_UNIT, _BEHIND = (
    ("19", "20"), ("last", "past", "previous", "this", "next", "coming"),
    ("ago", "before", "earlier"))
_HINT = re.compile(
    rf"\b(?:(?:{'|'.join(_NAMES)})\b|(?:{'|'.join(_CENTURIES)})\d\d"
    rf"|(?:{'|'.join(_AHEAD_OF_UNIT)}|{_ENDED}) \w|vor \w+ (?:{'|'.join(_GERMAN_UNITS)}))"
    rf"|\w (?:{'|'.join(_BEHIND)})\b")
"""A text without any of these, its case folded, speaks of no time."""
_PIECES = cores((*_NAMES, *_CENTURIES, *_AHEAD_OF_UNIT, *_BEHIND, *_GERMAN_WHICH, *_GERMAN_UNITS))
"""One without any of these has no hint, which is known a hundred times sooner."""
_AMBIGUOUS = frozenset({"may", "mai", "mar", "march", "dec", "jan", "sun", "sat"})
"""Words that mean a month only beside something that says so, or with a capital."""
_BEFORE_MONTH = re.compile(
    r"\b(?:between|and|to|until|till|before|after|by|from|of)[ ]\Z", re.IGNORECASE)
_SEASON_DAYS = 92
_OFFSET = {"last": -1, "past": -1, "previous": -1, "this": 0, "next": 1}
_NAMED_TIMES = (*MONTHS, *_GERMAN_MONTHS, *_DAYS, *_SEASONS, "weekend")
_RECURRING = frozenset((*_NAMED_TIMES, *map(fold, _NAMED_TIMES)))
_WORDS = {"the day before yesterday": -2, "yesterday": -1, "last night": -1, "tomorrow": 1,
          "vorgestern": -2, "gestern": -1, "morgen": 1, "übermorgen": 2}


def is_recurring(word: str) -> bool:
    """True for the name of a time that comes again and again: a weekday, a month, a season."""
    return word.lower() in _RECURRING


def names_weekday(time: str) -> bool:
    """True for a time told by a day of the week: "on Friday"."""
    return any(word in _DAYS for word in time.lower().split())


def month_names(span: DateSpan) -> tuple[str, ...]:
    """The names, English and German, of the months of a time, of a long one's none."""
    if span.end - span.start > timedelta(days=_SEASON_DAYS):
        return ()
    numbers = {(span.start + timedelta(days=day)).month
               for day in range((span.end - span.start).days or 1)}
    return tuple(name for names in (MONTHS, _GERMAN_MONTHS) for name, number in names.items()
                 if number in numbers)


class MentionedTime(Struct, frozen=True):
    """A time in a text, and the place in the text that says it."""

    span: DateSpan
    start: int
    end: int


def may_tell_time(text: str) -> bool:
    """False where a text certainly speaks of no time."""
    folded = text.casefold()
    return any(piece in folded for piece in _PIECES) and _HINT.search(folded) is not None


def spans(text: str, moment: datetime) -> tuple[DateSpan, ...]:
    """The times that `text` speaks of, as said at `moment`, in order."""
    return tuple(mention.span for mention in mentioned_times(text, moment))


def mentioned_times(
    text: str, moment: datetime, *, ahead: bool = False
) -> list[MentionedTime]:
    """The same with their places; where two readings overlap the earlier rule holds.

    Args:
        ahead: of a time that comes again ("in December") the one to come is meant, not the last.
    """
    if not may_tell_time(text):
        return []
    today = day_start(moment)
    mentions: list[MentionedTime] = []
    for kind, pattern in _PATTERNS:
        for match in pattern.finditer(text):
            if any(match.start() < other.end and other.start < match.end()
                   for other in mentions):
                continue
            try:
                reach = _READERS[kind](match, today)
                if reach and ahead:
                    reach = _coming(reach, match, today)
            except (ValueError, OverflowError):
                continue  # 31 June, the year 0: nothing that was meant as a time
            if reach is not None:
                mentions.append(MentionedTime(DateSpan(match[0].strip(), *reach), *match.span()))
    return sorted(mentions, key=lambda item: item.start)


Reach = tuple[datetime, datetime]


def _coming(reach: Reach, match: re.Match[str], today: datetime) -> Reach:
    """The next of a time that comes each year or week and is over, where nothing says which."""
    said = match.groupdict()
    which = (said.get("which") or "").lower()
    told = which not in ("on", "am") and which and _which(match) in (*_OFFSET, "since")
    if reach[1] > today or said.get("year") or told:
        return reach
    if said.get("weekday"):
        return reach[0] + timedelta(days=7), reach[1] + timedelta(days=7)
    if said.get("month") or said.get("season"):
        return reach[0].replace(year=reach[0].year + 1), reach[1].replace(year=reach[1].year + 1)
    return reach


def _days(start: datetime, count: int = 1) -> Reach:
    return start, start + timedelta(days=count)


def _month(year: int, month: int) -> Reach:
    year, month = year + (month - 1) // 12, (month - 1) % 12 + 1
    start = datetime(year, month, 1, tzinfo=UTC)
    return _days(start, calendar.monthrange(year, month)[1])


def _year(year: int) -> Reach:
    return datetime(year, 1, 1, tzinfo=UTC), datetime(year + 1, 1, 1, tzinfo=UTC)


def _month_number(match: re.Match[str]) -> int:
    word = match["month"].lower().rstrip(".")
    return MONTHS.get(word) or _GERMAN_MONTHS.get(word) or _SHORT[word]


def _which(match: re.Match[str]) -> str:
    """Which of several is meant, in English, "" where nothing says so."""
    word = (match["which"] or "").lower()
    german = next((which for stem, which in _GERMAN_WHICH.items() if word.startswith(stem)), word)
    return _SAME.get(german, german)


def _latest(number: int, today: datetime) -> int:
    """The year in which this month was last, seen from today."""
    return today.year if number <= today.month else today.year - 1


def _iso(match: re.Match[str], today: datetime) -> Reach:
    year, month = int(match["year"]), int(match["number"])
    if match["day"]:
        return _days(datetime(year, month, int(match["day"]), tzinfo=UTC))
    if not 1 <= month <= 12:
        raise ValueError
    return _month(year, month)


def _slashed(match: re.Match[str], today: datetime) -> Reach | None:
    """With dots the day comes first; with slashes only where it can't be the month."""
    day, month = int(match["first"]), int(match["second"])
    if match["sign"] == "/" and month > 12:
        day, month = month, day
    elif match["sign"] == "/" and day <= 12 and day != month:
        return None
    return _days(datetime(int(match["year"]), month, day, tzinfo=UTC))


def _quarter(match: re.Match[str], today: datetime) -> Reach:
    year, last = int(match["year"]), int(match["number"]) * 3
    return _month(year, last - 2)[0], _month(year, last)[1]


def _date(match: re.Match[str], today: datetime) -> Reach:
    month, day = _month_number(match), int(match["day"])
    if match["year"]:
        return _days(datetime(int(match["year"]), month, day, tzinfo=UTC))
    this = datetime(today.year, month, day, tzinfo=UTC)
    return _days(this if this <= today + timedelta(days=31) else this.replace(year=today.year - 1))


def _in_month(match: re.Match[str], today: datetime) -> Reach | None:
    number, word, which = _month_number(match), match["month"], _which(match)
    if match["year"]:
        return _month(int(match["year"]), number)
    if word.lower() in _AMBIGUOUS and not which and not (
            word[0].isupper() and _BEFORE_MONTH.search(match.string[:match.start()])):
        return None
    if which == "next":
        return _month(today.year + (number <= today.month), number)
    if which == "last":
        return _month(today.year - (number >= today.month), number)
    return _month(_latest(number, today), number)


def _season(match: re.Match[str], today: datetime) -> Reach | None:
    """Three months; winter belongs to the year it begins in."""
    first = _SEASONS[match["season"].lower()]
    which = _which(match)
    begun = today.year if today.month >= first else today.year - 1
    if match["year"]:
        year = int(match["year"])
    elif which == "this":
        year = today.year - (first == 12 and today.month < 3)
    elif which == "next":
        year = begun + 1
    elif which == "in":
        year = begun
    elif which:
        year = begun if _month(begun, first + 2)[1] <= today else begun - 1
    else:
        return None
    return _month(year, first)[0], _month(year, first + 2)[1]


def _counted(match: re.Match[str]) -> int:
    word = match["count"].lower()
    return int(word) if word.isdigit() else NUMBERS.get(word) or _GERMAN_NUMBERS[word]


def _unit_name(match: re.Match[str]) -> str:
    word = match["unit"].lower()
    return _GERMAN_UNITS.get(word, word)


def _unit(today: datetime, unit: str, offset: int) -> Reach:
    """The day, calendar week, month or year that is `offset` away from today's."""
    if unit == "day":
        return _days(today + timedelta(days=offset))
    if unit == "week":
        return _days(today - timedelta(days=today.weekday()) + timedelta(weeks=offset), 7)
    if unit == "month":
        return _month(today.year, today.month + offset)
    return _year(today.year + offset)


def _ago(match: re.Match[str], today: datetime) -> Reach:
    """Around that long ago: a day either way for weeks, the calendar month or year else."""
    count, unit = _counted(match), _unit_name(match)
    if unit == "week":
        return _days(today - timedelta(weeks=count, days=1), 3)
    return _unit(today, unit, -count)


def _span(match: re.Match[str], today: datetime) -> Reach:
    days = {"day": 1, "week": 7, "month": 31, "year": 366}[match["unit"].lower()]
    return today - timedelta(days=days * _counted(match)), today + timedelta(days=1)


def _this_unit(match: re.Match[str], today: datetime) -> Reach:
    return _unit(today, _unit_name(match), _OFFSET[_which(match)])


def _weekend(match: re.Match[str], today: datetime) -> Reach | None:
    offset = _OFFSET.get(_which(match))
    if offset is None:
        return None
    saturday = today - timedelta(days=today.weekday()) + timedelta(days=5, weeks=offset)
    return _days(saturday, 2)


def _weekday(match: re.Match[str], today: datetime) -> Reach:
    which = _which(match)
    ahead = (_DAYS[match["weekday"].lower()] - today.weekday()) % 7
    if which == "next":
        return _days(today + timedelta(days=ahead or 7))
    if which == "this":
        return _days(today - timedelta(days=today.weekday()) + timedelta(
            days=_DAYS[match["weekday"].lower()]))
    return _days(today + timedelta(days=ahead - 7))


def _day(match: re.Match[str], today: datetime) -> Reach:
    return _days(today + timedelta(days=_WORDS.get(match.groupdict().get("word", "").lower(), 0)))


def _of_year(match: re.Match[str], today: datetime) -> Reach:
    return _year(int(match["year"]))


_READERS = {
    "iso": _iso, "slashed": _slashed, "quarter": _quarter, "date": _date, "month": _in_month,
    "season": _season, "span": _span, "today": _day, "ago": _ago, "unit": _this_unit,
    "weekend": _weekend, "weekday": _weekday, "day": _day, "year": _of_year,
}


DAY = 86_400.0
Stretch = tuple[float, float]
"""A time as seconds since 1970: from, and up to."""


def stretch(span: DateSpan) -> Stretch:
    """A span as numbers, which compare faster."""
    return span.start.timestamp(), span.end.timestamp()


def day_of(moment: datetime) -> Stretch:
    """The day (UTC) of a moment."""
    start = moment.timestamp() // DAY * DAY
    return start, start + DAY


_IN_UTC = re.compile(r"(\d{4}-\d\d-\d\d)[T ][0-2]\d:[0-5]\d:[0-5]\d(?:\.\d+)?Z?\Z")


def day_made(moment: str) -> Stretch | None:
    """The day (UTC) of a moment as a file has it, None for one that can't be read.

    Hundreds of moments are read for a question, and their days come again.
    """
    in_utc = _IN_UTC.match(moment)
    return _day_in_text(in_utc[1] if in_utc else moment)


@lru_cache(maxsize=4_000)
def _day_in_text(text: str) -> Stretch | None:
    moment = parse_time(text)
    return day_of(moment) if moment else None


def nearness(times: Iterable[Stretch], asked: Iterable[Stretch]) -> float:
    """How well a memory's times meet those that were asked for: 1 within, less around, 0 far."""
    best = 0.0
    for (start, end), (since, until) in product(times, asked):
        gap = max(since - end, start - until, 0.0)
        # A memory is often written a few days after what it tells of.
        fade = min(max(until - since, 3 * DAY), 31 * DAY)
        best = max(best, 0.5 ** (1 + gap / fade) if gap else 1.0)
    return best if best >= 0.1 else 0.0


# Times with an open end, "before 2025": only a question's. A memory that says "since April" does
# not tell of all the time from then on.

FIRST = datetime(1970, 1, 1, tzinfo=UTC)
"""No memory is older."""
LAST = datetime.max.replace(tzinfo=UTC)
_OPENING = {"seit": "since", "nach": "after", "vor": "before", "bis": "until",
            "zwischen": "between", "von": "from"}
_AHEAD = re.compile(r"\b(?P<word>since|after|before|until|till|up to|between|from"
                    rf"|{'|'.join(_OPENING)})(?: (?:the|dem|der|den|zum))?\s+\Z", re.IGNORECASE)
_WITHIN = re.compile(r"(?P<word>since|seit)\b", re.IGNORECASE)
_GLUE = re.compile(r"\s*(?:and|to|until|till|through|und|bis|[-\u2013\u2014])"
                   r"\s*(?:(?:the|dem)\s+)?\Z", re.IGNORECASE)
_ENDS = re.compile(r"(?:before|until|till|up to|vor|bis)\b", re.IGNORECASE)


def has_open_start(time: str) -> bool:
    """True for a time of which only the end is said: "before September"."""
    return _ENDS.match(time) is not None


def is_since(time: str) -> bool:
    """True for a time that lasts up to now: "since last week"."""
    return _WITHIN.match(time) is not None


def question_times(text: str, moment: datetime, *, ahead: bool = False) -> list[MentionedTime]:
    """The times that a question asks for, as asked at `moment`, in order.

    Args:
        ahead: the question is about what is or will be, so that times to come are meant.
    """
    mentions: list[MentionedTime] = []
    times = mentioned_times(text, moment, ahead=ahead)
    while times:
        first = times.pop(0)
        taken = mentions[-1].end if mentions else 0
        opens = _AHEAD.search(text[taken:first.start])
        start = taken + opens.start() if opens else first.start
        word = (opens or _WITHIN.match(text[first.start:first.end]) or {"word": ""})["word"].lower()
        word = _OPENING.get(word, word)
        if word in ("between", "from"):
            if not times or not _GLUE.match(text[first.end:times[0].start]):
                mentions.append(first)
                continue
            last = times.pop(0)
            reach, end = _ordered(first.span, last.span), last.end
        else:
            reach, end = _opened(word, first.span, moment, ahead=ahead), first.end
        if reach is None:
            mentions.append(first)
        else:
            mentions.append(MentionedTime(DateSpan(text[start:end].strip(), *reach), start, end))
    return mentions


def day_start(moment: datetime) -> datetime:
    """Midnight (UTC) before a moment."""
    return moment.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)


def _ordered(first: DateSpan, last: DateSpan) -> tuple[datetime, datetime] | None:
    return (first.start, last.end) if first.start < last.end else None


def _opened(
    word: str, span: DateSpan, moment: datetime, *, ahead: bool
) -> tuple[datetime, datetime] | None:
    """The reach of a time with such a word before it, None where it stays as it is."""
    if word in ("before", "until", "till", "up to"):
        end = span.start if word == "before" else span.end
        since = day_start(moment) if ahead and end > moment else FIRST
        return (since, end) if end > since else None
    begin = {"since": span.start, "after": span.end}.get(word)
    if word == "after" and ahead and begin and begin > moment:
        return begin, LAST
    if begin is None or begin > moment:
        return None
    return begin, moment.astimezone(UTC) + min(timedelta(days=1), LAST - moment)
