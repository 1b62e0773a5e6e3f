"""One filter: search and types narrow the list and light the sky alike; Escape clears both."""


import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton, QWidget
from pytestqt.qtbot import QtBot

from core.ontology import control
from core.queries.entity_search import Search
from core.store.reader_and_writer import Writer
from tests.ui.browse_scene import entities_of, names_in
from tests.ui.conftest import settle
from tests.ui.filter_scene import filter_graph, filter_window  # noqa: F401 - fixtures
from ui.constellation.frame import REST, narrowed
from ui.constellation.sky_loader import Sky
from ui.dock import Dock
from ui.main_window import MainWindow
from ui.panels.entities import Entities

ALL = {"settlement job", "Harbor Ledger", "Office", "Ines"}
ESCAPE, LEFT = Qt.Key.Key_Escape, Qt.MouseButton.LeftButton

pytestmark = pytest.mark.usefixtures("only_panels_asked_for")


@pytest.fixture
def sky(qtbot: QtBot, opened: MainWindow) -> Sky:
    found = opened.sky()
    assert isinstance(found, Sky)
    qtbot.waitUntil(lambda: found.scene.entities == len(ALL))
    settle(qtbot, opened)
    return found


@pytest.fixture
def panel(opened: MainWindow, sky: Sky) -> Entities:
    return entities_of(opened)


def type_in(qtbot: QtBot, window: MainWindow, text: str) -> None:
    """Press the key of the search, and type."""
    QTest.keyClick(window.focusWidget() or window, Qt.Key.Key_Slash)
    assert window.focusWidget() is window.top.search
    QTest.keyClicks(window.top.search, text)
    settle(qtbot, window)


def bright(sky: Sky) -> set[str]:
    """The names of the stars that are not dimmed."""
    frame = sky._state.frame
    return {sky.scene.labels[node] for node in range(sky.scene.entities)
            if frame.alpha[node] > REST + 0.01}


def listed(panel: Entities) -> set[str]:
    return set(names_in(panel.list))


@pytest.mark.parametrize(("text", "expected"), [
    ("settlement bank", {"settlement job", "Harbor Ledger"}),
    ("setlement bank", {"settlement job", "Harbor Ledger"}),
    ('"golden file"', {"Harbor Ledger"}),
    ("[release]", {"Harbor Ledger"}),
    ("type:place,person", {"Office", "Ines"}),
    ("bank pinned:no type:workflow", {"settlement job"}),
    ("since:2999", set()),
    ("nothing at all", set()),
])
def test_a_search_lights_the_sky_and_narrows_the_list_alike(
    qtbot: QtBot, opened: MainWindow, sky: Sky, panel: Entities, text: str, expected: set[str]
) -> None:
    assert bright(sky) == ALL
    type_in(qtbot, opened, text)
    assert bright(sky) == listed(panel) == expected


