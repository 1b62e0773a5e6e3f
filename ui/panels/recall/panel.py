"""Recall: searches while typing; each memory shows its channels and highlights its path."""

from functools import partial
from typing import ClassVar

from PySide6.QtWidgets import QStackedWidget, QWidget

from core.embedding.choose_embedder import choose
from core.errors import OperationError
from core.learning.confirmed_by_recall import note_recall
from core.model.changes import Changes
from core.model.graph_statement import LINK, Statement
from core.model.recall import Hit, Recall
from core.model.text_formatting import counted, one_line
from core.model.walk import Path
from core.queries.memories import memory_types
from core.queries.sessions import list_sessions
from core.recall.filters import Filters, read_signs
from core.settings import Settings
from core.store.reader_and_writer import Reader
from ui.context import Context
from ui.error_words import words_of
from ui.models.recall_results import (
    Answer,
    answer_words,
    path_of,
    rate_hit,
    ratings_today,
    rows_of,
)
from ui.panel import Panel
from ui.panels.recall.details import HitView
from ui.panels.recall.query_form import QueryForm
from ui.panels.sky_highlight import SkyHighlight
from ui.panels.vector_preload import prepare
from ui.widgets.empty_states import Placeholder
from ui.widgets.layouts import column_layout, put, row_layout, side_by_side
from ui.widgets.scored_list import ScoredList, ScoredRow
from ui.widgets.scroll_column import scrolling

WIDTHS = (270, 620, 420)
SHARES = (0, 3, 2)
"""How much of more or less room each of them takes."""
ASK = ("Search as your agent would. Each result shows why it was found: words, meaning, the "
       "graph, a mention or a time.")


