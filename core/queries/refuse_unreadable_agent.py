"""Whether one agent may read what another one shares, as its read policy has it."""

from core.errors import OperationError
from core.model.text_formatting import one_line
from core.queries.rows_to_model import readable
from core.queries.stats import list_agents
from core.store.reader_and_writer import Reader

_READABLE = f"SELECT {readable(':other')}"


def refuse_unreadable(reader: Reader, other: str) -> None:
    """OperationError: 403 where the agent may not read the other, 404 where there is none."""
    if not reader.value(_READABLE, other=other):
        raise OperationError(
            403, f"This agent's read policy does not let it read {one_line(other, 60)}",
            field="withAgent", do="A person compares the two in the window, or changes the policy")
    if other not in {agent.id for agent in list_agents(reader)}:
        raise OperationError(404, f"There is no agent {one_line(other, 60)}", field="withAgent",
                             do="Its name is the one that it remembers under")
