"""Rules come first where a question asks what may or must be done."""

from core.queries.values_of_memories import resting_on
from core.recall.fuse import Scores
from core.recall.rank_after_fusion import Ranked
from core.store.reader_and_writer import Reader

LIFT = 1.25
"""What a memory that states a rule in force is lifted by, where a rule is asked for."""

_STATED = """
SELECT DISTINCT v.memory_id FROM entity_attributes v
WHERE {resting} AND +v.kind = 'constraint' AND +v.status = :status AND +v.agent_id = :agent"""


def lift_rules(
    reader: Reader, ranked: Ranked, most: int, *, former: bool = False, dates: Scores | None = None
) -> None:
    """Lift those of the best that a constraint in force rests on, or that were made from one.

    Args:
        former: a constraint that is no longer in force instead.
        dates: how well each memory meets the times that were asked; one that meets none is not
            lifted.
    """
    places = [place for place in ranked.best(most) if dates is None or dates[place] > 0]
    ids = {ranked.every[place].id: place for place in places}
    statement = _STATED.format(resting=resting_on(reader, "v", "SELECT value FROM json_each(:ids)"))
    for row in reader.rows(statement, ids=list(ids),
                           status="superseded" if former else "active"):
        ranked.change(ids[row["memory_id"]], "rule", LIFT)
