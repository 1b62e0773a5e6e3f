"""Keeps the expectations of an agent beside the graph."""

from core import error_advice
from core.errors import OperationError
from core.expectations.current_targets import chosen_target, standing
from core.model.expectation import Expectation, must_words
from core.queries.find_by_name_or_id import whole_id
from core.queries.rows_to_model import text
from core.store.database import Row
from core.store.reader_and_writer import Reader, Writer, new_id

KEPT_IN = "expectations"
"""The table that has them."""
LONGEST_QUESTION = 1000
"""Characters of a question."""
_COLUMNS = "id, question, must, kind, target_id, made_at, made_by"
_ALL = f"""
SELECT {_COLUMNS} FROM side.expectations WHERE agent_id = :agent ORDER BY made_at, id"""
_ONE = f"SELECT {_COLUMNS} FROM side.expectations WHERE id = :id AND agent_id = :agent"
_SAME = f"""
SELECT {_COLUMNS} FROM side.expectations
WHERE agent_id = :agent AND question = :question AND target_id = :target"""


def expectations(reader: Reader) -> tuple[Expectation, ...]:
    """The agent's expectations, oldest first."""
    return tuple(map(_expectation, reader.rows(_ALL)))


def any_expectations(reader: Reader) -> bool:
    """True if the agent has any."""
    return bool(reader.value("SELECT 1 FROM side.expectations WHERE agent_id = :agent LIMIT 1"))


def find_expectation(reader: Reader, id: str) -> Expectation:
    """The expectation with this id, or whose id begins so; 404 for none, 409 for several."""
    whole = whole_id(reader, "side.expectations", "m.agent_id = :agent", id, "expectations",
                     "m.question")
    row = reader.row(_ONE, id=whole)
    if row is None:
        raise OperationError(404, f"Expectation not found: {id}", field="id",
                             do=error_advice.EXPECTATIONS)
    return _expectation(row)


def add_expectation(writer: Writer, question: str, target: str, *, must: bool) -> Expectation:
    """Write down that a claim or memory must, or must not, come for a question.

    One that is there already is given back. Raises OperationError: 400 for no question, 404 for no
    target or one that nothing can tell any more, 409 where the opposite is expected.

    Args:
        target: the id of a value or a memory, or the start of one.
    """
    asked = " ".join(question.split())
    if not asked or len(asked) > LONGEST_QUESTION:
        raise OperationError(
            400, f"A question has 1 to {LONGEST_QUESTION} characters", field="question")
    kind, target_id = chosen_target(writer, target)
    same = [_expectation(row) for row in writer.rows(_SAME, question=asked, target=target_id)]
    if same and same[0].must == must:
        return same[0]
    if same:
        raise OperationError(409, f"For this question it {must_words(must=not must)}", field="must",
                             do=error_advice.expected_otherwise(same[0].id))
    made = Expectation(new_id(), asked, must, kind, target_id, writer.now(), writer.actor)
    now = standing(writer, [made])[made.id]
    if now.gone:
        raise OperationError(404, now.gone, field="id", do="Choose what is in force")
    writer.insert("expectations", id=made.id, agent_id=writer.agent, question=asked,
                  must=int(must), kind=kind, target_id=target_id, made_at=made.made_at,
                  made_by=made.made_by)
    return made


def remove_expectation(writer: Writer, id: str) -> Expectation:
    """Remove an expectation; 404 if there is none."""
    gone = find_expectation(writer, id)
    writer.delete_where("expectations", "id = :id AND agent_id = :agent", id=gone.id)
    return gone


def _expectation(row: Row) -> Expectation:
    return Expectation(row["id"], text(row["question"]), bool(row["must"]), row["kind"],
                       row["target_id"], text(row["made_at"]), text(row["made_by"]))
