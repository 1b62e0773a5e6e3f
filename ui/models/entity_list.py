"""The entities as a Qt list of known length that is read page by page."""

from collections import OrderedDict
from collections.abc import Callable
from functools import partial

from msgspec import Struct
from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)

from core.errors import OperationError
from core.model.entity import EntityRow
from core.model.text_formatting import counted, one_line
from core.queries.entities import (
    count_entities,
    first_by_name,
    list_entities,
    matching_ids,
    understood,
)
from core.queries.search_syntax import SearchText, corrections
from core.queries.stats import type_counts
from core.store.reader_and_writer import Reader
from ui.error_words import words_of
from ui.runner import Runner

PAGE = 200
KEPT_PAGES = 60
AHEAD = 60
"""Rows beyond the visible ones whose page is read before it is needed."""

EntityRole = Qt.ItemDataRole.UserRole
Index = QModelIndex | QPersistentModelIndex


class Filter(Struct, frozen=True):
    """Which entities are listed."""

    text: str = ""
    types: tuple[str, ...] = ()
    archived: bool = False

    @property
    def status(self) -> str:
        return "all" if self.archived else "active"

    @property
    def narrow(self) -> bool:
        """True if it may leave entities out that the person could expect."""
        return bool(self.text.strip() or self.types)


class Listing(Struct, frozen=True):
    """What one read found: how many there are, and some pages of them.

    Attributes:
        found: the ids of all that a search finds, of any type and archived or not; None while
            nothing is searched.
        notes: what was looked for in place of mistyped words.
        refused: why the search can't be read, and what to write; empty if it can.
    """

    filter: Filter
    count: int
    types: dict[str, int]
    archived: int
    pages: dict[int, tuple[EntityRow, ...]]
    found: list[str] | None = None
    sought: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    refused: str = ""


class FirstHits(Struct, frozen=True):
    """The first rows of what a search finds, by their names; none where those tell nothing."""

    filter: Filter
    rows: tuple[EntityRow, ...] = ()
    sought: tuple[str, ...] = ()


def read_first_hits(wanted: Filter, reader: Reader) -> FirstHits:
    """What can be shown before all that is found has been looked for."""
    try:
        search = understood(reader, wanted.text)
    except OperationError:
        return FirstHits(wanted)
    return FirstHits(wanted, tuple(first_by_name(
        reader, text=search, types=wanted.types, status=wanted.status, limit=PAGE)),
        search.sought)


def read_listing(
    wanted: Filter, pages: tuple[int, ...], is_wanted: Callable[[], bool], reader: Reader
) -> Listing:
    """Count what a filter finds and read some pages of it, all at one moment.

    Args:
        is_wanted: whether anybody still waits for it; asked while common words are looked for.
    """
    types, archived = type_counts(reader), type_counts(reader, status="archived")
    try:
        search = understood(reader, wanted.text)
    except OperationError as error:
        return Listing(wanted, 0, types, sum(archived.values()), {}, refused=words_of(error))
    found = None
    if wanted.text.strip():
        with reader.while_wanted(is_wanted):
            found = matching_ids(reader, text=search, status="all")
    if found is None or wanted.types or (archived and not wanted.archived):
        count = count_entities(reader, text=search, types=wanted.types, status=wanted.status)
    else:
        count = len(found)
    last = max(0, count - 1) // PAGE
    within = sorted({min(page, last) for page in pages})
    return Listing(wanted, count, types, sum(archived.values()),
                   read_pages(wanted, search, tuple(within), reader),
                   found, search.sought, tuple(corrections(search)))


def read_pages(
    wanted: Filter, search: str | SearchText, pages: tuple[int, ...], reader: Reader
) -> dict[int, tuple[EntityRow, ...]]:
    """Some pages of what a filter finds, by number; `search` is its text."""
    return {
        page: tuple(list_entities(
            reader, text=search, types=wanted.types, status=wanted.status,
            limit=PAGE, offset=page * PAGE))
        for page in pages
    }


