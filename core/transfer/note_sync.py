"""Brings the graph in step with what notes newly say and no longer say, in one transaction."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct, field

from core.ingest.config import IngestSettings
from core.model.vocabulary import IMPORTED
from core.model.watched_folder import NoteChange, WrittenRow
from core.progress import Report, ignore
from core.queries.rows_to_model import text
from core.store.database import Row
from core.store.reader_and_writer import Writer
from core.transfer import import_queries
from core.transfer.aspects_over_limit import newest_value
from core.transfer.entities_of_renamed_notes import settle_old_names, take_along
from core.transfer.import_context import new_ids
from core.transfer.import_observations import memory_hashes
from core.transfer.import_queries import entities_called
from core.transfer.import_report import ImportReport
from core.transfer.mcp_import import import_mcp
from core.transfer.mcp_records import McpFile
from core.transfer.note_statements_to_compare import (
    DESCRIPTION,
    ENTITY,
    FACT,
    LINK,
    TAGS,
    entity_of,
    kind_of,
    link_of,
    only,
    statement,
    tagged,
    text_statement,
)
from core.transfer.rows_of_notes import newest_rows
from core.transfer.withdrawn_statements import archive_gone, bring_back

_VALUES = """
SELECT v.id, v.content, s.entity_id FROM json_each(:ids) f
CROSS JOIN entity_aspects s ON s.entity_id = f.value
CROSS JOIN entity_attributes v ON v.aspect_id = s.id LEFT JOIN memories m ON m.id = v.memory_id
WHERE +v.agent_id = :agent AND v.status = 'active' AND (v.rowid > :newest OR (
  v.source_kind = :kind AND COALESCE(v.source_path, m.source_path)
  IN (SELECT value FROM json_each(:paths))))"""
"""What was written just now, and what an earlier import took from these notes."""
_LINKS = """
SELECT d.id, d.source_entity_id AS source, d.target_entity_id AS target FROM json_each(:ids) f
CROSS JOIN entity_dependencies d ON d.source_entity_id = f.value
WHERE +d.agent_id = :agent AND d.status = 'active' AND d.source_kind = :kind
  AND d.source_path IN (SELECT value FROM json_each(:paths)) ORDER BY d.rowid"""


class Synced(Struct):
    """What a step did: how much is new and was archived, what was written for statements."""

    new: int = 0
    archived: int = 0
    rows: dict[str, WrittenRow] = field(default_factory=dict)
    problems: tuple[str, ...] = ()
    mark: tuple[str, str] | None = None
    """A row that it wrote, by its table and id."""


def sync_notes(
    writer: Writer, change: NoteChange, files: Sequence[McpFile], report: Report = ignore,
    settings: IngestSettings | None = None,
) -> Synced:
    """Archive what is gone, bring back what was archived so, import what is new.

    Args:
        files: what those notes of the change hold that there are.
    """
    before = newest_rows(writer)
    settle_old_names(writer, change)
    change, kept = take_along(writer, change)
    archived = archive_gone(writer, change)
    back = bring_back(writer, change)
    fresh = change.fresh - {said for said in back if kind_of(said) != ENTITY}
    newest = newest_value(writer)
    ids = new_ids(writer)
    _take_off_tags(writer, change, files)
    reports = [import_mcp(writer, file, settings=settings, ids=ids)
               for file in _portions(files, fresh, report)]
    _describe_anew(writer, change, files)
    written = _written(writer, fresh, newest, [*(file.path for file in files), change.folder])
    new = sum(each.entities_new + each.values_new + each.links_new for each in reports)
    return Synced(new + len(back), len(archived), {**kept, **archived, **back, **written},
                  tuple(_problems(reports)),
                  next((row for row in newest_rows(writer).items()
                        if row not in before.items()), None))


def _portions(
    files: Sequence[McpFile], fresh: Collection[str], report: Report
) -> Iterator[McpFile]:
    """The notes one by one: first all that they say of themselves, then their links, so that an
    end of a link is described already."""
    about = {entity_of(each) for each in fresh}
    parts = [only(file, fresh, about) for file in files]
    ordered = [*(own for own, _ in parts), *(links for _, links in parts)]
    for number, file in enumerate(ordered):
        if file.entities or file.relations:
            yield file
        report(number / len(ordered))


def _describe_anew(writer: Writer, change: NoteChange, files: Sequence[McpFile]) -> None:
    """Take over a changed description where the graph still has the one of before."""
    wanted = {entity.key: entity.description for file in files for entity in file.entities
              if entity.description and
              text_statement(DESCRIPTION, entity.key, entity.description) in change.fresh}
    for key, row in entities_called(writer, wanted).items() if change.gone and wanted else ():
        was = text_statement(DESCRIPTION, key, text(row["description"]))
        if row["status"] == "active" and was in change.gone:
            writer.update("entities", row["id"], description=wanted[key],
                          updated_at=writer.now())


def _take_off_tags(writer: Writer, change: NoteChange, files: Sequence[McpFile]) -> None:
    """Leave memories the tags that their facts have now, where the graph still has those of before.
    """
    if not any(kind_of(said) == TAGS for said in change.gone):
        return
    facts = {digest: (entity.key, fact) for file in files for entity in file.entities
             for fact in entity.observations for digest in memory_hashes(fact.key)}
    own = writer.has_column("memories", "agent_id")
    for row in writer.rows(import_queries.TAGS, hashes=sorted(facts), kind=IMPORTED, own=own):
        entity, fact = facts[row["content_hash"]]
        if tagged(entity, fact.key, text(row["tags"])) in change.gone:
            writer.update("memories", row["id"], tags=fact.tags or None, updated_at=writer.now())


def _written(
    writer: Writer, fresh: Collection[str], newest: int, paths: Sequence[str]
) -> dict[str, WrittenRow]:
    """The rows that stand for what the notes newly say, where imports of them wrote these."""
    links = {said: link_of(said) for said in fresh if kind_of(said) == LINK}
    keys = {entity_of(said) for said in fresh} | {target for _, target, _ in links.values()}
    called = entities_called(writer, keys)
    rows = {statement(ENTITY, key): WrittenRow(row["id"]) for key, row in called.items()}
    names = {row["id"]: key for key, row in called.items()}
    for value in writer.rows(_VALUES, ids=sorted(names), newest=newest, kind=IMPORTED,
                             paths=list(paths)):
        said = text_statement(FACT, names[value["entity_id"]], text(value["content"]))
        if said in fresh:
            rows[said] = WrittenRow(value["id"])
    return rows | _written_links(writer, links, called, paths)


def _written_links(
    writer: Writer, links: Mapping[str, tuple[str, str, str]], called: Mapping[str, Row],
    paths: Sequence[str],
) -> dict[str, WrittenRow]:
    sources = sorted({called[source]["id"] for source, *_ in links.values() if source in called})
    ids = {(row["source"], row["target"]): row["id"] for row in writer.rows(
        _LINKS, ids=sources, kind=IMPORTED, paths=list(paths))}
    ends = {said: (called[source]["id"], called[target]["id"])
            for said, (source, target, _) in links.items() if source in called and target in called}
    return {said: WrittenRow(ids[pair]) for said, pair in ends.items() if pair in ids}


def _problems(reports: Iterable[ImportReport]) -> Iterator[str]:
    """What could not be taken over, each in a line."""
    for report in reports:
        yield from (f"{report.places.where(problem.line)}: {problem.what}"
                    for problem in report.problems)
