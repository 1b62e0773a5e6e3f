"""What a memory file holds: entities, relations, and what could not be taken over as it stands."""

from collections.abc import Sequence

from msgspec import Struct

from core.model.ingest_results import MergedName
from core.model.secret_wording import FoundSecret
from core.transfer.line_places import Places
from core.transfer.observation_buffer import Observation

MEMORY_FILE = "MCP memory file"
KEPT = "is kept, and only an MCP export has it again"
TOO_DEEP = "is nested too deep"
NO_TIME = "is no time"
NO_ENTITY = "refers to no entity"
TWICE = "stands more than once, the last one was taken"
ONE_TYPE = "is no single word, the first was taken"
UNSTORABLE = "has signs that no file can hold; they were left out or replaced"
_OF_A_FIELD = (KEPT, TWICE, UNSTORABLE, TOO_DEEP, NO_TIME, NO_ENTITY, ONE_TYPE)
"""What is said of a field; everything else is said of the record, or of one of its observations."""


class McpEntity(Struct, frozen=True):
    """An entity with all its observations, under the first spelling of its name.

    `key` is its canonical name.
    """

    name: str
    key: str
    entity_type: str
    observations: Sequence[Observation]
    when: str | None
    line: int
    fields: tuple[str, ...] = ()
    """Fields of its records that nothing else takes, as JSON."""
    description: str = ""
    aliases: tuple[str, ...] = ()
    pinned: bool = False
    muted: bool = False
    is_typed: bool = True
    """False where its type is that of the kind of file, or none."""


class McpRelation(Struct, frozen=True):
    """A relation in the words of the file."""

    source: str
    target: str
    words: str
    line: int
    when: str | None = None
    fields: tuple[str, ...] = ()


class McpProblem(Struct, frozen=True):
    """Something that could not be taken over: the line (from 1), the field and what it is."""

    line: int
    field: str
    what: str

    @property
    def words(self) -> str:
        """What a person reads: `has no name`, `its field “extra” is nested too deep`."""
        if self.field and self.what.startswith(_OF_A_FIELD):
            return f"its field “{self.field}” {self.what}"
        if self.field == "observations" and not self.what.startswith("and "):
            return f"an observation {self.what}"
        return self.what


class McpFile(Struct, frozen=True):
    """What a memory file holds: entities by name, relations by their three words, problems.

    Those of a long file lie in a temporary database and are read when asked for.
    """

    path: str
    entities: Sequence[McpEntity] = ()
    relations: Sequence[McpRelation] = ()
    problems: Sequence[McpProblem] = ()
    merged: Sequence[MergedName] = ()
    encoding: str = ""
    """How its bytes were read, where that was not as UTF-8."""
    remarks: Sequence[McpProblem] = ()
    """What became one with something else, and what is kept as source data only."""
    looks_like: str = ""
    """What the first thing looks like that is no record of a memory file; empty if unknown."""
    places: Places = Places()
    title: str = MEMORY_FILE
    """What a person calls such a file."""
    secrets: tuple[FoundSecret, ...] = ()
    """Where something stands that looks like a key or a password."""


