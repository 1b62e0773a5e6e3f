"""What the parts of one import share: whose it is and from where, and what it has to say."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from core.model.ingest_results import MergedName
from core.model.times import parse_time
from core.model.vocabulary import IMPORTED
from core.progress import Report
from core.store.disk_backed_collections import (
    LongDict,
    LongList,
    TemporaryDatabase,
    some_of,
)
from core.store.reader_and_writer import Writer, new_id, stamp
from core.store.time_ordered_ids import ordered_ids
from core.transfer import import_queries
from core.transfer.import_report import ArchivedEntity
from core.transfer.mcp_records import McpFile
from core.transfer.record_notes import problem_list

KIND = IMPORTED
"""The `source_kind` of every row that an import writes."""
PORTION = 4_000
"""Entities or relations that are looked up and written together."""

Row = dict[str, object]
T = TypeVar("T")


def new_ids(writer: Writer) -> Iterator[str]:
    """New ids for what imports write; in Signet's own files of its own kind.

    Imports that are one step share them: two that begin in the same moment may draw the same.
    """
    return ordered_ids() if writer.kind == "native" else iter(new_id, "")


def portions(
    items: Iterable[T], report: Report, count: int,
    kept: Callable[[T], Iterable[str]] = lambda item: (),
) -> Iterator[list[T]]:
    """Some of so many items at a time; the report hears the share that is done.

    Args:
        kept: the fields that are kept of an item, of which few may be long.
    """
    done = 0
    for some in some_of(items, PORTION, kept):
        yield some
        done += len(some)
        report(min(done / count, 1))


class ImportContext:
    """One import: its writer, where its rows are from, and what it has to say.

    Attributes:
        anew: an agent says it now: what was archived or deleted before is stored again.
        who: who its memories are from.
        most: how many values an aspect may hold.
        count: how many entities and links are new, unchanged, skipped.
        met: the keys of names that are counted already.
        ids: new ones for its rows.
    """

    def __init__(self, writer: Writer, file: McpFile, *, anew: bool, most: int,
                 ids: Iterator[str]) -> None:
        self.writer, self.path, self.anew, self.most = writer, file.path, anew, most
        self.who = writer.actor if anew else KIND
        self.ids = ids
        self.count: Counter[str] = Counter()
        database = self.database = TemporaryDatabase()
        self.problems, self.remarks = problem_list(database), problem_list(database)
        self.problems.extend(file.problems)
        self.remarks.extend(file.remarks)
        self.merged = LongList(database, MergedName, lambda each: each.line)
        self.merged.extend(file.merged)
        self.archived = LongList(database, ArchivedEntity)
        self.met = LongDict(database, int)
        self.fields: dict[tuple[str, str], None] = {}
        """Fields to keep as source data: the id of the row that they are of, and the JSON."""

    def source(self) -> Row:
        """The columns that say where all rows are from."""
        # Without a file the agent that said it is where it comes from.
        path = self.path or (self.who if self.anew else "")
        return {"source_kind": KIND, "source_path": path}

    def time(self, when: str | None) -> str:
        """A time of the file as the graph writes it; the present where it gives none."""
        moment = parse_time(when) if when else None
        return stamp(moment) if moment else self.writer.now()

    def keep(self, owner: str, fields: Iterable[str]) -> None:
        """Keep fields, as JSON, that a row has no place for."""
        self.fields |= dict.fromkeys((owner, each) for each in fields)

    def write_fields(self) -> None:
        """Write the fields to keep, but those that are kept already."""
        ids = sorted({owner for owner, _ in self.fields})
        known = {(row["owner_id"], row["fields"])
                 for row in self.writer.rows(import_queries.FIELDS, ids=ids)} if ids else ()
        self.insert_fields(key for key in self.fields if key not in known)
        self.fields = {}

    def insert_fields(self, fields: Iterable[tuple[str, str]]) -> None:
        """Write fields of rows that are new."""
        self.writer.insert_many("source_fields", (
            {"id": new_id(), "agent_id": self.writer.agent, "owner_id": owner, "fields": each,
             "source_path": self.path, "created_at": self.writer.now()}
            for owner, each in fields))
