"""The one door to SQLite: opening files, reading, writing, undo and what stays beside a file."""
