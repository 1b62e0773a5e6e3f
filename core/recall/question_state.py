"""One question on its way: what was asked, and what the channels have found so far."""

import time
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from msgspec import Struct, field

from core.embedding.embedder_interface import Embedder
from core.model.walk import AskedRule, Focal, FocalEntity
from core.queries.muted_memories import quiet_memories
from core.recall import graph_channels
from core.recall.candidates import ScoredMemory, read_memories
from core.recall.config import RecallSettings
from core.recall.filters import TELLABLE, TELLABLE_OF_PAST, Filters, condition
from core.recall.fuse import Scores
from core.recall.graph_channels import GraphEvidence
from core.recall.keyword import WordMatches
from core.recall.match_statements import AskedStatement
from core.recall.question import Question
from core.recall.semantic import MeaningMatches
from core.recall.values_without_memory import ValueWithoutMemory
from core.store.reader_and_writer import Reader
from core.traversal.config import TraversalSettings


class AskedQuestion(Struct):
    """One question on its way."""

    reader: Reader
    query: str
    settings: RecallSettings
    embedder: Embedder | None
    filters: Filters
    explain: bool
    traversal: TraversalSettings
    now: datetime
    compared: MeaningMatches | None = None
    known: Focal | None = None
    began: float = field(default_factory=time.monotonic)
    condition: str = ""
    bound: dict[str, Any] = field(default_factory=dict)
    question: Question = field(default_factory=lambda: Question(""))
    words: WordMatches = field(default_factory=WordMatches)
    words_of_memories: WordMatches = field(default_factory=WordMatches)
    """The same without the values that no memory says, which none of the file's rows are."""
    meaning: MeaningMatches = field(default_factory=MeaningMatches)
    structure: GraphEvidence = field(default_factory=GraphEvidence)
    rules: Mapping[str, AskedRule] = field(default_factory=dict)
    """The rules that are asked for, by their own ids and by those of what they rest on."""
    untold: Mapping[int, ValueWithoutMemory] = field(default_factory=dict)
    in_question: tuple[FocalEntity, ...] = ()
    """The entities that it refers to."""
    statements: Mapping[int, AskedStatement] = field(default_factory=dict)
    """What the graph itself says in answer, by row number."""
    called: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """By entity the words of the question that links call it: "sister"."""
    unlisted: bool = False
    """True where the list of such values is not complete yet."""
    notes: list[str] = field(default_factory=list)
    fits: bool = True
    said: Scores | None = None
    """What `placed` says of the candidates."""
    covered: Scores | None = None
    """How far each word is covered by each candidate, with those around it and its place."""

    def __post_init__(self) -> None:
        self.condition, self.bound = condition(self.filters)

    def read(self, rows: list[int]) -> dict[int, ScoredMemory]:
        """The memories of some rows that the agent may be told of."""
        memories = read_memories(self.reader, rows, self.condition, self.bound, self.may_tell)
        quiet = self.quiet(memory.id for memory in memories.values())
        return {row: memory for row, memory in memories.items() if memory.id not in quiet}

    def quiet(self, ids: Iterable[str]) -> frozenset[str]:
        """Those that are about muted entities only, of which the question names none."""
        return quiet_memories(self.reader, ids, self.structure.names)

    def mentions(self, ids: list[str]) -> dict[str, tuple[float, str]]:
        """What mentioning a named entity is worth; a value mentions the one that it is of, a
        statement those that it is about."""
        named, names = self.structure.named, self.structure.names
        own = {value.memory.id: (named[value.entity_id], names[value.entity_id])
               for value in self.untold.values() if value.entity_id in named}
        for each in self.statements.values():
            about = [(named[id], names[id]) for id in each.statement.entity_ids if id in named]
            own |= {each.statement.id: max(about)} if about else {}
        return graph_channels.mentions(self.reader, self.structure, ids) | own

    @property
    def may_tell(self) -> str:
        """What no longer holds is told only where the past is asked for, and said to be so."""
        return TELLABLE_OF_PAST if self.question.past else TELLABLE

    @property
    def newest_first(self) -> bool:
        """True where the newest of what fits comes first."""
        return self.question.newest and self.fits and not self.question.past

    @property
    def searched_all(self) -> bool:
        """True unless some memories were not compared by their words."""
        return not self.words.timed_out and not self.words.notes
