"""Says of a step that it has been done: its label is a command, as the Undo menu needs it."""

PAST = {
    "Add": "Added", "Apply": "Applied", "Archive": "Archived", "Change": "Changed",
    "Create": "Created", "Import": "Imported", "Link": "Linked", "Merge": "Merged",
    "Mute": "Muted", "Open": "Opened", "Pin": "Pinned", "Place": "Placed", "Reject": "Rejected",
    "Rename": "Renamed", "Replace": "Replaced", "Restore": "Restored", "Retire": "Retired",
    "Set": "Set", "Unmute": "Unmuted", "Unpin": "Unpinned", "Update": "Updated",
    "Weigh": "Weighed",
}


def deed(label: str) -> str:
    """`Pin settlement job` -> `Pinned settlement job`; other words stay as they are."""
    end = next((at for at, sign in enumerate(label) if not sign.isalpha()), len(label))
    return PAST.get(label[:end], label[:end]) + label[end:]
