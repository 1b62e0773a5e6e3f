"""A graph in which an agent has written what the person has not seen yet."""

from pathlib import Path

from core.review import inbox_acts
from core.store.reader_and_writer import Writer
from core.workspace import Workspace
from tests.core.graphs import Graph
from tests.ui.browse_scene import write_scene

BOT = "claude via MCP"
COUNT = 24


def fill(writer: Writer) -> None:
    made = Graph(writer, "2099-01-01T10:00:00.000Z")
    for number in range(COUNT):
        made.memory(f"Note {number:02d}", "ines" if number % 2 else "nas", id=f"m{number:02d}",
                    updated_by=BOT)
    made.value("schedule", "at 04:00", "late_start", id="late", memory_id="m00")


def write_inbox(path: Path) -> Path:
    """The scene of browsing, all of it seen, then what the agent wrote."""
    write_scene(path)
    workspace = Workspace.open(path)
    workspace.write("look", inbox_acts.keep_all)
    workspace.write("remember", fill, actor=BOT)
    workspace.close()
    return path
