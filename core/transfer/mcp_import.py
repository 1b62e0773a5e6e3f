"""Imports an MCP memory file into the graph; importing it again changes nothing."""

from collections.abc import Iterator

from core.garbage_collection import resting_collector
from core.ingest.config import IngestSettings
from core.ontology.disputes import check
from core.progress import Report, ignore, part
from core.store.reader_and_writer import Writer
from core.transfer.aspects_over_limit import find_full, newest_value
from core.transfer.facts_of_earlier_import import EarlierFacts
from core.transfer.import_context import ImportContext, new_ids
from core.transfer.import_entities import EntityImport
from core.transfer.import_relations import RelationImport
from core.transfer.import_report import ImportReport
from core.transfer.mcp_records import McpFile
from core.transfer.read_mcp_file import read_mcp

__all__ = ["ImportReport", "import_mcp", "read_mcp"]

_ENTITIES = 0.9
"""The share of the whole when the entities and their observations are written."""


@resting_collector()
def import_mcp(
    writer: Writer, file: McpFile, report: Report = ignore, *, anew: bool = False,
    settings: IngestSettings | None = None, ids: Iterator[str] | None = None,
    earlier: EarlierFacts | None = None, archive_gone: bool = False,
) -> ImportReport:
    """Take a memory file into the agent's graph, in the transaction that is open.

    An entity is the same as one of the same canonical name, or one that came from this name
    before and was renamed. Each observation becomes a value under the aspect `observations` and
    a memory that it rests on. A relation keeps its word where that is a dependency type; any
    other becomes `related_to` with the words as its reason. What the person has archived or
    deleted stays so.

    All of it goes through a portion at a time, so that a long file does not fill the memory.

    Args:
        report: hears the finished share; raising Cancelled leaves nothing written.
        anew: an agent says it now: what was archived or deleted before is stored again.
        settings: the limits that the report tells of; the usual ones unless given.
        ids: new ones for its rows, where several imports are one step.
        earlier: what an earlier import from there said, to tell what is no longer in it.
        archive_gone: archive that; where lines were left out it is only told.
    """
    most = (settings or IngestSettings()).max_attributes_per_aspect
    before = newest_value(writer)
    context = ImportContext(writer, file, anew=anew, most=most, ids=ids or new_ids(writer))
    relations = RelationImport(context)
    entities = EntityImport(context, relations.names, earlier)
    entities.run(file.entities, part(report, 0, _ENTITIES))
    relations.run(file.relations, part(report, _ENTITIES, 1))
    gone = (earlier.settle(archive=archive_gone and not context.problems.in_order())
            if earlier is not None else None)
    report(1.0)
    count, values = context.count, entities.observations
    return ImportReport(
        count["entities_new"], count["entities_unchanged"], values.new, values.unchanged,
        count["links_new"], count["links_unchanged"], count["skipped"] + values.skipped,
        relations.dangling.in_order(), relations.kept_words,
        context.problems.in_order(), context.merged.in_order(),
        context.archived.in_order(),
        check(writer, values.rules), file.encoding, context.remarks.in_order(),
        find_full(writer, values.filled, before, most), places=file.places,
        secrets=file.secrets, no_longer=gone)
