"""The bounded record of what was asked, and who is let in, in the sidecar of a graph.

A question only reads the graph, so what is kept of it lies beside the file, where a window of
another process finds it.
"""

from collections.abc import Sequence

from core.store.sidecar import Sidecar

THINNED_EVERY = 50
"""Rows after which old ones are removed, so that hardly any question pays for it."""


def append(sidecar: Sidecar, agent: str, at: str, fields: str, kept: int) -> None:
    """Add one question; of an agent's questions at least the last `kept` stay."""
    with sidecar.turn() as run:
        row = run.execute("INSERT INTO asked (agent_id, at, fields) VALUES (?, ?, ?)",
                          (agent, at, fields))
        if (row.lastrowid or 0) % THINNED_EVERY == 0:
            run.execute(
                "DELETE FROM asked WHERE agent_id = :agent AND number <= (SELECT number FROM asked"
                " WHERE agent_id = :agent ORDER BY number DESC LIMIT 1 OFFSET :kept)",
                {"agent": agent, "kept": kept})


def last(sidecar: Sidecar, agent: str, most: int, after: int = 0) -> list[tuple[int, str, str]]:
    """The last questions of an agent with a number above `after`, newest first, each as its
    number, its time and its fields."""
    with sidecar.turn() as run:
        rows = run.execute(
            "SELECT number, at, fields FROM asked WHERE agent_id = :agent AND number > :after"
            " ORDER BY number DESC LIMIT :most",
            {"agent": agent, "after": after, "most": most}).fetchall()
    return [(int(row[0]), str(row[1]), str(row[2])) for row in rows]


def forget(sidecar: Sidecar, agent: str) -> int:
    """Delete what was asked; returns how many questions that were."""
    with sidecar.turn() as run:
        return run.execute("DELETE FROM asked WHERE agent_id = :agent", {"agent": agent}).rowcount


def put_visit(sidecar: Sidecar, id: str, agent: str, moment: str, fields: Sequence[str]) -> None:
    """Note that a client or a door is there.

    Args:
        fields: the client's name, its door, the address.
    """
    with sidecar.turn() as run:
        run.execute("INSERT INTO visits VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET"
                    " seen = excluded.seen, who = excluded.who",
                    (id, agent, *fields, moment, moment))


def drop_visits(sidecar: Sidecar, prefix: str, before: str) -> None:
    """Forget those whose id begins like this, and all that were last seen before a time."""
    with sidecar.turn() as run:
        run.execute("DELETE FROM visits WHERE (? <> '' AND substr(id, 1, ?) = ?) OR seen < ?",
                    (prefix, len(prefix), prefix, before))


def visits(sidecar: Sidecar, since: str) -> list[tuple[str, ...]]:
    """Those seen since a time: id, agent, name, door, address, when they came, last seen."""
    with sidecar.turn() as run:
        rows = run.execute("SELECT id, agent_id, who, door, address, since, seen FROM visits"
                           " WHERE seen >= ? ORDER BY since, id", (since,)).fetchall()
    return [tuple(map(str, row)) for row in rows]
