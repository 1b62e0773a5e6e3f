"""Takes what a person has into the graph: says what a file or folder is, and imports it."""

from itertools import islice
from pathlib import Path

from core.errors import OpenError
from core.ingest.config import IngestSettings
from core.progress import Report, ignore
from core.store.reader_and_writer import Writer
from core.transfer.bundle_import import Bundle, import_bundle, is_bundle, read_bundle
from core.transfer.facts_of_earlier_import import EarlierFacts
from core.transfer.import_report import ImportReport, nothing_to_import
from core.transfer.mcp_import import import_mcp
from core.transfer.mcp_records import McpFile
from core.transfer.read_mcp_file import read_mcp
from core.transfer.readers.graph_copy import copied_graph
from core.transfer.readers.graph_xml import GEXF, GRAPHML
from core.transfer.readers.graphiti import GRAPHITI
from core.transfer.readers.graphrag import GRAPHRAG
from core.transfer.readers.markdown_notes import NOTES
from core.transfer.readers.mem0 import MEM0
from core.transfer.readers.memory_service import MEMORY_SERVICE
from core.transfer.readers.nexusai import NEXUSAI
from core.transfer.readers.node_link import NODE_LINK
from core.transfer.readers.reader_interface import ImportFormat, Look
from core.transfer.readers.tables import TABLES

IMPORT_FORMATS: tuple[ImportFormat, ...] = (
    NEXUSAI, MEMORY_SERVICE, MEM0, GRAPHITI, NODE_LINK, GRAPHML, GEXF, GRAPHRAG, TABLES, NOTES,
)
"""Every format but graphs, bundles and MCP memory files, in the order in which they are tried."""
Importable = McpFile | Bundle
_OWN_FIELDS = tuple(
    frozenset(f"{part}{key}" for key in keys)
    for keys in (("name", "observations"), ("name", "entityType"), ("from", "to", "relationType"))
    for part in ("", "entities.", "graph.entities.", "relations."))
"""Fields that only the records of a memory file have."""
_ONE_BY_ONE = (".jsonl", ".json", ".db", ".sqlite", ".graphml", ".gexf")
_NAMED = 3


def format_of(look: Look) -> ImportFormat | None:
    """The format of another program that a file or folder is in, if it is in one.

    A memory file is none, whatever else its records say.
    """
    if any(own <= look.keys for own in _OWN_FIELDS):
        return None
    return next((each for each in IMPORT_FORMATS if each.knows(look)), None)


def read_import(path: Path, report: Report = ignore) -> Importable:
    """What a file or folder holds, by what it looks like.

    Raises:
        OpenError: if it can't be read or holds nothing to import.
    """
    try:
        look = Look.at(path)
        if is_bundle(look.beginning):
            return read_bundle(path, report)
        if look.is_graph:
            return copied_graph(path, report)
        other = format_of(look)
        if other is None and look.is_database:
            raise OpenError("foreign", "This database holds nothing that can be imported",
                            where=str(path), do="Import a graph, a Signet database, or a database "
                            "of NexusAI, mcp-memory-service or mem0; nothing was changed")
        if other is None and look.is_folder:
            raise _no_notes(look)
        file = other.read(look, report) if other else read_mcp(
            path, report, path=str(path.absolute()))
    except OSError as error:
        raise OpenError("unreadable", "The file can't be read", where=str(path),
                        do="Check its permissions", detail=str(error)) from error
    return with_content(file, str(path))


def _no_notes(look: Look) -> OpenError:
    single = [file.name for file in islice(look.files(_ONE_BY_ONE), _NAMED + 1)]
    names = ", ".join(["…" if at == _NAMED else name for at, name in enumerate(single)])
    do = (f"Import its files one by one: {names}" if single else
          "Choose a folder of notes in Markdown or of tables, or a file; nothing was changed")
    return OpenError("folder", "This is a folder without notes or tables", where=str(look.path),
                     do=do)


def with_content(file: McpFile, where: str) -> McpFile:
    """The file; raises OpenError, with what it looks like, where it has nothing to import."""
    if not file.entities and not file.relations:
        raise nothing_to_import(where, file)
    return file


def write_import(
    writer: Writer, content: Importable, report: Report = ignore, *,
    settings: IngestSettings | None = None, archive_gone: bool = False,
) -> ImportReport:
    """Write what was read, in the transaction that is open.

    Args:
        archive_gone: archive what an earlier import from there brought and it no longer has.
    """
    if isinstance(content, Bundle):
        return import_bundle(writer, content, report)
    earlier = EarlierFacts(writer, content.path) if content.path else None
    return import_mcp(writer, content, report, settings=settings, earlier=earlier,
                      archive_gone=archive_gone)
