"""A past state is the same whether what it is made of lay ready or was made for it."""

import json
import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path
from unittest.mock import patch

import pytest

from core.errors import OperationError
from core.model.times import parse_time
from core.ontology import control
from core.store.past_ground import Grounds
from core.workspace import Workspace
from tests.contracts.files import KINDS, dump_of, make

TIMED = {"entities": (1, 1), "memories": (2, 2), "entity_aspects": (2, 2),
         "entity_attributes": (3, 9), "entity_dependencies": (2, 10),
         "memory_entity_mentions": (3, 10)}
"""The days of the rows of each table, where they are in order."""
FORMS = ("{}-{:02d}-{:02d}T{:02d}:00:00.000Z", "{}-{:02d}-{:02d} {:02d}:00:00")
ODD = ("2026-04-05T08:00:00+02:00", "2026-04-05T23:30:00-05:00", "soon", "")


def day(number: int) -> datetime:
    moment = parse_time(f"2026-04-{number:02d}T12:00:00Z")
    assert moment is not None
    return moment


def shake(path: Path, seed: int) -> None:
    """Give rows other times, in either order; replace, archive and delete some of them.

    Each third seed leaves all in the order of time, another third has times that are none.
    """
    draw = random.Random(seed)
    with closing(sqlite3.connect(path)) as run, run:
        for table in TIMED:
            columns = {row[1] for row in run.execute(f"PRAGMA table_info({table})")}
            for (row,) in run.execute(f"SELECT rowid FROM {table}").fetchall():
                made = draw.randint(1, 10) if seed % 3 else draw.randint(*TIMED[table])
                values: dict[str, object] = {"created_at": at(draw, made)}
                if "updated_at" in columns:
                    values["updated_at"] = at(draw, draw.randint(made, 10))
                if seed % 3 == 2 and draw.random() < 0.1:
                    values["created_at"] = draw.choice(ODD)
                if draw.random() < 0.3:
                    values |= otherwise(draw, run, table, columns, values, in_order=not seed % 3)
                run.execute(f"UPDATE OR IGNORE {table} SET " + ", ".join(
                    f"{name} = ?" for name in values) + " WHERE rowid = ?", (*values.values(), row))
        name_some(draw, run)


def at(draw: random.Random, number: int) -> str:
    return draw.choice(FORMS).format(2026, 4, number, draw.randint(0, 23))


def otherwise(draw: random.Random, run: sqlite3.Connection, table: str, columns: set[str],
              values: dict[str, object], *, in_order: bool) -> dict[str, object]:
    later = values.get("updated_at", values["created_at"])
    if table == "entity_attributes":
        others = [id for id, made in run.execute("SELECT id, created_at FROM entity_attributes")
                  if not in_order or made[:10] > str(values["created_at"])[:10]]
        other = draw.choice(others) if others else None
        if "archived_at" in columns and draw.random() < 0.2:
            return {"status": "deleted", "superseded_by": other, "archived_at": later}
        return {"status": "superseded", "superseded_by": draw.choice((other, other, None, "x"))}
    if "archived_at" in columns:
        return {"status": "archived", "archived_at": later}
    if "deleted_at" in columns:
        return {"is_deleted": 1, "deleted_at": later}
    return {}


def name_some(draw: random.Random, run: sqlite3.Connection) -> None:
    """Proposals that name rows, as an audit log has them; some look younger than that."""
    if not run.execute("SELECT 1 FROM pragma_table_info('ontology_proposals')").fetchone():
        return
    for number, (id,) in enumerate(run.execute("SELECT id FROM entities").fetchall()):
        if draw.random() < 0.2:
            moment = at(draw, draw.randint(1, 10))
            run.execute(
                "INSERT INTO ontology_proposals (id, agent_id, operation, status, payload, result,"
                " applied_at, created_at, updated_at, created_by, applied_by) VALUES (?, 'default',"
                " 'update_entity', 'applied', '{}', ?, ?, ?, ?, 'agent', 'agent')",
                (f"named-{number}", json.dumps({"entityId": id}), moment, moment, moment))


@pytest.fixture(params=[(kind, seed) for kind in KINDS for seed in range(3)],
                ids=lambda it: f"{it[0]}-{it[1]}")
