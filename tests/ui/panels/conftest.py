"""A window for tests of one panel: those that nothing shows are not made."""

import pytest

from ui.docks import Docks


@pytest.fixture(autouse=True)
def _only_panels_that_show(monkeypatch: pytest.MonkeyPatch) -> None:
    """A panel behind a tab is made when it is asked for; making all takes half of a test's time."""
    make_next = Docks._make_next

    def make_shown(docks: Docks) -> None:
        if any(dock.panel is None and dock.in_sight for dock in docks._docks.values()):
            make_next(docks)

    monkeypatch.setattr(Docks, "_make_next", make_shown)
