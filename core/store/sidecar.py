"""The sidecar of a graph: saved positions, cached pictures and small facts, beside the file."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from core.model.expectation import Expectation
from core.store.recreate_deleted_file import KeptFile

FAR = 1e9
"""Beyond this nothing is ever placed: it is a damaged number."""


class Sidecar(KeptFile):
    """Saved positions by node id and cached bytes by key, on a connection of its own.

    Bulk saves of a layout are not undo steps; a node that the person dragged is
    (`Writer.place`).
    """

    def __init__(self, path: Path) -> None:
        # An answer does not wait for the disk because its question is recorded.
        super().__init__(path, ["synchronous = NORMAL"])

    def get(self, key: str) -> bytes | None:
        """Cached bytes, or None."""
        with self.turn() as run:
            row = run.execute("SELECT value FROM blobs WHERE key = ?", (key,)).fetchone()
        return None if row is None else bytes(row[0])

    def put(self, key: str, value: bytes) -> None:
        """Store bytes under a key."""
        with self.turn() as run:
            run.execute("INSERT INTO blobs VALUES (?, ?) ON CONFLICT (key) "
                        "DO UPDATE SET value = excluded.value", (key, value))

    def drop(self, prefix: str) -> None:
        """Forget every cached value whose key starts with `prefix`."""
        with self.turn() as run:
            run.execute("DELETE FROM blobs WHERE substr(key, 1, ?) = ?", (len(prefix), prefix))

    def positions(self) -> dict[str, tuple[float, float, bool]]:
        """Every saved position as id -> (x, y, was placed manually); without damaged ones."""
        with self.turn() as run:
            rows = run.execute("SELECT id, x, y, fixed FROM places WHERE typeof(x) = 'real'"
                               " AND typeof(y) = 'real' AND abs(x) < :far AND abs(y) < :far",
                               {"far": FAR}).fetchall()
        return {r[0]: (r[1], r[2], bool(r[3])) for r in rows}

    @property
    def has_positions(self) -> bool:
        """True if anything has a saved position."""
        with self.turn() as run:
            return bool(run.execute("SELECT EXISTS (SELECT 1 FROM places)").fetchone()[0])

    def save_positions(self, ids: list[str], xy: Iterable[Sequence[float]]) -> None:
        """Save positions; a node that a person has placed keeps its position.

        Args:
            ids: node ids.
            xy: the sky coordinates of each.
        """
        rows = ((id, x, y) for id, (x, y) in zip(ids, xy, strict=True))
        with self.turn() as run:
            run.execute("BEGIN IMMEDIATE")
            try:
                run.executemany(
                    "INSERT INTO places (id, x, y) VALUES (?, ?, ?) ON CONFLICT (id) "
                    "DO UPDATE SET x = excluded.x, y = excluded.y WHERE fixed = 0", rows)
                run.execute("COMMIT")
            finally:
                if run.in_transaction:
                    run.execute("ROLLBACK")

    def forget_positions(self) -> None:
        """Delete every position, also manual ones (the next layout starts from scratch)."""
        with self.turn() as run:
            run.execute("DELETE FROM places")

    def add_expectations(self, agent: str, made: Iterable[Expectation]) -> None:
        """Add an agent's expectations that come with a new graph, which is no step to undo."""
        with self.turn() as run:
            run.executemany(
                "INSERT OR IGNORE INTO expectations VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                [(one.id, agent, one.question, int(one.must), one.kind, one.target_id,
                  one.made_at, one.made_by) for one in made])

    def meta(self) -> Mapping[str, str]:
        """Small facts kept about the file, such as the permission to write it."""
        with self.turn() as run:
            return dict(run.execute("SELECT key, value FROM meta").fetchall())

    def remember(self, key: str, value: str) -> None:
        """Store one small fact."""
        with self.turn() as run:
            run.execute("INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) "
                        "DO UPDATE SET value = excluded.value", (key, value))
