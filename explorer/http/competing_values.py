"""Two values for one place, side by side, and what a person makes of them."""

from pydantic import Field

from core.errors import OperationError
from core.review.competing_values import Decision, TwoValues, find, settle
from core.store.reader_and_writer import Writer
from explorer.caller_arguments import Arguments, Json
from explorer.competing_values_json import two_values_json
from explorer.graph_for_caller import Door
from explorer.http.endpoint import Endpoint, Words


class Two(Arguments):
    """Which two."""

    id: Words = Field(description="The id of a pending proposal, or of a value in force")
    other: str = Field("", description="Beside a value: the id of the other one")

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids that are named."""
        return tuple(one for one in (self.id, self.other) if one.strip())


def two_values(door: Door, given: Two) -> Json:
    """Read two values for one place side by side: who said each, when, and both in one text."""
    with door.read() as reader:
        return two_values_json(find(reader, given.ids))


class Settled(Two):
    """What is to become of the two."""

    decision: Decision = Field(description="`first` or `second` holds; both in one text "
                                           "(`combined`); both kept as what was said")
    value: str = Field("", description="What `combined` says")


def settle_values(door: Door, given: Settled) -> Json:
    """Settle two values for one place, as one step that undo takes back; a person decides."""
    if not door.of_a_person:
        raise OperationError(403, "A person settles what holds", field="decision",
                             do="Propose it instead")

    def change(writer: Writer) -> tuple[TwoValues, str]:
        shown = find(writer, given.ids)
        return shown, settle(writer, shown, given.decision, given.value)

    shown, _ = door.write(lambda done: done[1], change)
    return {**two_values_json(shown), "decision": given.decision}


_EXAMPLE = {"id": "v-seven", "other": "v-eight"}
SETTLING = (
    Endpoint("GET", "/api/ontology/two-values", two_values, Two, refuses=(404, 409),
             example=_EXAMPLE),
    Endpoint("POST", "/api/ontology/two-values/settle", settle_values, Settled, "modify",
             refuses=(404, 409), example={**_EXAMPLE, "decision": "second"}),
)