def test_words_are_looked_for_once_for_list_and_sky(
    qtbot: QtBot, opened: MainWindow, sky: Sky, panel: Entities, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked, holders = list[object](), Search._holders
    monkeypatch.setattr(Search, "_holders", lambda search, terms: (
        looked.append(terms), holders(search, terms))[1])
    opened.top.search.setText("settlement bank")
    settle(qtbot, opened)
    assert bright(sky) == listed(panel) == {"settlement job", "Harbor Ledger"}
    assert len(looked) == 1


def test_the_sky_is_lit_also_where_the_list_is_hidden(
    qtbot: QtBot, opened: MainWindow, sky: Sky
) -> None:
    next(dock for dock in opened.findChildren(Dock) if dock.kind.name == "entities").hide()
    opened.top.search.setText("counter")
    settle(qtbot, opened)
    assert bright(sky) == {"Office"}
    assert opened.session is not None
    opened.session.workspace.write("Add", lambda writer: control.apply(
        writer, "create_entity", {"name": "Counter", "entity_type": "tool"}))
    qtbot.waitUntil(lambda: sky.scene.entities == len(ALL) + 1)
    settle(qtbot, opened)
    assert bright(sky) == {"Office", "Counter"}


def test_a_search_and_a_type_narrow_together(
    qtbot: QtBot, opened: MainWindow, sky: Sky, panel: Entities
) -> None:
    panel.chips.choose("place")
    settle(qtbot, opened)
    assert bright(sky) == listed(panel) == {"Office"}
    type_in(qtbot, opened, "bank")
    assert bright(sky) == listed(panel) == {"Office"}
    panel.chips.choose("project", "person")
    settle(qtbot, opened)
    assert bright(sky) == listed(panel) == {"Harbor Ledger"}


def test_what_is_found_bears_its_name_and_links_between_the_rest_are_dim(
    qtbot: QtBot, opened: MainWindow, sky: Sky
) -> None:
    type_in(qtbot, opened, "ines")
    mask = narrowed(sky.scene, sky._state.frame.viewpoint)
    assert mask is not None
    assert [sky.scene.labels[node] for node in mask.nonzero()[0]] == ["Ines"]


def test_a_change_of_the_graph_is_searched_again(
    qtbot: QtBot, opened: MainWindow, sky: Sky, panel: Entities
) -> None:
    type_in(qtbot, opened, "counter")
    assert bright(sky) == {"Office"}

    def add(writer: Writer) -> object:
        return control.apply(writer, "create_entity", {"name": "Counter", "entity_type": "tool"})

    assert opened.session is not None
    opened.session.workspace.write("Add", add)
    qtbot.waitUntil(lambda: sky.scene.entities == len(ALL) + 1)
    settle(qtbot, opened)
    assert bright(sky) == listed(panel) == {"Office", "Counter"}


@pytest.mark.parametrize(("text", "said"), [
    ('"golden', "The quotation mark before “golden” is not closed. Close it with \""),
    ("[rel", "The bracket in “[rel” is not closed"),
    ("type:plce", "There is no type “plce”. Did you mean “place”?"),
    ("pinned:maybe", "neither yes nor no"), ("since:soon", "is not a time"),
])
def test_a_search_that_cannot_be_read_says_what_to_write_and_dims_nothing(
    qtbot: QtBot, opened: MainWindow, sky: Sky, panel: Entities, text: str, said: str
) -> None:
    type_in(qtbot, opened, text)
    assert panel.nothing.isVisible()
    assert said in panel.nothing._words.text()
    assert bright(sky) == ALL
    QTest.keyClick(opened.top.search, ESCAPE)
    settle(qtbot, opened)
    assert listed(panel) == ALL


def test_a_typo_is_told(qtbot: QtBot, opened: MainWindow, sky: Sky, panel: Entities) -> None:
    type_in(qtbot, opened, "setlement")
    assert panel.note.isVisible()
    assert "“setlement” is nowhere here: “settlement” was looked for" in panel.note.text()
    type_in(qtbot, opened, " job")
    opened.top.search.setText("settlement")
    settle(qtbot, opened)
    assert not panel.note.isVisible()


def places(window: MainWindow, panel: Entities, sky: Sky) -> dict[str, QWidget]:
    return {"field": window.top.search, "list": panel.list, "sky": sky,
            "another panel": window.docks.panel("proposals")}


def test_a_low_list_says_only_what_was_looked_for_and_whole(
    qtbot: QtBot, opened: MainWindow, panel: Entities
) -> None:
    opened.resize(800, 500)
    type_in(qtbot, opened, "setlement")
    qtbot.waitUntil(lambda: panel.note.isVisible())
    assert panel.note.text().strip("\u2068\u2069") == "“settlement” was looked for"
    qtbot.waitUntil(lambda: panel.note.height() >= panel.note.fontMetrics().height())
    assert panel.note.width() >= panel.note.sizeHint().width()
    assert "“setlement” is nowhere here" in panel.note.toolTip()
    opened.resize(1280, 1000)
    qtbot.waitUntil(lambda: "is nowhere here" in panel.note.text())


@pytest.mark.parametrize("place", ["field", "list", "sky", "another panel"])
def test_escape_clears_search_and_types_from_anywhere(
    qtbot: QtBot, opened: MainWindow, sky: Sky, panel: Entities, place: str
) -> None:
    panel.chips.choose("project", "workflow")
    type_in(qtbot, opened, "bank")
    assert bright(sky) == {"settlement job", "Harbor Ledger"}
    where = places(opened, panel, sky)[place]
    if place == "another panel":
        opened.docks.bring("proposals").focus()
    else:
        where.setFocus()
    QTest.keyClick(opened.focusWidget(), ESCAPE)
    settle(qtbot, opened)
    assert opened.top.search.text() == ""
    assert panel.chips.keys == ()
    assert bright(sky) == listed(panel) == ALL


def test_escape_in_a_field_of_another_panel_clears_the_filter_too(
    qtbot: QtBot, opened: MainWindow, sky: Sky, panel: Entities
) -> None:
    type_in(qtbot, opened, "bank")
    opened.docks.bring("recall").focus()
    field = opened.focusWidget()
    QTest.keyClicks(field, "why")
    QTest.keyClick(field, ESCAPE)
    settle(qtbot, opened)
    assert opened.top.search.text() == ""
    assert bright(sky) == ALL


def test_the_cross_in_the_field_clears_it(
    qtbot: QtBot, opened: MainWindow, sky: Sky, panel: Entities
) -> None:
    [cross] = opened.top.search.findChildren(QToolButton)
    assert not cross.isVisible()
    type_in(qtbot, opened, "bank")
    assert cross.isVisible()
    QTest.mouseClick(cross, LEFT)
    settle(qtbot, opened)
    assert opened.top.search.text() == ""
    assert bright(sky) == listed(panel) == ALL
    assert not cross.isVisible()


def test_the_field_explains_what_can_be_typed(opened: MainWindow) -> None:
    for sign in ("night run", "[tag]", "type:", "pinned:", "since:"):
        assert sign in opened.top.search.toolTip()
        assert sign in opened.top.search.accessibleDescription()
