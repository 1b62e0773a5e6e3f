"""Killed at any instant: every acknowledged change is there, every other one wholly absent."""

import json
import random
import select
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from core.workspace import Workspace
from tests.soak.restless import perform

ROUNDS = 200


def rows(path: Path) -> dict[str, list]:
    """What a person would miss: entities with their pins, active values, links."""
    connection = sqlite3.connect(path)
    try:
        assert connection.execute("PRAGMA quick_check").fetchone() == ("ok",)
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        return {
            "entities": connection.execute(
                "SELECT name, pinned FROM entities ORDER BY name").fetchall(),
            "values": connection.execute(
                "SELECT content, status, version FROM entity_attributes ORDER BY id").fetchall(),
            "links": connection.execute(
                "SELECT source_entity_id, target_entity_id FROM entity_dependencies "
                "ORDER BY id").fetchall()}
    finally:
        connection.close()


def audits(path: Path) -> int:
    """How many steps have changed something: each leaves one audit row, and undo does not take
    it away; a step that says again what is so already leaves none."""
    connection = sqlite3.connect(path)
    try:
        return int(connection.execute("SELECT count(*) FROM ontology_proposals").fetchone()[0])
    finally:
        connection.close()


def killed(path: Path, data: Path, root: Path, chance: random.Random, seed: int) -> list[list]:
    """Let a process work for a random moment, kill it, and return what it said."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.soak.restless", str(path), str(data), str(seed)],
        cwd=root, stdout=subprocess.PIPE, text=True) as child:
        said = [json.loads(child.stdout.readline())]  # the round begins when the first step does
        end = time.monotonic() + chance.expovariate(1 / 0.25)
        while time.monotonic() < end:
            ready, _, _ = select.select([child.stdout], [], [], max(0.0, end - time.monotonic()))
            if ready:
                said.append(json.loads(child.stdout.readline()))
        child.send_signal(signal.SIGKILL)
        rest = child.stdout.read()
    return said + [json.loads(line) for line in rest.splitlines() if line.endswith("]")]


def acknowledged(said: list[list]) -> tuple[list[list], list | None]:
    """The steps that were acknowledged, and the one that was under way."""
    done = [step for word, step in said if word == "done"]
    return done, said[-1][1] if said[-1][0] == "try" else None


def expected(path: Path, data: Path, steps: list[list]) -> dict[str, list]:
    """The rows that the same steps give when nobody kills anything, by content not by id."""
    workspace = Workspace.open(path, data_dir=data)
    try:
        for step in steps:
            perform(workspace, step)
    finally:
        workspace.close()
    return content(path)


def content(path: Path) -> dict[str, list]:
    """The same rows without ids, so that two runs can be compared."""
    found = rows(path)
    connection = sqlite3.connect(path)
    found["values"] = sorted(found["values"])
    found["links"] = sorted(connection.execute(
        "SELECT s.name, t.name FROM entity_dependencies AS d JOIN entities AS s "
        "ON s.id = d.source_entity_id JOIN entities AS t ON t.id = d.target_entity_id").fetchall())
    connection.close()
    return found


@pytest.mark.soak
def test_a_kill_at_any_moment_loses_nothing_that_was_acknowledged(tmp_path, root):
    path, data = tmp_path / "graph.db", tmp_path / "data"
    twin, twin_data = tmp_path / "twin.db", tmp_path / "twin-data"
    Workspace.open(path, data_dir=data, create=True).close()
    Workspace.open(twin, data_dir=twin_data, create=True).close()
    chance = random.Random(7)
    steps = 0
    for number in range(ROUNDS):
        before, before_twin = audits(path), audits(twin)
        done, under_way = acknowledged(killed(path, data, root, chance, number))
        steps += len(done)
        found = content(path)
        wanted = expected(twin, twin_data, done)
        more = (audits(path) - before) - (audits(twin) - before_twin)
        assert more in ((0, 1) if under_way is not None else (0,))
        if more:
            # The step under way was committed although it was not yet acknowledged.
            wanted = expected(twin, twin_data, [under_way])
        assert found == wanted, f"round {number}, under way: {under_way}"
        undo_is_usable(path, data, found)
    assert steps > ROUNDS
    sys.stderr.write(f"\n{ROUNDS} kills, {steps} acknowledged steps, none lost\n")


def undo_is_usable(path: Path, data: Path, before: dict[str, list]) -> None:
    """The last step can be taken back and done again, exactly."""
    workspace = Workspace.open(path, data_dir=data)
    try:
        if workspace.undo_step() is None:
            return
        workspace.undo()
        workspace.redo()
    finally:
        workspace.close()
    assert content(path) == before
