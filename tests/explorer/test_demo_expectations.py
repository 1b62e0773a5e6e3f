"""The demo is shipped with twenty expectations; a bad proposal breaks one, undo mends it."""

from pathlib import Path

import pytest

from explorer.demo_expectations import demo_expectations
from tests.explorer.conftest import Run

UNPIN_UV = "e7da7790-1bfb-5157-b49e-45121fef2a18"


def test_check_fails_after_the_bad_proposal_is_applied_and_passes_after_undo(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert len(demo_expectations()) == 20
    monkeypatch.setenv("CONSTELLATION_DATA", str(tmp_path / "data"))
    store = ("--store", tmp_path / "demo.db")
    run("new", tmp_path / "demo.db", "--demo")
    assert run("check", *store).out == "20 expectations, all hold\n"
    assert "Nothing to undo" in run("undo", *store).err  # they are no step of the history
    run("ontology", "apply", UNPIN_UV, *store)
    failed = run("check", *store)
    assert failed.code == 1
    assert "“Never call pip directly” must come" in failed.out
    run("undo", *store)
    assert run("check", *store).code == 0