def graph(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Workspace]:
    kind, seed = request.param
    path, data = tmp_path / "graph.db", tmp_path / "data"
    make(kind, path, data).close()
    shake(path, seed)
    with closing(Workspace.open(path, data_dir=data)) as workspace:
        workspace.allow_writing()
        yield workspace


CHANGES = (
    ("pin_entity", {"entity": "Anna"}), ("archive_entity", {"entity": "Spike"}),
    ("set_claim_value", {"entity": "Tide API", "aspect": "Limits", "claim_key": "rate",
                         "value": "nine"}),
    ("rename_entity", {"entity": "Anna", "new_name": "Anne"}),
    ("merge_entities", {"source_entities": ["Tides API"], "target_entity": "Tide API"}))
"""What a person does next; some of it is refused where the entity was archived."""


def change(graph: Workspace) -> None:
    for name, payload in CHANGES:
        with suppress(OperationError):
            graph.write(name, lambda w: control.apply(w, name, payload))  # noqa: B023
    graph.undo()


def told(graph: Workspace, number: int, *, ready: bool) -> tuple[object, ...]:
    if ready:
        graph.make_past_ready()
    with graph.past_at(day(number)) as past, graph.read_past(past) as reader:
        names = [tuple(row) for row in reader.rows(
            "SELECT name, sql FROM main.sqlite_master WHERE name NOT LIKE 'sqlite_%'"
            " ORDER BY name")]
        return dump_of(reader), past.unknown, names


def test_any_moment_is_the_same_as_without_what_lay_ready(graph: Workspace) -> None:
    slow = [told(graph, number, ready=False) for number in (2, 5, 8)]
    assert [told(graph, number, ready=True) for number in (2, 5, 8)] == slow
    change(graph)
    slow = [told(graph, number, ready=False) for number in (3, 9)]
    assert [told(graph, number, ready=True) for number in (3, 9)] == slow


def test_what_lies_ready_is_not_used_once_the_graph_was_written(tmp_path: Path) -> None:
    with closing(make("native", tmp_path / "graph.db", tmp_path / "data")) as graph:
        graph.make_past_ready()
        graph.write("Pin", lambda w: control.apply(w, "pin_entity", {"entity": "Anna"}))
        now = parse_time("2100-01-01")
        assert now is not None
        with graph.read_as_of(now) as reader:
            assert reader.value("SELECT pinned FROM entities WHERE name = 'Anna'") == 1


def test_what_lies_ready_is_used_and_goes_with_the_past(tmp_path: Path) -> None:
    with closing(make("native", tmp_path / "graph.db", tmp_path / "data")) as graph, \
            patch.object(Grounds, "_copied", autospec=True, side_effect=Grounds._copied) as copied:
        graph.make_past_ready()
        graph.make_past_ready()
        past = graph.show_as_of(day(5))
        assert past is not None
        assert copied.call_count == 1
        graph.make_past_ready()
        ready = graph._pasts.grounds._ready
        assert ready is not None
        assert ready.folder.exists()
        graph.show_as_of(None)
        assert not ready.folder.exists()
        assert not past.folder.exists()


def test_who_wants_a_past_state_does_not_wait_for_what_is_found_out(tmp_path: Path) -> None:
    with closing(make("native", tmp_path / "graph.db", tmp_path / "data")) as graph, \
            patch("core.store.past_ground.STRIDE", 1):
        grounds = graph._pasts.grounds
        with grounds._in_need():
            graph.make_past_ready()
        assert grounds._known is None
        assert grounds._ready is not None
        plain = told(graph, 5, ready=False)
        assert told(graph, 5, ready=True) == plain
        assert grounds._known is not None


def test_a_graph_in_the_order_of_time_is_known_as_one(tmp_path: Path) -> None:
    make("native", tmp_path / "graph.db", tmp_path / "data").close()
    shake(tmp_path / "graph.db", 0)
    with closing(Workspace.open(tmp_path / "graph.db", data_dir=tmp_path / "data")) as graph:
        graph.make_past_ready()
        state_and_times = graph._pasts.grounds._known
        assert state_and_times is not None
        assert {"entity_aspects", "entity_attributes", "memories"} <= (
            state_and_times[1].in_order & state_and_times[1].unnamed)
        assert "entities" in state_and_times[1].in_order