class RecallPanel(Panel):
    """A question to the memories of the graph."""

    name: ClassVar[str] = "recall"
    shows: ClassVar[frozenset[str]] = frozenset((
        "memories", "memory_entity_mentions", "entities", "entity_aspects", "entity_attributes",
        "entity_dependencies", "epistemic_assertions", "embeddings", "session_memories",
    ))

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.ask = QueryForm(context.theme)
        self.hits = ScoredList(context.theme, "Memories, best first")
        self.detail = HitView(context.theme)
        self.nothing = Placeholder(context.theme)
        self.highlight = SkyHighlight(self)
        self._middle = QStackedWidget()
        self._middle.addWidget(self.hits)
        self._middle.addWidget(self.nothing)
        self._answer: Answer | None = None
        self.ask.asked.connect(self._load)
        self.hits.looked_at.connect(self._look)
        self.hits.opened.connect(self._open)
        self.detail.rated.connect(self._rate)
        self.ask.noted.connect(self._note)
        context.engine.changed.connect(self._reload_if_seen)
        self._show_nothing(ASK)
        self.detail.show_hit(None)

    def lay_out(self) -> None:
        question = scrolling(self.ask, "The question and its filters")
        views = ((question, 200), (self._answer_view(), 240), (self.detail, 220))
        row_layout(self.body, (0, 0, 0, 0)).addWidget(side_by_side(views, WIDTHS, SHARES))

    def refresh(self, changes: Changes | None) -> None:
        prepare(self.context)
        runner = self.context.runner
        runner.read(memory_types, self.ask.show_types, self._failed,
                    key=("recall.types", id(self)))
        runner.read(list_sessions, self.ask.show_sessions, self._failed,
                    key=("recall.sessions", id(self)))
        self._load()

    def focus(self) -> None:
        self.ask.question.setFocus()

    @property
    def found(self) -> Recall | None:
        """The answer that is shown."""
        return self._answer.found if self._answer is not None else None

    # -- asking --------------------------------------------------------------------------------

    def _load(self) -> None:
        question, filters = self.ask.question.text().strip(), self.ask.filters
        key = ("recall", id(self))
        if not question and not filters.any:
            # Also drops an answer that is still on its way.
            self.context.runner.read(lambda _reader: None, self._got, self._failed, key=key)
            return
        self.context.runner.read(partial(_answer, question, filters, self.context.engine.settings),
                                 self._got, self._failed, key=key)

    def _got(self, answer: Answer | None) -> None:
        self._answer = answer
        self.show_state("ready")
        recalled = self.found
        if recalled is None:
            self.ask.tell()
            self._show_nothing(ASK)
            return
        late = ("Time ran out before everything was searched",) if recalled.timed_out else ()
        self.ask.tell(answer_words(recalled), (*late, *recalled.notes), found=bool(recalled.hits),
                      about=recalled.about)
        if not recalled.lines:
            self._show_nothing("No memories found"
                               + ("that match the filters" if self.ask.filters.any else "")
                               + (": time ran out. Try again, or raise the time limit in the "
                                  "settings."
                                  if recalled.timed_out else "."))
            return
        self.hits.show_rows(rows_of(recalled))
        self._middle.setCurrentWidget(self.hits)
        self._look(self.hits.current)

    def _failed(self, error: BaseException) -> None:
        self._answer = None
        if isinstance(error, OperationError):
            # What was typed can't be asked (yet): the fields stay where they are.
            self.show_state("ready")
            self.ask.tell(refusal=words_of(error))
            self._show_nothing(ASK)
            return
        self.highlight.light()
        self.show_failure("The memories could not be searched", error, self._load)

    # -- showing -------------------------------------------------------------------------------

    def _show_nothing(self, words: str) -> None:
        self.hits.show_rows(())
        self.nothing.show_state("empty", words)
        self._middle.setCurrentWidget(self.nothing)
        self.detail.show_hit(None)
        self.highlight.light()

    def _hit(self, row: ScoredRow | None) -> Hit | Statement | None:
        if row is None or self.found is None:
            return None
        return next((line for line in self.found.lines
                     if (line.kind, line.id) == (row.kind, row.id)), None)

    def _look(self, row: ScoredRow | None) -> None:
        """Show a hit in full and its path in the sky; without one, what the walk brought."""
        hit, answer = self._hit(row), self._answer
        if answer is None:
            return
        recalled = answer.found
        if isinstance(hit, Hit):
            self.detail.show_hit(hit, path_of(hit, recalled),
                                 answer.ratings.get(hit.memory.id, 0.0))
        else:
            self.detail.show_hit(hit)
        walk = recalled.walk
        self.highlight.light(walk.entity_ids if walk else (), walk.dependency_ids if walk else (),
                        [one.memory.id for one in recalled.hits])
        self.highlight.glance(_path(hit), hit.id if isinstance(hit, Hit) else "")

    def _open(self, row: ScoredRow) -> None:
        """Go to the entity that a memory was reached from, or that a statement is about."""
        hit = self._hit(row)
        if isinstance(hit, Statement):
            self.context.selection.select_entity(hit.entity_ids[0])
            return
        if hit is not None and hit.path is not None and hit.path.entity_ids:
            self.context.selection.select_entity(hit.path.entity_ids[-1])
        self.context.selection.select_memory(row.id)

    def _rate(self, memory_id: str, rating: int) -> None:
        hit = next((hit for hit in (self.found.hits if self.found else ())
                    if hit.memory.id == memory_id), None)
        if hit is None:
            return
        settings = self.context.engine.settings.feedback
        words = "Helpful" if rating > 0 else "Not helpful"
        self.context.runner.write(
            f"{words}: {one_line(hit.memory.content, 50)}",
            lambda writer: rate_hit(writer, hit, rating, settings), initiator="recall")

    def _note(self, session_key: str) -> None:
        """As if the session's agent had asked: its end learns from what was found."""
        recalled = self.found
        if recalled is not None and recalled.hits:
            self.context.runner.write(
                f"Record {counted(len(recalled.hits), 'memory')} as used by "
                f"{one_line(session_key, 30)}",
                lambda writer: note_recall(writer, session_key, recalled), initiator="recall")

    def _reload_if_seen(self) -> None:
        if self.isVisible():
            self._load()

    def _answer_view(self) -> QWidget:
        """What the answer comes to, over the memories."""
        view = QWidget()
        put(column_layout(view, (0, 0, 0, 0), 2),
            put(row_layout(margins=(14, 6, 14, 0), spacing=12), (self.ask.words, 1), self.ask.note),
            put(row_layout(margins=(14, 0, 14, 0)), self.ask.about),
            (self._middle, 1))
        return view


def _answer(question: str, filters: Filters, settings: Settings, reader: Reader) -> Answer:
    """What is recalled for a question, and how it was rated today."""
    from core.recall.hybrid import recall  # noqa: PLC0415  it takes long to load

    asked, wanted = read_signs(reader, question, filters)
    found = recall(reader, asked, settings.recall, choose(settings.embedding),
                   filters=wanted, explain=True, traversal=settings.traversal)
    return Answer(found, ratings_today(reader))


def _path(line: Hit | Statement | None) -> Path | None:
    """How the walk came to it; of a link its two ends."""
    if isinstance(line, Statement):
        return Path(line.entity_ids, dependency_ids=line.ids if line.kind == LINK else ())
    return line.path if line is not None else None
