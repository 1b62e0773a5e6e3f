"""What an action is, and the QActions that menus, keys, palette and buttons share."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, Generic, Protocol, TypeVar

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from ui.theme import Theme
from ui.theme.icons import icon

T = TypeVar("T")
Words = str | Callable[[Any], str]
Test = Callable[[Any], bool]
Key = str | QKeySequence.StandardKey
_WRITE = (
    "operation.", "entities.", "aspects.", "links.", "claims.", "pins.", "mutes.", "graph.",
    "edit.undo", "edit.redo", "file.import", "file.restore", "file.allow", "inspector.edit",
    "proposals.apply", "proposals.anyway", "proposals.reject", "proposals.both", "proposals.edit",
    "proposals.flag", "proposals.compare", "health.compare", "claim_history.restore", "health.fix",
    "health.all", "expectations.remove",
)
"""How the ids of the actions that change the graph begin."""


class Action(Struct, Generic[T], frozen=True, dict=True):
    """One thing a person can do; menus, key sheet and palette are made from these.

    `T` is what it works on: a `ui.context.Context`, a `Desk`, or the panel that declares it.

    Args:
        id: `area.verb`, stable.
        title: what the menu says; a function where it depends on the state.
        run: does it. It returns at once: work goes through `context.runner`.
        keys: the first is shown; a platform's own key by `QKeySequence.StandardKey`.
        menu: the menu it stands in, by its title; empty for palette and keys only.
        group: actions of one group stand together between separators.
        enabled, checked: asked again after each selection and each change.
        panel: name of the panel that declares it, where alone its keys work; filled in by the
            catalogue. Empty for the whole window.
        needs_graph: False for what works while no file is open: its functions then take a `Desk`.
        writes: it changes the graph; not possible while the past is shown.
        finds: other words that a person may search for in the palette.
        bare: its words while no graph is open, where the title is a function.
        why: what is missing where it can't be done, said when its key is pressed nevertheless.
    """

    id: str
    title: Words
    run: Callable[[T], object]
    keys: tuple[Key, ...] = ()
    icon: str = ""
    menu: str = ""
    group: str = ""
    enabled: Test | None = None
    checked: Test | None = None
    panel: str = ""
    needs_graph: bool = True
    palette: bool = True
    why: Words = ""
    bare: str = ""
    finds: tuple[str, ...] = ()
    writes: bool = False

    @property
    def bare_words(self) -> str:
        """What it is called where nothing is known of a graph."""
        return self.title if isinstance(self.title, str) else self.bare

    def sequences(self) -> list[QKeySequence]:
        """Its keys on this platform."""
        sequences: list[QKeySequence] = []
        for key in self.keys:
            if isinstance(key, QKeySequence.StandardKey):
                sequences.extend(QKeySequence.keyBindings(key)[:1])
            else:
                sequences.append(QKeySequence(key))
        return list(dict.fromkeys(sequences))


def declared(actions: Iterable[Action[Any]], panel: str = "") -> tuple[Action[Any], ...]:
    """Actions as the catalogue has them: each says whether it writes, and which panel's it is."""
    return tuple(replace(
        action, panel=panel or action.panel,
        writes=action.writes or action.id.startswith(_WRITE)) for action in actions)


class Panels(Protocol):
    """Where the panel is found that declares an action."""

    def panel(self, name: str) -> QObject: ...


class Bound(Protocol):
    """What actions work on: a context, or the desk while no file is open."""

    @property
    def has_graph(self) -> bool: ...
    @property
    def shell(self) -> Panels: ...


