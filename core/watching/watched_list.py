"""Which folders an agent's graph is kept in step with."""

from datetime import UTC, datetime

from core.model.watched_folder import WatchedFolder
from core.store import watched_folders
from core.store.reader_and_writer import stamp
from core.workspace import Workspace


def watched(workspace: Workspace) -> list[WatchedFolder]:
    """The folders that are watched for the agent."""
    return watched_folders.folders(workspace.sidecar, workspace.agent)


def changes_today(folder: WatchedFolder) -> int:
    """How many steps were written for a folder today."""
    return folder.changes if folder.changed_at[:10] == stamp(datetime.now(UTC))[:10] else 0
