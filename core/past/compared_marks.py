"""How the sky marks what is different between two states."""

from collections.abc import Mapping

from core.constellation.change_marks import ChangeMarks, marks_of
from core.past.compared_states import Compared


def compared_marks(
    compared: Compared, places: Mapping[str, tuple[float, float, bool]]
) -> ChangeMarks:
    """The marks in the sky of the first agent.

    Args:
        places: the saved positions; another agent's are of another sky.
    """
    return marks_of(compared.items, compared.words,
                    places if compared.agent == compared.other else None)
