"""A long file is imported like a short one, and does not fill the memory."""

import contextlib
import json
import tracemalloc

from core.transfer import observations
from core.transfer.mcp_import import import_mcp, read_mcp
from core.transfer.observations import Observation, ObservationStore, Owned
from core.workspace import Workspace


def lines(count, entities):
    """A memory file in which each entity stands on many lines, some with times and own fields."""
    for number in range(count):
        text = f"says {number // 2 if number % 10 == 0 else number} \N{SNOWMAN}"
        fact = {"content": text, "timestamp": "2026-03-02", "by": "x"} if number % 7 == 0 else text
        yield json.dumps({"type": "entity", "name": f"Entity {number % entities}",
                          "observations": [fact, text.upper()]})


def everything(file):
    return ([(each.name, each.key, each.fields, tuple(each.observations))
             for each in file.entities], file.remarks, file.problems)


def test_what_waits_on_the_disk_is_read_as_what_stays_in_memory(tmp_path, monkeypatch):
    path = tmp_path / "memory.jsonl"
    path.write_text("\n".join(lines(600, 5)), encoding="utf-8")
    short = read_mcp(path)
    monkeypatch.setattr(observations, "IN_MEMORY", 50)
    long = read_mcp(path)
    assert everything(long) == everything(short)
    entity = long.entities[2]
    assert len(entity.observations) == len(short.entities[2].observations) > 100
    assert entity.observations[-1] == short.entities[2].observations[-1]
    assert tuple(entity.observations[3:5]) == short.entities[2].observations[3:5]
    with contextlib.closing(Workspace.open(
            tmp_path / "g.db", data_dir=tmp_path / "data", create=True)) as graph:
        report = graph.write("import", lambda writer: import_mcp(writer, long)).result
        with graph.read() as reader:
            kept = [row["fields"] for row in reader.rows(
                "SELECT f.fields FROM source_fields f WHERE f.agent_id = :agent")]
    assert report.values_new == sum(len(each.observations) for each in short.entities)
    assert sum(json.loads(each).get("by") == "x" for each in kept) == sum(
        "by" in each.source for one in short.entities for each in one.observations) > 50


def test_an_observation_of_a_long_file_takes_a_few_bytes_of_memory(monkeypatch):
    monkeypatch.setattr(observations, "IN_MEMORY", 1_000)
    store = ObservationStore()
    tracemalloc.start()
    begin, _ = tracemalloc.get_traced_memory()
    for number in range(2_000):
        owned = Owned(f"entity {number}")
        for each in range(20):
            text = f"observation {number} {each} which is about as long as most of them are"
            store.add(owned, Observation(text), text)
    store.ended()
    end, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (end - begin) / 40_000 < 30
