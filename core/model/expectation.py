"""An expectation: what an agent must, or must not, be given for a question; and if that holds."""


from msgspec import Struct

from core.model.partly_compared_struct import PartlyCompared

CLAIM, MEMORY = "claim", "memory"
"""What an expectation can be about."""


class Expectation(Struct, frozen=True):
    """A person's test for the memory of an agent.

    Attributes:
        question: what the agent is asked.
        must: True if the target must come, False if it must not.
        kind: `claim` or `memory`.
        target_id: the value or memory that was chosen; the value in force of its claim is meant.
        made_at: when a person wrote it down.
    """

    id: str
    question: str
    must: bool
    kind: str
    target_id: str
    made_at: str = ""
    made_by: str = ""

    @property
    def word(self) -> str:
        """`must come` or `must not come`."""
        return must_words(must=self.must)


def must_words(*, must: bool) -> str:
    """`must come` or `must not come`."""
    return "must come" if must else "must not come"


class Target(Struct, frozen=True):
    """What an expectation is about, as it stands now.

    Attributes:
        id: the value in force, or the memory; empty if there is none any more.
        text: its words; the last known ones if there is none.
        entity_id: the entity of a claim; empty of a memory.
        memory_id: the memory that says a value, empty without one.
        gone: why nothing can come, as a sentence; empty if something can.
    """

    id: str = ""
    text: str = ""
    entity_id: str = ""
    entity_name: str = ""
    memory_id: str = ""
    gone: str = ""


class CheckedExpectation(PartlyCompared, frozen=True, eq=False):
    """An expectation with what became of it.

    Attributes:
        why: why it fails, or what brought the target; one sentence.
        came: the first lines that the agent would be given instead, only of one that fails.
        ground: ids of what the answer rests on: focal entities, the target and its entity. Empty
            where the question has no focal entity: any change of memories may matter then.
    """

    ASIDE = frozenset({"ground"})

    expectation: Expectation
    target: Target
    holds: bool
    why: str = ""
    came: tuple[str, ...] = ()
    ground: frozenset[str] = frozenset()

    @property
    def line(self) -> str:
        """`“Can I deploy on Friday?”: “No deploys on Fridays” must come`."""
        text = self.target.text or self.expectation.target_id
        return f"“{self.expectation.question}”: “{text}” {self.expectation.word}"
