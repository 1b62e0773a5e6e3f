"""The window of a worker: a person looks around in it while facts are written through it."""

import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from PySide6.QtCore import QEventLoop, QTimer

from explorer.desktop import make_app, make_window
from tests.soak.facts import Fact
from ui.apply_operation import operate
from ui.main_window import MainWindow
from ui.preferences import Preferences

PAUSE_MS = 40
"""Between two things that the person does."""
PANELS = ("entities", "inspector", "proposals", "activity", "claim_history")


def wait(milliseconds: int) -> None:
    """Let the window live."""
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


def opened(graph: Path, chance: random.Random, errors: Callable[[object], None]) -> MainWindow:
    """The real window on the graph, which tells each error that a person would see."""
    make_app()
    main_window = make_window(Preferences(
        graph.parent / f"preferences-{chance.randrange(10**9)}.ini"))
    sys.excepthook = lambda *what: errors(repr(what))
    main_window.resize(1200, 800)
    main_window.show()
    main_window.open_path(graph)
    while main_window.session is None or main_window.sky() is None:
        wait(20)
    main_window.session.runner.went_wrong.connect(lambda error: errors(f"went wrong: {error!r}"))
    return main_window


def look_around(main_window: MainWindow, chance: random.Random) -> None:
    """One thing that changes nothing."""
    session = main_window.session
    if session is None:
        return
    selection, kind = session.context.selection, chance.random()
    if kind < 0.5:
        with session.workspace.read() as reader:
            ids = reader.rows("SELECT id FROM entities WHERE agent_id = :agent LIMIT 300")
        if ids:
            selection.select_entity(chance.choice(ids)["id"])
    elif kind < 0.8:
        selection.search_for(chance.choice(["entity", "late", "", "value 1"]))
    else:
        main_window.show_panel(chance.choice(PANELS))


def work(graph: Path, facts: Iterator[tuple[Fact, str, dict]], chance: random.Random,
         say: Callable[[str, object], None]) -> None:
    """Write facts through the window until killed."""
    main_window = opened(graph, chance, lambda error: say("error", str(error)))
    for fact, operation, payload in facts:
        answered: list[str] = []
        say("try", fact)
        operate(main_window.session.context, operation, payload,
                done=lambda _, into=answered: into.append("done"),
                failed=lambda error, into=answered: into.append(repr(error)))
        while not answered:
            wait(2)
        if answered[0] == "done":
            say("done", fact)
        else:
            say("refused", fact)
            say("error", answered[0])
        look_around(main_window, chance)
        wait(PAUSE_MS)
