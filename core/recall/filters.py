"""Which memories may be an answer at all: of a type, a tag, a person, a project, a time."""

from msgspec import Struct
from msgspec.structs import replace

from core.errors import OperationError
from core.model.times import day_after, parse_time
from core.queries.entity_search import has_tag, like, tag_patterns
from core.queries.memories import memory_types
from core.queries.outdated_memories import CURRENT, SAYS_REPLACED, replaced
from core.queries.rows_to_model import MEMORY_VISIBLE
from core.queries.search_syntax import plain_words, read_search, refuse_unknown_types
from core.store.reader_and_writer import Reader

NOT_DELETED = "COALESCE(m.is_deleted, 0) = 0"
READABLE = f"{MEMORY_VISIBLE} AND {NOT_DELETED} AND COALESCE(m.visibility, '') <> 'archived'"
"""What every recalled memory `m` meets, whatever the filters."""
TELLABLE = f"{READABLE} AND {CURRENT}"
"""What a memory `m` meets that an agent may be told as true: it may read it, and it still holds.

For the few that are looked at one by one; over a whole file the second half costs too much.
"""
TELLABLE_OF_PAST = (
    f"{MEMORY_VISIBLE} AND COALESCE(m.visibility, '') <> 'archived' AND ({NOT_DELETED}"
    f" AND ({CURRENT} OR {SAYS_REPLACED}) OR {replaced('v.id = m.id')})")
"""The same where the past is asked for: what was replaced may be told as past, and with it the
memories that were made from superseded values, which are deleted as long as these are. What was
archived is told by no question."""
ANY_SCOPE = "*"
EVERY = "1"
"""The condition where no filter is set."""
MOST_TYPES = 10_000


class Filters(Struct, frozen=True):
    """Conditions on a memory; with all of them empty every memory passes.

    Attributes:
        types: one of these types.
        tags: all of these tags.
        who: said or written by this person, whatever its capitals.
        project: this project: the whole path or name, or its last part.
        since, until: created from this time on, and before that one; a date alone covers its whole
            day.
        importance_min: at least so important.
        pinned: True for pinned ones only, False for the others.
        scope: `*` for any; None for those without a scope; else this scope.
        phrases: all of these, as they stand, whatever the capitals of plain letters.
    """

    types: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    who: str = ""
    project: str = ""
    since: str = ""
    until: str = ""
    importance_min: float = 0.0
    pinned: bool | None = None
    scope: str | None = ANY_SCOPE
    phrases: tuple[str, ...] = ()

    @property
    def any(self) -> bool:
        """True if any filter is set."""
        return self != Filters()


def read_signs(reader: Reader, text: str, filters: Filters) -> tuple[str, Filters]:
    """The question alone, and the filters with what its signs ask for: `[tag]`, `type:` and so on.

    Raises OperationError for a sign that can't be read, as `read_search`, and for a type that no
    memory has.
    """
    search = read_search(text)
    if search == plain_words(text):
        return text, filters
    if search.types:
        refuse_unknown_types(search, memory_types(reader, limit=MOST_TYPES))
    pinned = filters.pinned if search.pinned is None else search.pinned
    return search.plain, replace(
        filters, types=(*filters.types, *search.types), tags=(*filters.tags, *search.tags),
        phrases=(*filters.phrases, *search.phrases), since=search.since or filters.since,
        pinned=pinned)


def condition(filters: Filters) -> tuple[str, dict[str, object]]:
    """SQL over `memories m` that is true for memories that pass, and its parameters.

    Raises OperationError for a date that can't be read.
    """
    tags = (has_tag(f"f_tag{number}") for number in range(len(filters.tags)))
    parts = [_KIND if filters.types else "", *tags, _WHO if filters.who else "",
             _PROJECT if filters.project else "",
             _SINCE if filters.since else "", _UNTIL if filters.until else "",
             _IMPORTANT if filters.importance_min > 0 else "",
             "" if filters.pinned is None else f"COALESCE(m.pinned, 0) = {int(filters.pinned)}",
             *(_PHRASE.format(f"f_phrase{n}") for n in range(len(filters.phrases))),
             _scope(filters.scope)]
    return " AND ".join(part for part in parts if part) or EVERY, _bound(filters)


_KIND = "(m.type IN (SELECT value FROM json_each(:f_types)) OR lower(m.type) IN" \
        " (SELECT value FROM json_each(:f_types)))"
_PHRASE = "replace(m.content, char(10), ' ') LIKE :{} ESCAPE '\\'"
# SQLite itself knows the small letters of ASCII only.
_WHO = "(m.who = :f_who OR lower(m.who) = :f_small)"
_PROJECT = "(m.project = :f_project OR m.project LIKE :f_ends ESCAPE '\\')"
_SINCE = "substr(replace(m.created_at, 'T', ' '), 1, 19) >= :f_since"
_UNTIL = "substr(replace(m.created_at, 'T', ' '), 1, 19) < :f_until"
_IMPORTANT = "COALESCE(m.importance, 0.5) >= :f_importance"


def _scope(scope: str | None) -> str:
    if scope is None:
        return "m.scope IS NULL"
    return "" if scope == ANY_SCOPE else "m.scope = :f_scope"


def _bound(filters: Filters) -> dict[str, object]:
    project = filters.project.rstrip("/\\")
    since = _moment(filters.since, "since") if filters.since else None
    until = _moment(filters.until, "until", whole_day=True) if filters.until else None
    if since and until and since >= until:
        raise OperationError(400, f"The end {filters.until} is before the start {filters.since}",
                             field="since", do="Use the earlier time as since")
    bound: dict[str, object] = {
        "f_types": list(filters.types), "f_who": filters.who.strip(),
        "f_small": filters.who.strip().lower(), "f_project": project,
        "f_ends": like("/" + project)[:-1], "f_importance": filters.importance_min,
        "f_scope": filters.scope,
        "f_since": since, "f_until": until,
    }
    bound |= {f"f_phrase{n}": like(phrase) for n, phrase in enumerate(filters.phrases)}
    for number, tag in enumerate(filters.tags):
        bound |= tag_patterns(f"f_tag{number}", tag)
    return bound


def _moment(text: str, field: str, *, whole_day: bool = False) -> str:
    """A date as both time formats of the file compare with it: `2026-03-14 21:40:46`."""
    moment = parse_time(text)
    if moment is None:
        raise OperationError(400, f"This is not a date: {text}", field=field,
                             do="Write it as 2026-03-14 or 2026-03-14T21:40")
    if whole_day and len(text.strip()) == 10:
        moment = day_after(moment)
    return moment.replace(tzinfo=None).isoformat(" ", "seconds")


def memory_count(reader: Reader) -> int:
    """How many memories there are, whoever may see them; counted once after each change."""
    def count() -> int:
        with reader.uninterrupted():  # It is short, and no question can do without.
            return int(reader.value("SELECT COUNT(*) FROM memories") or 0)

    return reader.once("memory count", count)
