"""The formats that a graph can be written in, what each can't hold, and the writing itself."""

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

from core.errors import OpenError
from core.model.secret_wording import FoundSecret
from core.model.text_formatting import counted
from core.model.vocabulary import NAMED_ONLY
from core.queries.descriptions import SAID_BY_VALUE
from core.queries.stats import COUNT_MEMORIES
from core.store.reader_and_writer import Reader
from core.transfer import graph_xml, markdown_pages
from core.transfer.bundle import write_bundle
from core.transfer.exported_graph import ExportedGraph, exported_graph
from core.transfer.mcp_export import mcp_records
from core.transfer.secrets import secrets_of
from core.transfer.write_csv_tables import write_tables

_RULE = "constraint (written as a plain fact)"
_TAGGED = "tagged fact (written without its tags)"
_SAID_BY_NO_VALUE = """
 AND (m.id, trim(m.content)) NOT IN (
  SELECT v.memory_id, trim(v.content) FROM entity_attributes v
  WHERE v.agent_id = :agent AND v.status = 'active' AND v.memory_id IS NOT NULL
    AND v.content IS NOT NULL)"""
"""Of memories: a fact that is written has the same words."""
_PARTS = {
    "past version": "SELECT COUNT(*) FROM entity_attributes v WHERE v.agent_id = :agent"
                    " AND v.status = 'superseded'",
    "pending proposal": "SELECT COUNT(*) FROM ontology_proposals p WHERE p.agent_id = :agent"
                        " AND p.status = 'pending'",
    "memory": f"{COUNT_MEMORIES}{_SAID_BY_NO_VALUE}",
    _RULE:
        "SELECT COUNT(*) FROM entity_attributes v WHERE v.agent_id = :agent"
        " AND v.kind = 'constraint' AND v.status = 'active'",
    _TAGGED:
        "SELECT COUNT(*) FROM entity_attributes v CROSS JOIN memories m ON m.id = v.memory_id"
        " WHERE v.agent_id = :agent AND v.status = 'active' AND m.agent_id = :agent"
        " AND m.is_deleted = 0 AND COALESCE(m.source_type, '') <> 'claim'"
        " AND trim(m.tags, '[] ') <> ''",
    "archived entity": "SELECT COUNT(*) FROM entities e WHERE e.agent_id = :agent"
                       " AND e.status <> 'active'",
    "description": "SELECT COUNT(*) FROM entities e WHERE e.agent_id = :agent"
                   " AND e.status = 'active' AND e.description NOT IN ('', :named_only)"
                   f" AND NOT {SAID_BY_VALUE}",
    "alias": "SELECT COUNT(*) FROM entity_aliases a WHERE a.agent_id = :agent"
             " AND a.status = 'active'",
    "pin": "SELECT COUNT(*) FROM entities e WHERE e.agent_id = :agent AND e.pinned = 1",
    "muted entity": "SELECT COUNT(*) FROM entities e WHERE e.agent_id = :agent"
                    " AND e.status = 'active' AND e.muted = 1",
}
"""What a graph has beside entities, facts and links, and how many of it there are."""
_MANY = {_TAGGED: "tagged facts (written without their tags)",
         _RULE: "constraints (written as plain facts)",
         "past version": "past versions", "pending proposal": "pending proposals",
         "archived entity": "archived entities", "muted entity": "muted entities",
         "alias": "aliases"}


class Choice(Struct, frozen=True):
    """What to export.

    Attributes:
        ids: the entities, with the links among them; None for all of the agent's.
        agent: the agent whose rows a bundle has; None for those of every agent.
    """

    ids: Collection[str] | None = None
    agent: str | None = None


Write = Callable[[Reader, Path, Choice], None]
EVERYTHING = Choice()


class ExportFormat(Struct, frozen=True):
    """A format: what it is called, what it is for, and the function that writes it.

    Attributes:
        ending: what its files end with; empty for one that is a folder.
        holds: which parts of `_PARTS` it holds; the others are told as left out.
        of_a_choice: True if chosen entities can be written alone.
    """

    name: str
    title: str
    help: str
    ending: str
    write: Write
    holds: frozenset[str] = frozenset()
    of_a_choice: bool = True


class ExportReport(Struct, frozen=True):
    """What was written: where, how many of each thing the format has no place for, and what looks
    like a key or a password.
    """

    path: Path
    left_out: tuple[str, ...]
    secrets: tuple[FoundSecret, ...] = ()


def _graph(write: Callable[[ExportedGraph, Path], None]) -> Write:
    return lambda reader, path, choice: write(exported_graph(reader, choice.ids), path)


def _bundle(reader: Reader, path: Path, choice: Choice) -> None:
    write_bundle(reader, path, choice.agent)


