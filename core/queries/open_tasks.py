"""The tasks that are still to be done, for a question that asks for them."""

from core.model.search_words import words
from core.model.task_marks import IN_PROGRESS, asked_states
from core.model.text_formatting import one_line
from core.queries.rows_to_model import text
from core.store.reader_and_writer import Reader

MOST = 12
"""Tasks that are named; those that are due first."""
_TASKS = frozenset({"task", "tasks", "todo", "todos", "to-do", "to-dos"})
_STATES = frozenset({"open", "pending", "due", "left", "next", "outstanding", "unfinished",
                     "blocked", "progress", "overdue", "remaining", "upcoming", "active",
                     "current", "still"})
_FEW = 4
"""A question of so many words that names tasks asks for them, whatever else it says."""

_UNDER_WAY = frozenset({"in_progress"})
_NOT_FINISHED = _UNDER_WAY | {"open", "pending", "blocked"}

_OPEN = """
SELECT e.name, t.status, t.expires_at FROM task_meta t CROSS JOIN entities e ON e.id = t.entity_id
WHERE t.agent_id = :agent AND t.status IN (SELECT value FROM json_each(:statuses))
  AND e.agent_id = :agent AND COALESCE(e.status, 'active') = 'active'
  AND NOT e.muted
ORDER BY t.expires_at IS NULL, t.expires_at, e.name LIMIT :most"""


def open_tasks(reader: Reader, question: str) -> tuple[str, ...]:
    """`rotate signing key (task): open, due 2026-12-01`, where the question asks for open tasks.

    Asked what is in progress, those that are.
    """
    asked = frozenset(words(question))
    tasks = not asked.isdisjoint(_TASKS) and (len(asked) <= _FEW or asked & _STATES)
    under_way = IN_PROGRESS in asked_states(question)
    if not (tasks or under_way) or not reader.has_table("task_meta"):
        return ()
    statuses = sorted(_UNDER_WAY if under_way else _NOT_FINISHED)
    return tuple(
        f"{one_line(text(row['name']), 80)} (task): {text(row['status']).replace('_', ' ')}"
        + (f", due {text(row['expires_at'])[:10]}" if row["expires_at"] else "")
        for row in reader.rows(_OPEN, most=MOST, statuses=statuses))
