"""What is typed in a search field: words, quoted phrases, `[tag]`, `type:`, `pinned:`, `since:`."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta

from msgspec import Struct, field
from msgspec.structs import replace

from core.errors import OperationError
from core.model.did_you_mean import did_you_mean
from core.model.times import parse_time

QUOTES = {'"': '"', "“": "”", "„": "“", "«": "»"}
"""The signs that open a phrase, with those that close it."""
YES, NO = ("yes", "true"), ("no", "false")
SYNTAX = (
    ('"night run"', "these words in this order"),
    ("[tag]", "with this tag"),
    ("type:person", "of this type; several as type:person,tool"),
    ("pinned:yes", "only pinned ones; pinned:no for the rest"),
    ("since:2026-03-14", "from this day on; also since:2026-03 and since:7d"),
)
"""What can be typed beside words, with the meaning: tooltips and `--help` tell it from here."""
QUESTION_SYNTAX = tuple(
    ("type:decision", "memories of this type; several as type:decision,fact")
    if sign.startswith("type:") else (sign, meaning) for sign, meaning in SYNTAX)
"""The same beside a question: the types are those of memories."""
_BACK = re.compile(r"(\d{1,4})([dwy])", re.IGNORECASE)
_DAYS = {"d": 1, "w": 7, "y": 365}
_PART = re.compile(r"\d{4}(?:-\d{1,2})?\Z")
_TAG = re.compile(r"\[([^\[\]]+)\](?=\s|\Z)")
_KEYED = re.compile(r"(\w+):")


class SearchText(Struct, frozen=True):
    """A search, read.

    Attributes:
        words: each must be found.
        phrases: each must be found as it stands.
        tags: all of these tags.
        types: one of these types, in small letters; any if empty.
        pinned: True for pinned ones only, False for the others.
        since: from this time on, as ISO-8601; empty for any.
        plain: the words and phrases alone, in order, as a question is asked.
        instead: for each word that is nowhere, the nearest ones, which are looked for in its place.
    """

    words: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    pinned: bool | None = None
    since: str = ""
    plain: str = ""
    instead: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


    @property
    def sought(self) -> tuple[str, ...]:
        """All that is looked for in names and facts, to be lit where it is found."""
        words = (near for word in self.words for near in self.instead.get(word, (word,)))
        return (*words, *self.phrases)


def read_search(text: str, *, now: datetime | None = None) -> SearchText:
    """Read what was typed.

    What is no such sign stands for itself: `https://…`, `array[0]`, `[[Harbor]]`, `12"`.

    Raises:
        OperationError: 400 for a quotation mark or bracket that is not closed, and for a value
            that `type:`, `pinned:` or `since:` can't have.
    """
    search = SearchText()
    rest = text.replace("\0", " ").strip()
    while rest:
        search, rest = _read_part(search, rest, now or datetime.now(UTC))
        rest = rest.lstrip()
    return search


def plain_words(text: str) -> SearchText:
    """The words of a text in which no sign has a meaning."""
    words = tuple(text.replace("\0", " ").split())
    return SearchText(words=words, plain=" ".join(words))


def _read_part(search: SearchText, rest: str, now: datetime) -> tuple[SearchText, str]:
    """Take the first part of `rest` into the search; returns what is left."""
    if rest[0] in QUOTES:
        phrase, rest = _quoted(rest)
        return _with_phrase(search, phrase), rest
    tag = _TAG.match(rest)
    if tag:
        return replace(search, tags=(*search.tags, tag[1].strip())), rest[tag.end():]
    keyed = _KEYED.match(rest)
    if keyed and keyed[1].lower() in _READ:
        key = keyed[1].lower()
        value, rest = _value(rest[keyed.end():])
        return _READ[key](search, value, now), rest
    word, _, rest = _split(rest)
    if word.startswith("[") and not word.startswith("[[") and "]" not in word + rest:
        raise _refused(f"The bracket in “{word}” is not closed",
                       "Write a tag as [tag], or quote the word")
    return replace(search, words=(*search.words, word), plain=_and(search, word)), rest


def _and(search: SearchText, more: str) -> str:
    return f"{search.plain} {more}".strip()


def _split(text: str) -> tuple[str, str, str]:
    """A text before and after its first white space."""
    space = re.search(r"\s", text)
    return (text[:space.start()], " ", text[space.end():]) if space else (text, "", "")


def _quoted(text: str) -> tuple[str, str]:
    """The phrase that a text begins with, and the rest."""
    inside, closed, rest = text[1:].partition(QUOTES[text[0]])
    if not closed:
        before = f" before “{inside.strip()}”" if inside.strip() else ""
        raise _refused(f"The quotation mark{before} is not closed",
                       f"Close it with {QUOTES[text[0]]}")
    return " ".join(inside.split()), rest


def _value(text: str) -> tuple[str, str]:
    """The value after a colon, which may be quoted, and the rest."""
    if text and text[0] in QUOTES:
        return _quoted(text)
    value, _, rest = _split(text)
    return value, rest


def _with_phrase(search: SearchText, phrase: str) -> SearchText:
    if not phrase:
        return search
    return replace(search, phrases=(*search.phrases, phrase), plain=_and(search, phrase))


def _type(search: SearchText, value: str, _now: datetime) -> SearchText:
    types = tuple(part.strip().lower() for part in value.split(",") if part.strip())
    if not types:
        raise _refused("“type:” needs a type", "Write it as type:person, or type:person,tool")
    return replace(search, types=(*search.types, *types))


def _pinned(search: SearchText, value: str, _now: datetime) -> SearchText:
    if value.lower() not in (*YES, *NO):
        raise _refused(f"“pinned:{value}” is neither yes nor no", "Write pinned:yes or pinned:no")
    return replace(search, pinned=value.lower() in YES)


def _since(search: SearchText, value: str, now: datetime) -> SearchText:
    moment = _moment(value, now)
    if moment is None:
        raise _refused(f"“since:{value}” is not a time",
                       "Write it as since:2026-03-14, since:2026-03 or since:7d")
    return replace(search, since=moment.replace(tzinfo=None).isoformat(timespec="seconds"))


def _moment(value: str, now: datetime) -> datetime | None:
    back = _BACK.fullmatch(value)
    if back:
        with suppress(OverflowError):
            return now - timedelta(days=int(back[1]) * _DAYS[back[2].lower()])
        return None
    if _PART.match(value):
        year, _, month = value.partition("-")
        value = f"{year}-{int(month or 1):02d}-01"
    return parse_time(value)


def _refused(what: str, do: str) -> OperationError:
    return OperationError(400, what, field="search", do=do)


_READ: dict[str, Callable[[SearchText, str, datetime], SearchText]] = {
    "type": _type, "pinned": _pinned, "since": _since,
}


def corrections(search: SearchText) -> Iterator[str]:
    """What was looked for in place of each mistyped word, a sentence each."""
    for word, near in search.instead.items():
        words = " or ".join(f"“{one}”" for one in near)
        yield f"“{word}” is nowhere here: {words} was looked for"


def refuse_unknown_types(search: SearchText, known: Iterable[str]) -> None:
    """Raise OperationError for a type that there is not, with those that are spelled alike."""
    every = sorted(known)
    for wanted in search.types:
        if wanted not in (one.lower() for one in every):
            raise _refused(f"There is no type “{wanted}”", did_you_mean(wanted, every)
                           or f"There are {', '.join(every[:8])}")