def _mcp(reader: Reader, path: Path, choice: Choice) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as stream:
        for record in mcp_records(reader, choice.ids):
            stream.write(json.dumps(record, ensure_ascii=False) + "\n")


_MARKS = frozenset({"pin", "muted entity", "description"})
_TABLES = _MARKS | {"alias", _RULE}
_PAGES = _TABLES | {_TAGGED}
EXPORT_FORMATS = {each.name: each for each in (
    ExportFormat("mcp", "MCP memory file",
                 "JSON Lines of entities and relations, as MCP's memory server keeps them",
                 ".jsonl", _mcp),
    ExportFormat("bundle", "Bundle", "everything, row by row; import gives back the same graph",
                 ".bundle.jsonl", _bundle, frozenset(_PARTS), of_a_choice=False),
    ExportFormat("markdown", "Markdown pages", "a folder with a page for each entity",
                 "", _graph(markdown_pages.write_pages), _PAGES),
    ExportFormat("obsidian", "Obsidian notes",
                 "a folder of notes with front matter and links, for Obsidian and basic-memory",
                 "", _graph(markdown_pages.write_notes), _PAGES),
    ExportFormat("csv", "CSV tables", "a folder with tables of entities, facts and links",
                 "", _graph(write_tables), _TABLES),
    ExportFormat("graphml", "GraphML", "one file for yEd, Gephi, Cytoscape and networkx",
                 ".graphml", _graph(graph_xml.write_graphml), _MARKS),
    ExportFormat("gexf", "GEXF", "one file for Gephi", ".gexf", _graph(graph_xml.write_gexf),
                 _MARKS),
)}
"""Every format by its name, in the order in which they are offered."""


def export_graph(
    reader: Reader, format: ExportFormat, path: Path, choice: Choice = EVERYTHING,
) -> ExportReport:
    """Write the agent's graph, or a choice of it, to a path that must not exist.

    The whole is there or nothing is: it is written beside the path and then moved.

    Raises:
        OpenError: if the path is there already or can't be written, or the format writes no choice.
    """
    if choice.ids is not None and not format.of_a_choice:
        raise OpenError("unwritable", f"{format.title} has everything, not single entities",
                        where=str(path), do="Choose another format, or no entities")
    with _fresh(path, folder=not format.ending) as draft:
        format.write(reader, draft, choice)
    return ExportReport(path, tuple(left_out(reader, format)) if choice.ids is None else (),
                        exported_secrets(reader, format, choice))


def exported_secrets(
    reader: Reader, format: ExportFormat, choice: Choice
) -> tuple[FoundSecret, ...]:
    """What looks like a key or a password in what a format writes."""
    if format.of_a_choice:
        return secrets_of(reader, choice.ids, reader.agent)
    return secrets_of(reader, choice.ids, choice.agent, everything=True)


def left_out(reader: Reader, format: ExportFormat) -> Iterator[str]:
    """What the graph has and the format can't hold: `12 past versions`."""
    for part, statement in _PARTS.items():
        if part not in format.holds and (
                count := reader.value(statement, named_only=NAMED_ONLY)):
            yield counted(count, part, _MANY.get(part, ""))


@contextmanager
def _fresh(path: Path, *, folder: bool) -> Iterator[Path]:
    """A draft beside the path, moved there at the end; an existing path is never overwritten."""
    if os.path.lexists(path) and not (folder and path.is_dir() and not any(path.iterdir())):
        kind = "folder" if path.is_dir() else "file"
        raise OpenError("unwritable", f"This {kind} exists already",
                        where=str(path), do="Choose another name; nothing was changed")
    if not path.absolute().parent.is_dir():
        raise OpenError("unwritable", "Folder not found", where=str(path.parent),
                        do="Create it first, or choose another; nothing was written")
    try:
        place = Path(tempfile.mkdtemp(prefix=".export-", dir=path.absolute().parent))
    except OSError as error:
        raise _unwritable(path, error) from error
    try:
        draft = place / "draft"
        if folder:
            draft.mkdir()
        yield draft
        if path.is_dir():
            path.rmdir()  # An empty folder; Windows moves nothing onto it.
        os.rename(draft, path)
    except FileExistsError:
        raise OpenError("unwritable", "This file exists already", where=str(path),
                        do="Choose another name; nothing was changed") from None
    except OSError as error:
        raise _unwritable(path, error) from error
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _unwritable(path: Path, error: OSError) -> OpenError:
    return OpenError("unwritable", f"{path.name} can't be written", where=str(path),
                     do="Choose a new name in a folder that exists and has room",
                     detail=error.strerror or str(error))
