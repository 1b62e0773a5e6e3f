"""The first question of a new process uses meanings at once."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from core.recall.best_hits_with_reasons import NEAREST
from core.session.start import NOTHING_FITS
from core.workspace import Workspace
from explorer.cli import engine_options
from tests.core.graphs import Graph

MANY = 6_000
"""Memories without a stored vector: computing theirs takes longer than a question in the window
may, whose time limit is half a second."""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("fresh")
    path = folder / "graph.db"
    workspace = Workspace.open(path, data_dir=folder / "data", create=True)

    def fill(graph: Graph) -> None:
        graph.memory("The physician moved her surgery to the harbour.", id="doctor")
        for number in range(MANY):
            graph.memory(f"Batch {number} of the ferry settlement was signed and sent. " * 8)

    workspace.write("fill", lambda writer: fill(Graph(writer)))
    workspace.close()
    return path


def asked(store: Path, *words: str, data: Path | None = None) -> Any:
    done = subprocess.run(
        [sys.executable, "-m", "explorer", *words, "--store", str(store), "--json"],
        capture_output=True, text=True, encoding="utf-8", check=True, timeout=120,
        env=os.environ | {"CONSTELLATION_DATA": str(data or store.parent / "data")})
    return json.loads(done.stdout)


def test_recall_in_a_new_process_compares_every_memory(store: Path) -> None:
    told = asked(store, "recall", "Where does the doctor work?")
    assert not told["timedOut"]
    assert told["notes"] == [NEAREST]
    assert all("semantic" in hit["channels"] for hit in told["hits"])
    assert "doctor" in [hit["memory"]["id"] for hit in told["hits"]]


def test_what_one_command_computed_the_next_one_finds(store: Path) -> None:
    first = asked(store, "recall", "Where does the doctor work?")
    kept = list((store.parent / "data").rglob("*.vectors"))
    assert len(kept) == 1
    written = kept[0].stat()
    assert asked(store, "recall", "Where does the doctor work?")["hits"] == first["hits"]
    assert kept[0].stat() == written


def test_session_start_in_a_new_process_compares_every_memory(store: Path) -> None:
    told = asked(store, "session", "start", "-q", "Where does the doctor work?")
    assert told["notes"] == [NOTHING_FITS]
    assert "physician" in told["text"]


def test_a_short_time_limit_would_leave_memories_out(store: Path, tmp_path: Path) -> None:
    # Where no other question has left its vectors behind.
    told = asked(store, "session", "start", "-q", "doctor", "--set", "recall.deadlineMs=100",
                 data=tmp_path)
    assert any("Time ran out" in note for note in told["notes"])


def test_a_time_limit_that_was_set_is_kept() -> None:
    usual = engine_options.settings_with("recall", None)
    given = ["deadlineMs=70"]
    own = engine_options.settings_with("recall", given)
    assert engine_options.patient(usual, None).recall.deadline_ms == engine_options.PATIENCE_MS
    assert engine_options.patient(own, given).recall.deadline_ms == 70
