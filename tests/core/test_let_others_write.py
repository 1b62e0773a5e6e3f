"""Changes that are tried one after the other leave other programs time to write."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from threading import Thread
from time import sleep

import pytest

from core.store import writer_thread
from core.workspace import Workspace
from tests.core.graphs import Graph

MANY, TAKES_S, PATIENCE_S = 40, 0.05, 1.5


def try_one(workspace: Workspace, takes: float = 0.0) -> None:
    workspace.rehearse(lambda writer: (Graph(writer).entity("Vega"), sleep(takes)))


def write_elsewhere(workspace: Workspace, mentions: int) -> None:
    with closing(sqlite3.connect(workspace.path, timeout=PATIENCE_S)) as other, other:
        other.execute(f"UPDATE entities SET mentions = {mentions}")


def test_who_waits_is_let_in_between(graph: Callable[..., Workspace]) -> None:
    workspace = graph(lambda g: g.entity("Altair"))
    workspace.poll()
    write_elsewhere(workspace, 6)
    workspace.poll()
    tries = Thread(target=lambda: [try_one(workspace, TAKES_S) for _ in range(MANY)])
    tries.start()
    sleep(0.3)
    write_elsewhere(workspace, 7)
    assert tries.is_alive(), "it did not have to wait for all of them"
    tries.join()
    with workspace.read() as reader:
        assert reader.value("SELECT mentions FROM entities WHERE agent_id = :agent") == 7


def test_there_is_a_gap_after_a_while_and_none_for_a_few(
    graph: Callable[..., Workspace], monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace, gaps = graph(lambda g: g.entity("Altair")), list[float]()
    monkeypatch.setattr(writer_thread, "sleep", gaps.append)
    monkeypatch.setattr(writer_thread, "GAP_S", 60.0)
    try_one(workspace)
    try_one(workspace)
    assert gaps == []
    monkeypatch.setattr(writer_thread, "HELD_S", 1e-6)
    try_one(workspace)
    assert gaps == [], "nobody else writes"
    workspace.poll()
    write_elsewhere(workspace, 6)
    workspace.poll()
    try_one(workspace)
    assert gaps == [60.0]
    monkeypatch.setattr(writer_thread, "GAP_S", 0.0)
    try_one(workspace)
    assert gaps == [60.0], "the file was free meanwhile"
