"""A test of an action makes no panel that it does not ask for."""

import pytest


@pytest.fixture(autouse=True)
def _only_the_panels_asked_for(only_panels_asked_for: None) -> None:
    """The panels beside take much of such a test's time."""
