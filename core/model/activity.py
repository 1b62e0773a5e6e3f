"""What was done to the graph: the lines of the Activity panel and of `constellation history`."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Activity:
    """One commit or one decided proposal.

    `undo_id` is the entry's number in the undo log; None for changes by others, which cannot be
    taken back from here. `state` is `done`, `undone` or `abandoned` (an undone entry that a
    newer change has replaced), or the proposal's status.
    """

    when: str
    label: str
    who: str
    state: str
    undo_id: int | None
    rows: int = 0
    tables: tuple[str, ...] = ()
    entity_ids: tuple[str, ...] = ()
    proposal_id: str | None = None