class EntityList(QAbstractListModel):
    """Rows that are not loaded yet exist without data; `look` requests them.

    One read runs at a time, and the next one loads what is visible then, so that neither fast
    scrolling nor a busy writer piles up reads.
    """

    began = Signal(tuple)
    """The first rows of a search are there, the rest is still looked for; with what is sought."""
    found = Signal(object)
    """A `Listing` has arrived: everything may stand elsewhere."""
    filled = Signal()
    """Pages have arrived for rows that were empty."""
    failed = Signal(object)

    def __init__(self, runner: Runner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self.filter = Filter()
        self.listed: Filter | None = None
        """What is listed now; `filter` may still be being read."""
        self._count = 0
        self._pages: OrderedDict[int, tuple[EntityRow, ...]] = OrderedDict()
        self._fresh: set[int] = set()
        self._rows_by_id: dict[str, int] = {}
        self._seen = (0, 0)
        self._counting = self._again = self._paging = False

    def show_filter(self, wanted: Filter) -> None:
        """List something else, from the top; the old rows stay until it is loaded."""
        self.filter = wanted
        self._again = False
        self._read((0,))

    def refresh(self) -> None:
        """Reload what is visible; the rest is reloaded when scrolled to."""
        if self._counting:
            self._again = True
        else:
            self._read(self._pages_of(*self._seen))

    def look(self, first: int, last: int) -> None:
        """The visible rows: their pages are read, and those just beyond."""
        self._seen = (max(0, first), max(0, last))
        for page in self._pages_of(*self._seen):
            if page in self._pages:
                self._pages.move_to_end(page)
        self._read_missing()

    def row_at(self, index: int) -> EntityRow | None:
        """The entity in a row; None if it is not read yet."""
        rows = self._pages.get(index // PAGE, ())
        at = index % PAGE
        return rows[at] if 0 <= index < self._count and at < len(rows) else None

    def row_of(self, entity_id: str) -> int:
        """An entity's row among those loaded; -1 if it is not one."""
        return self._rows_by_id.get(entity_id, -1)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: N802, B008
        return 0 if parent.isValid() else self._count

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = self.row_at(index.row()) if index.isValid() else None
        if row is None:
            return None
        if role == EntityRole:
            return row
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return spoken_row(row)
        return None

    # -- reading ---------------------------------------------------------------------------------

    def _read(self, pages: tuple[int, ...]) -> None:
        self._counting = True
        if self.filter.text.strip() and self.filter != self.listed:
            self._runner.read(partial(read_first_hits, self.filter), self._got_first,
                              self._no_first, key=(id(self), "first"))
        self._runner.read(partial(self._listing, self.filter, pages), self._arrived,
                          self._failed, key=(id(self), "listing"))

    def _listing(self, wanted: Filter, pages: tuple[int, ...], reader: Reader) -> Listing:
        return read_listing(wanted, pages, lambda: self.filter == wanted, reader)

    def _got_first(self, hits: FirstHits) -> None:
        if hits.rows and hits.filter == self.filter and self._counting:
            self._set_count(len(hits.rows))
            self._pages.clear()
            self._fresh.clear()
            self._keep({0: hits.rows})
            self.listed = hits.filter
            self.began.emit(hits.sought)

    def _no_first(self, _error: BaseException) -> None:
        """The listing, which is read at the same time, says why."""

    def _arrived(self, listing: Listing) -> None:
        self.listed = listing.filter
        # What is scrolled while rows come and go is read when they are there.
        self._set_count(listing.count)
        self._pages = OrderedDict(
            (page, rows) for page, rows in self._pages.items() if page * PAGE < listing.count)
        self._fresh.clear()
        self._keep(listing.pages)
        self._counting = False
        if self._again:
            self._again = False
            self.refresh()
        self.found.emit(listing)
        self._read_missing()

    def _set_count(self, count: int) -> None:
        nowhere = QModelIndex()
        if count > self._count:
            self.beginInsertRows(nowhere, self._count, count - 1)
            self._count = count
            self.endInsertRows()
        elif count < self._count:
            self.beginRemoveRows(nowhere, count, self._count - 1)
            self._count = count
            self.endRemoveRows()

    def _read_missing(self) -> None:
        first, last = self._seen
        missing = tuple(page for page in self._pages_of(first - AHEAD, last + AHEAD)
                        if page not in self._fresh)
        if missing and self._count and not self._paging and not self._counting:
            self._paging = True
            wanted = self.filter
            self._runner.read(
                lambda reader: (wanted, read_pages(wanted, wanted.text, missing, reader)),
                self._got_pages, self._failed)

    def _got_pages(self, answer: tuple[Filter, dict[int, tuple[EntityRow, ...]]]) -> None:
        self._paging = False
        wanted, pages = answer
        if wanted == self.filter and not self._counting:
            self._keep(pages)
            self.filled.emit()
        self._read_missing()

    def _failed(self, error: BaseException) -> None:
        self._counting = self._paging = self._again = False
        self.failed.emit(error)

    def _keep(self, pages: dict[int, tuple[EntityRow, ...]]) -> None:
        for page, rows in pages.items():
            self._pages[page] = rows
            self._pages.move_to_end(page)
            self._fresh.add(page)
        while len(self._pages) > KEPT_PAGES:
            gone, _ = self._pages.popitem(last=False)
            self._fresh.discard(gone)
        self._rows_by_id = {
            row.id: page * PAGE + at
            for page, rows in self._pages.items() for at, row in enumerate(rows)
        }
        if self._count:
            self.dataChanged.emit(self.index(0), self.index(self._count - 1))

    def _pages_of(self, first: int, last: int) -> tuple[int, ...]:
        end = min(last, self._count - 1)
        return tuple(range(max(0, first) // PAGE, max(0, end) // PAGE + 1))


def spoken_row(row: EntityRow) -> str:
    """A row for a screen reader: `Harbor Ledger, project, 41 mentions, pinned`."""
    parts = [one_line(row.name), one_line(row.entity_type, 40),
             counted(row.mentions, "mention")]
    parts += [word for word, is_so in (
        ("pinned", row.pinned), ("muted", row.muted), ("held back", row.held),
        ("archived", row.status == "archived")) if is_so]
    return ", ".join(parts) + (f": {one_line(row.fact)}" if row.fact else "")
