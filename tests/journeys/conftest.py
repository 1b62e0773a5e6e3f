"""Journeys go through the whole window with the guards and fixtures of the widget tests."""

from pathlib import Path

import pytest

from tests.ui.conftest import (  # noqa: F401 - fixtures are found by their names
    HARMLESS,
    _late_answers,
    _look,
    _no_collection_while_qt_runs,
    _nothing_stays_behind,
    _style,
    _time_enough,
    opened,
    preferences,
    qapp_args,
    qapp_cls,
    theme,
    window,
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.qt_log_ignore(*HARMLESS, extend=True))
