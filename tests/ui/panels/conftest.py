"""A test of one panel makes that panel alone."""

import pytest


@pytest.fixture(autouse=True)
def _only_the_panel_asked_for(only_panels_asked_for: None) -> None:
    """The panels beside it take a third of such a test's time."""
