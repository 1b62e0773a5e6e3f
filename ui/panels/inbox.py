"""Inbox: what agents and programs wrote by themselves; one key keeps, corrects, forgets or pins."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import groupby
from operator import attrgetter
from typing import ClassVar

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from core.constellation.change_marks import marks_of_new
from core.model.changes import Changes
from core.model.inbox import VALUE, Inbox, InboxItem
from core.model.text_formatting import counted, one_line
from core.model.times import ago
from core.past.compared_states import last_visit
from core.review import inbox_acts
from core.review.unseen_writes_inbox import inbox
from core.store.reader_and_writer import Reader, Writer, stamp
from core.workspace import Workspace
from ui.action import Action
from ui.constellation.view import SkyView
from ui.context import Context
from ui.error_words import words_of
from ui.models.time_wording import day
from ui.panel import Panel
from ui.widgets.buttons import KeyButton, on_click
from ui.widgets.flow_layout import FlowLayout
from ui.widgets.labels import set_tip
from ui.widgets.layouts import column_layout, put
from ui.widgets.scored_list import ScoredList, ScoredRow
from ui.widgets.tick_box import TickBox

EMPTY = ("Nothing new. What agents and other programs write by themselves waits here until you "
         "have seen it.")
BUTTONS = {"inbox.keep": "Keep", "inbox.group": "Keep group", "inbox.correct": "Correct",
           "inbox.forget": "Forget", "inbox.pin": "Pin", "inbox.source": "Source"}
"""What the buttons below the list say, by the action of each."""
HELD = "{}\n\nHeld back until you have seen it: what {} writes. H tells it at once again."
HOLD = "Hold back what {} writes until I have seen it"
HOLD_SHORT = "Hold back"
"""The same where there is no room for it."""
LOW = 200
"""A panel lower than this has little room for its list, in pixels."""
FOOT, LOW_FOOT = (14, 4, 14, 6), (14, 2, 14, 2)
ONLY_VALUES = "Only a value can be corrected here: forget this, and write down what is right"
NO_SOURCE = "No memory is on record as its source"
NOTHING = "Nothing is selected"
PAUSE_MS = 250
"""How long nothing has been decided before the list is read again."""
Act = Action["InboxPanel"]
Change = Callable[[Writer], object]


class InboxPanel(Panel):
    """A list by hand, session and entity; what is decided goes from the list at once."""

    name: ClassVar[str] = "inbox"
    shows: ClassVar[frozenset[str]] = frozenset((
        "memories", "entity_attributes", "entity_dependencies", "entities", "inbox_seen",
        "inbox_since", "inbox_holds"))
    ACTIONS = (
        Act("inbox.keep", "Keep the new item", lambda panel: panel.keep(), ("S",), "apply"),
        Act("inbox.group", "Keep the whole group", lambda panel: panel.keep_group(), ("G",)),
        Act("inbox.correct", "Correct the new value", lambda panel: panel.ask_value(), ("E",),
            "edit"),
        Act("inbox.forget", "Forget the new item", lambda panel: panel.forget(), ("F",), "archive"),
        Act("inbox.pin", "Pin what the new item is about", lambda panel: panel.pin(), ("T",),
            "pin"),
        Act("inbox.source", "Open the source of the new item", lambda panel: panel.open_source(),
            ("O",), "external"),
        Act("inbox.hold", "Hold back what its author writes, or tell it at once again",
            lambda panel: panel.hold(), ("H",), "pause"),
    )

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.list = ScoredList(context.theme, "What is new")
        self.field = _Field(self._correct, self.focus)
        self.buttons = {action: KeyButton(words, context.actions.key_text(action))
                        for action, words in BUTTONS.items()}
        self.held = TickBox()
        self.held.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.held.clicked.connect(lambda _ticked: self.hold())
        self._lay_out()
        self._low = False
        self._items: dict[str, InboxItem] = {}
        self._lines: dict[str, ScoredRow] = {}
        self._reads = 0
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._pause.timeout.connect(partial(self.refresh, None))
        self._decided: dict[str, int | None] = {}
        """What was decided, with the number of reads at the time it was written; None until."""
        self._editing = ""
        self._holds: tuple[str, ...] = ()
        self._visited = ""
        self.list.opened.connect(lambda _row: self.open_source())
        self.list.selectionModel().currentChanged.connect(lambda *_rows: self._show_hold())
        self.show_state("loading", "Reading what is new…")

    def _lay_out(self) -> None:
        row = QWidget()
        flow = FlowLayout(row, spacing=6)
        for action, button in self.buttons.items():
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            on_click(button, self.context.actions.run, action)
            flow.addWidget(button)
        flow.addWidget(self.held)
        self._foot = put(column_layout(margins=FOOT, spacing=4), row)
        column = column_layout(self.body, (0, 2, 0, 0))
        put(column, (self.list, 1), self.field, self._foot)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """In a low panel the foot is one row."""
        super().resizeEvent(event)
        if (self.height() < LOW) != self._low:
            self._low = not self._low
            self._foot.setContentsMargins(*(LOW_FOOT if self._low else FOOT))
            self._show_hold()

    @property
    def current(self) -> InboxItem | None:
        """The item that the keyboard is on."""
        row = self.list.current
        return self._items.get(row.id) if row is not None else None

    # -- what is shown -------------------------------------------------------------------------

    def refresh(self, changes: Changes | None) -> None:
        self._reads += 1
        self.context.runner.read(partial(_with_lines, self.context.workspace),
                                 partial(self._got, self._reads), self._failed,
                                 key=(id(self), "inbox"), later=True)

    def glance(self, changes: Changes | None) -> None:
        self.refresh(changes)

    def focus(self) -> None:
        self.list.setFocus()
        if self.face == "ready" and self.list.current is None:
            self._go_on(0)

    def _got(self, number: int, new: tuple[Inbox, dict[str, ScoredRow], str]) -> None:
        self._decided = {key: read for key, read in self._decided.items()
                         if read is None or read >= number}
        self._items, self._lines = {one.key: one for one in new[0].items}, new[1]
        self._holds, self._visited = new[0].held, new[2]
        self._show()

    def _show(self) -> None:
        left = [one for key, one in self._items.items() if key not in self._decided]
        self.badged.emit(f"{len(left):,}" if left else "")
        self._mark(left)
        if not left:
            self.list.show_rows(())
            names = ", ".join(self._holds)
            self.show_state("empty", HELD.format(EMPTY, names) if names else EMPTY)
            return
        at = self.list.currentIndex().row()
        before = self.list.current
        self.list.show_rows(tuple(self._grouped(left)))
        if before is not None and self.list.current is None:
            self._go_on(at)
        self._show_hold()
        self.show_state("ready")

    def _mark(self, items: Sequence[InboxItem]) -> None:
        """Mark in the sky what has come since the last visit; at the first one nothing is new."""
        sky = self.context.shell.sky()
        if isinstance(sky, SkyView):
            marks = marks_of_new(items if self._visited else (), self._visited)
            sky.mark_new(marks if marks.changes else None)

    def _grouped(self, items: Sequence[InboxItem]) -> Iterator[ScoredRow]:
        """The lines of items under a head for each hand, session and entity."""
        for (by, session, entity), group in groupby(items, key=attrgetter("group")):
            lines = [self._lines[one.key] for one in group]
            head = " · ".join(part for part in (by, entity, day(session)) if part)
            yield ScoredRow(head, one_line(head, 120), counted(len(lines), "item"), head=True)
            yield from lines

    def _show_hold(self) -> None:
        """Name the author of the current item, and whether what they write is held back."""
        item = self.current
        self.held.setEnabled(item is not None)
        by = one_line(item.by, 40) if item else "…"
        self.held.setText(HOLD_SHORT if self._low else HOLD.format(by).replace("&", "&&"))
        set_tip(self.held, HOLD.format(by) if self._low else "")
        self.held.setChecked(item is not None and item.waits)

    def _go_on(self, at: int) -> None:
        """Go to the item that has come into a place, past heads; the last one at the end."""
        rows = self.list.rows
        places = [place for place, row in enumerate(rows) if not row.head]
        place = next((each for each in places if each >= at), places[-1])
        self.list.setCurrentIndex(self.list.lines.index(place))

    def _failed(self, error: BaseException) -> None:
        self.show_failure("What is new could not be read", error, partial(self.refresh, None))

    # -- deciding ------------------------------------------------------------------------------

    def keep(self) -> None:
        """It stays as it is, and is not shown again."""
        self._decide("Keep", lambda item: lambda writer: inbox_acts.keep(writer, (item,)))

    def forget(self) -> None:
        """It goes out of the graph."""
        self._decide("Forget", lambda item: lambda writer: inbox_acts.forget(writer, item))

    def pin(self) -> None:
        """What it is about is always told."""
        self._decide("Pin", lambda item: lambda writer: inbox_acts.pin(writer, item))

    def keep_group(self) -> None:
        """Keep all that the same hand wrote in the same session about the same entity."""
        item = self.current
        if item is None:
            self.context.say(NOTHING)
            return
        group = [one for key, one in self._items.items()
                 if one.group == item.group and key not in self._decided]
        self._write(f"Keep {counted(len(group), 'item')}", group,
                    lambda writer: inbox_acts.keep(writer, group))

    def hold(self) -> None:
        """Hold back what the author of the current item writes, or tell it at once again; with
        nothing left in the list, tell what all who are held write."""
        item = self.current
        if item is None and (self.face == "ready" or not self._holds):
            self.context.say(NOTHING)
            return
        hands = (item.by,) if item is not None else self._holds
        off = item is None or item.waits
        act, verb = (inbox_acts.release, "Tell at once") if off else (inbox_acts.hold, "Hold back")
        self.context.runner.write(
            f"{verb} what {one_line(', '.join(hands), 60)} writes",
            lambda writer: [act(writer, hand) for hand in hands], lambda _counts: None,
            partial(self._refused, ()), initiator=self.name)
        self._show_hold()  # The tick follows what is written, not the click.

    def ask_value(self) -> None:
        """Write what is right into the field below; Enter makes it the next version."""
        item = self.current
        if item is None or item.kind != VALUE:
            self.context.say(NOTHING if item is None else ONLY_VALUES)
            return
        self._editing = item.key
        self.field.open(item.text)

    def open_source(self) -> None:
        """Show the memory that it rests on, and what it is about."""
        item = self.current
        if item is None:
            self.context.say(NOTHING)
            return
        if item.entity_id:
            self.context.selection.select_entity(item.entity_id)
        if item.source_id:
            self.context.selection.select_memory(item.source_id)
        else:
            self.context.say(NO_SOURCE)

    def _correct(self, value: str) -> None:
        item = self._items.get(self._editing)
        if item is not None and value.strip() and value.strip() != item.text:
            self._write(f"Correct: {one_line(item.text, 60)}", [item],
                        lambda writer: inbox_acts.correct(writer, item, value.strip()))
        self.focus()

    def _decide(self, verb: str, act: Callable[[InboxItem], Change]) -> None:
        item = self.current
        if item is None:
            self.context.say(NOTHING)
            return
        self._write(f"{verb}: {one_line(item.text, 60)}", [item], act(item))

    def _write(self, words: str, items: Sequence[InboxItem], change: Change) -> None:
        """Take the items from the list, and write it in the background."""
        keys = tuple(one.key for one in items)
        if self.context.runner.may_write:
            self._decided |= dict.fromkeys(keys)
            self._show()
        self.context.runner.write(words, change, partial(self._written, keys),
                                  partial(self._refused, keys), initiator=self.name)

    def _written(self, keys: Sequence[str], _written: object) -> None:
        # A read that begins from now on no longer has them.
        self._decided |= {key: self._reads for key in keys if key in self._decided}
        self._pause.start()

    def _refused(self, keys: Sequence[str], error: BaseException) -> None:
        for key in keys:
            self._decided.pop(key, None)
        self._show()
        self.context.say(words_of(error))


class _Field(QLineEdit):
    """The words of a value that is being corrected; Enter takes them, Escape leaves it."""

    def __init__(self, taken: Callable[[str], None], left: Callable[[], None]) -> None:
        super().__init__()
        self._taken, self._left = taken, left
        self.setAccessibleName("What is right")
        self.setPlaceholderText("What is right")
        self.returnPressed.connect(self._take)
        self.hide()

    def open(self, words: str) -> None:
        """Begin with these words."""
        self.setText(words)
        self.show()
        self.setFocus()
        self.selectAll()

    def _take(self) -> None:
        self.hide()
        self._taken(self.text())

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
            self._left()
        else:
            super().keyPressEvent(event)


def _with_lines(
    workspace: Workspace, reader: Reader
) -> tuple[Inbox, dict[str, ScoredRow], str]:
    """What is new, the line of each item, and when the graph was last looked at."""
    new, visited = inbox(reader), last_visit(workspace)
    return new, {one.key: _row(one) for one in new.items}, stamp(visited) if visited else ""


def _row(item: InboxItem) -> ScoredRow:
    waits = "held back" if item.waits else ""
    other = one_line(item.turned_down, 60)
    decided = f"turned down, not told: “{other}” holds" if other else ""
    below = " · ".join(part for part in (item.kind, ago(item.written_at), waits, decided) if part)
    return ScoredRow(item.key, item.text, below, quiet=item.waits or bool(decided),
                     why=f"Written by {item.by}",
                     sign="constraint" if item.constraint else "", kind="inbox")