class Actions(QObject):
    """The catalogue bound to one context.

    Args:
        first: those that the window has from the start.
        every: all of them in their order, asked for when somebody looks at them all.
    """

    def __init__(
        self, first: tuple[Action[Any], ...], parent: QObject | None = None,
        every: Callable[[], tuple[Action[Any], ...]] = tuple,
    ) -> None:
        super().__init__(parent)
        self._every = every
        self._bound: Bound | None = None
        self._theme: Theme | None = None
        self._lock = ""
        self._qt: dict[str, QAction] = {}
        self._by_id: dict[str, Action[Any]] = {}
        self._add(first)

    def know(self, panel: str, actions: Iterable[Action[Any]]) -> None:
        """Have a panel's own actions, too: it is being made."""
        self._add(declared(actions, panel))

    def every(self) -> Iterator[Action[Any]]:
        """All of them in their order, also those of panels that have not been made yet."""
        whole = {action.id: action for action in self._every()}
        self._add(whole.values())
        self._by_id = whole | {name: action for name, action in self._by_id.items()
                               if name not in whole}
        return iter(self)

    def bind(self, bound: Bound) -> None:
        """Work on this context from now on, or on the bare desk while no file is open."""
        self._bound = bound
        self.refresh()

    def lock(self, why: str) -> None:
        """Have what changes the graph be impossible for this reason; empty for none."""
        if why != self._lock:
            self._lock = why
            self.refresh()

    def __iter__(self) -> Iterator[Action[Any]]:
        """Those that are there by now."""
        return iter(tuple(self._by_id.values()))

    def get(self, action_id: str) -> Action[Any]:
        if action_id not in self._by_id:
            self.every()
        return self._by_id[action_id]

    def action(self, action_id: str) -> QAction:
        """The QAction for menus and buttons."""
        return self._qt[self.get(action_id).id]

    def add_to(self, panel: QWidget, name: str) -> None:
        """Have the keys of a panel's own actions work inside it."""
        panel.addActions([self._qt[action.id] for action in self if action.panel == name])

    def run(self, action_id: str) -> None:
        """Do it if it can be done now."""
        made = self.action(action_id)
        self.refresh()
        made.trigger()

    def words(self, action: Action[Any]) -> str:
        return self._qt[action.id].text().replace("&&", "&")

    def key_text(self, action_id: str) -> str:
        """The first key as this platform writes it, such as `Ctrl+K`; empty without one."""
        sequences = self.get(action_id).sequences()
        return sequences[0].toString(QKeySequence.SequenceFormat.NativeText) if sequences else ""

    def blocked(self, pressed: QKeySequence) -> Action[Any] | None:
        """The action of this key of the window, if it can't be done now."""
        return next((action for action in self
                     if not action.panel and pressed in action.sequences()
                     and not self._qt[action.id].isEnabled()), None)

    def why_not(self, action: Action[Any]) -> str:
        """Why it can't be done now."""
        context = self._context_for(action)
        if context is None:
            return "Open a graph first"
        if self._lock and action.writes:
            return f"{self.words(action)}: {self._lock}"
        why = action.why if isinstance(action.why, str) else action.why(context)
        return f"{self.words(action)}: {why or 'not possible now'}"

    def refresh(self) -> None:
        """Ask every action again for its words, and whether it can be done."""
        for action in self:
            self._refresh_one(action, self._qt[action.id])

    def tint(self, theme: Theme) -> None:
        """Have icons, in the theme's colours."""
        self._theme = theme
        for action in self:
            self._tint(action)

    def _add(self, actions: Iterable[Action[Any]]) -> None:
        """Make what is not there yet."""
        for action in actions:
            if action.id not in self._qt:
                self._by_id[action.id] = action
                self._qt[action.id] = self._make(action)
                self._tint(action)
                self._refresh_one(action, self._qt[action.id])

    def _tint(self, action: Action[Any]) -> None:
        if action.icon and self._theme is not None:
            self._qt[action.id].setIcon(icon(self._theme, action.icon))

    def _make(self, action: Action[Any]) -> QAction:
        made = QAction(self)
        made.setObjectName(action.id)
        made.setText(action.bare_words.replace("&", "&&"))
        made.setShortcuts(action.sequences())
        made.setCheckable(action.checked is not None)
        made.setMenuRole(QAction.MenuRole.NoRole)
        if action.panel:
            made.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        made.triggered.connect(partial(self._triggered, action))
        return made

    def _context_for(self, action: Action[Any]) -> Bound | None:
        bound = self._bound
        return bound if bound is not None and (bound.has_graph or not action.needs_graph) else None

    def _refresh_one(self, action: Action[Any], made: QAction) -> None:
        context = self._context_for(action)
        if context is None:
            made.setText(action.bare_words.replace("&", "&&"))
            made.setEnabled(False)
            return
        words = action.title if isinstance(action.title, str) else action.title(context)
        made.setText(words.replace("&", "&&"))
        made.setEnabled(not (self._lock and action.writes)
                        and (action.enabled is None or action.enabled(context)))
        if action.checked is not None:
            made.setChecked(action.checked(context))

    def _triggered(self, action: Action[Any], _checked: bool = False) -> None:
        context = self._context_for(action)
        if context is not None:
            action.run(context.shell.panel(action.panel) if action.panel else context)
            self.refresh()
