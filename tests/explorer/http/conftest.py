"""Servers on the world of the contract tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from explorer.http import tokens
from tests.explorer.http.callers import Caller, caller_of


@pytest.fixture(scope="module")
def reading(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Caller]:
    """One server for the tests of a module that change nothing."""
    with caller_of(tmp_path_factory.mktemp("http")) as caller:
        yield caller


@pytest.fixture
def caller(tmp_path: Path) -> Iterator[Caller]:
    """A server of its own for a test that changes the graph."""
    with caller_of(tmp_path) as caller:
        yield caller


@pytest.fixture(scope="module")
def recall_token(reading: Caller) -> str:
    """A token that may read only."""
    return tokens.create("recall", "default", reading.tokens)
