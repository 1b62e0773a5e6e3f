"""Reads the database of NexusAI: entities, relationships, episodes and projects."""

from collections import defaultdict
from collections.abc import Iterator

from core.progress import Report
from core.transfer.readers.foreign_tables import Row, count, rows
from core.transfer.readers.graph_records import GraphRecords
from core.transfer.readers.reader_interface import ImportFormat, Look, Notes, Placed

_SAYS = ("title", "user_message", "ai_response", "role", "content", "text", "summary")
"""Columns of an episode that are its text, in the order read."""
_MENTIONED = "mentioned in"


def _knows(look: Look) -> bool:
    return (look.tables.get("relationships", frozenset()) >= {"from_id", "to_id", "label"}
            and "name" in look.tables.get("entities", ()))


def _read(look: Look, notes: Notes, report: Report) -> Iterator[Placed]:
    graph, path = GraphRecords(notes), look.path
    for line, row in _numbered(look, notes, "entities"):
        yield graph.node(line, str(row.pop("id", line)), row)
    report(0.3)
    for line, row in _numbered(look, notes, "relationships"):
        row.pop("id", None)
        yield from graph.edge(line, str(row.pop("from_id", "")), str(row.pop("to_id", "")), row)
    yield from graph.rest()
    report(0.5)
    owners = _owners(look)
    projects: dict[object, str] = {}
    for line, row in _numbered(look, notes, "projects"):
        name = str(row.get("name") or f"Project {row.get('id', line)}")
        projects[row.pop("id", line)] = name
        yield line, {**row, "type": "entity", "name": name, "entityType": "project"}
    sessions = {row.get("id"): projects.get(row.get("project_id")) for row in rows(path, "sessions")
                } if "project_id" in look.tables.get("sessions", ()) else {}
    yield from _episodes(look, notes, graph, owners, sessions, projects)
    report(1.0)


def _numbered(look: Look, notes: Notes, table: str) -> Iterator[tuple[int, Row]]:
    """The rows of a table, if there is one, each with its number."""
    if table in look.tables:
        start = notes.begin(table, count(look.path, table))
        yield from enumerate(rows(look.path, table), start + 1)


def _owners(look: Look) -> dict[object, list[str]]:
    """Which entities an episode is about, by its id."""
    owners: defaultdict[object, list[str]] = defaultdict(list)
    if "entity_episodes" in look.tables:
        for row in rows(look.path, "entity_episodes", "entity_id"):
            owners[row.get("episode_id")].append(str(row.get("entity_id")))
    return owners


def _episodes(
    look: Look, notes: Notes, graph: GraphRecords, owners: dict[object, list[str]],
    sessions: dict[object, str | None], projects: dict[object, str],
) -> Iterator[Placed]:
    """Each episode as a fact of the entities that it is about, and their projects."""
    for line, row in _numbered(look, notes, "episodes"):
        text = "\n".join(str(row[key]) for key in _SAYS if str(row.get(key, "")).strip())
        ids = [id for id in owners.get(row.get("id"), ()) if id in graph.names]
        if not text or not ids:
            notes.complain(line, "is about no entity: left out" if text else "has no text")
            continue
        project = projects.get(row.get("project_id")) or sessions.get(row.get("session_id"))
        for id in ids:
            name = graph.names[id]
            yield line, {"type": "entity", "name": name, "observations": [
                {"text": text, "aspect": "episodes", "created_at": row.get("created_at")}]}
            if project:
                yield line, {"type": "relation", "from": name, "to": project,
                             "relationType": _MENTIONED}


NEXUSAI = ImportFormat("nexusai", "NexusAI database", _knows, _read, "row")

