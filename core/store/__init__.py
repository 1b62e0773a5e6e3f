"""The only code that uses SQLite: opening files, reading, writing, undo and the sidecar."""
