"""A long file is imported like a short one, and does not fill the memory."""

import contextlib
import gc
import io
import json
import tracemalloc
from collections.abc import Sequence

import pytest
from msgspec.structs import fields

from core.store import disk_backed_collections
from core.transfer import (
    damaged_json,
    find_or_create_entities,
    import_context,
    import_relations,
    observation_buffer,
    text_encodings,
)
from core.transfer.import_file import read_import
from core.transfer.mcp_export import mcp_records
from core.transfer.mcp_import import import_mcp, read_mcp
from core.transfer.text_window import Window
from core.workspace import Workspace


def lines(count, entities):
    """A memory file in which each entity stands on many lines, some with times and own fields."""
    for number in range(count):
        text = f"says {number // 2 if number % 10 == 0 else number} \N{SNOWMAN}"
        fact = {"content": text, "timestamp": "2026-03-02", "by": "x"} if number % 7 == 0 else text
        yield json.dumps({"type": "entity", "name": f"Entity {number % entities}",
                          "observations": [fact, text.upper()]})


def everything(file):
    return ([(each.name, each.key, each.entity_type, each.when, each.line, each.fields,
              tuple(each.observations)) for each in file.entities],
            *map(list, (file.relations, file.remarks, file.problems, file.merged)))


def test_what_waits_on_the_disk_is_read_as_what_stays_in_memory(tmp_path, monkeypatch):
    path = tmp_path / "memory.jsonl"
    path.write_text("\n".join(lines(600, 5)), encoding="utf-8")
    short = read_mcp(path)
    monkeypatch.setattr(disk_backed_collections, "IN_MEMORY", 50)
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


FAULTS = (
    {"name": "Ada", "entityType": "person", "observations": ["Sails", "sails", ""], "mood": "calm"},
    {"name": "ADA", "entityType": "pilot", "observations": ["Sails", "Flies"], "mood": "new"},
    {"name": "Cafe\N{COMBINING ACUTE ACCENT}", "id": "c1", "observations": [False] * 150},
    {"name": "Caf\N{LATIN SMALL LETTER E WITH ACUTE}", "timestamp": "noon", "observations": ["x"]},
    {"from": "c1", "to": "ada", "relationType": "knows"},
    {"from": "Later", "to": "Nobody", "relationType": "meets", "since": 1990},
    {"from": "Later", "to": "NOBODY", "relationType": "Meets", "since": 1991},
    {"from": "Ada", "to": "ADA", "relationType": "is"},
    {"from": "Ada", "to": "Ada", "relationType": "likes"},
    {"from": "", "to": "Ada"}, {"name": " "}, {"level": "info"}, 7,
    {"name": "Later", "entityType": "time", "observations": [{"content": "Comes", "by": "me"}]},
    {"name": "Ada", "observations": ["Rests"], "mood": "tired"},
)


def test_all_faults_are_told_of_a_long_file_as_of_a_short_one(tmp_path, monkeypatch):
    path = tmp_path / "memory.jsonl"
    path.write_text("\n".join((*map(json.dumps, FAULTS), "no JSON", *lines(30, 9))))
    short = read_mcp(path)
    assert (len(short.problems), len(short.merged)) > (100, 1)
    assert len(short.remarks) > 10
    monkeypatch.setattr(disk_backed_collections, "IN_MEMORY", 2)
    long = read_mcp(path)
    assert not isinstance(long.entities, tuple)
    assert everything(long) == everything(short)
    assert (len(long.relations), long.relations[-1], long.problems[1:4]) == (
        len(short.relations), short.relations[-1], short.problems[1:4])


def undated(record):
    return {key: value for key, value in record.items() if key != "createdAt"}


def imported(folder, file):
    """The report and what an export has of a file that is imported twice over another one."""
    before = read_mcp(io.BytesIO(json.dumps({"name": "caf\N{LATIN SMALL LETTER E WITH ACUTE}",
                                             "observations": ["X"]}).encode()))
    with contextlib.closing(Workspace.open(
            folder / "g.db", data_dir=folder / "data", create=True)) as graph:
        graph.write("before", lambda writer: import_mcp(writer, before))
        reports = [graph.write("import", lambda writer: import_mcp(writer, file)).result
                   for _ in range(2)]
        with graph.read() as reader:
            records = json.loads(json.dumps(list(mcp_records(reader))), object_hook=undated)
    return [[list(value) if isinstance(value, Sequence) else value for value in (
        getattr(report, field.name) for field in fields(report))] for report in reports], records


def test_a_long_file_is_imported_as_a_short_one(tmp_path, monkeypatch):
    path = tmp_path / "memory.jsonl"
    path.write_text("\n".join((*map(json.dumps, FAULTS), "no JSON", *lines(30, 9))))
    short = imported(tmp_path / "short", read_mcp(path))
    monkeypatch.setattr(disk_backed_collections, "IN_MEMORY", 2)
    monkeypatch.setattr(find_or_create_entities, "CACHED", 2)
    monkeypatch.setattr(import_relations, "CACHED", 2)
    monkeypatch.setattr(import_context, "PORTION", 2)
    assert imported(tmp_path / "long", read_mcp(path)) == short


def test_of_very_long_names_few_are_remembered_until_relations_are_read(tmp_path, monkeypatch):
    held, learn = [], find_or_create_entities.KnownEntities.learn_new

    def watched(names, other):
        learn(names, other)
        held.append(sum(map(len, names._by_key)))

    monkeypatch.setattr(find_or_create_entities.KnownEntities, "learn_new", watched)
    monkeypatch.setattr(find_or_create_entities, "CHARACTERS", 1000)
    monkeypatch.setattr(import_context, "PORTION", 2)
    names = [f"{number} {'long ' * 20}name" for number in range(30)]
    records = [*({"type": "entity", "name": name} for name in names),
               *({"type": "relation", "from": names[0], "to": name, "relationType": "uses"}
                 for name in names[1:])]
    file = read_mcp(io.BytesIO("\n".join(map(json.dumps, records)).encode()))
    with contextlib.closing(Workspace.open(
            tmp_path / "g.db", data_dir=tmp_path / "data", create=True)) as graph:
        report = graph.write("import", lambda writer: import_mcp(writer, file)).result
    assert (report.entities_new, report.links_new) == (30, 29)
    assert 0 < max(held) <= 1000


def entities_of_their_own(count):
    return "\n".join(json.dumps({"type": kind, **(
        {"name": f"Entity {number}", "observations": [f"says {number}"], "mood": "calm"}
        if kind == "entity" else {"from": f"Ghost {number}", "to": "Entity 1"}
        if kind == "relation" else {"level": "info"})})
        for number in range(count) for kind in ("entity", "relation", "log"))


def test_what_a_long_file_holds_takes_no_memory(tmp_path, monkeypatch):
    """Whatever there is very much of: entities, facts, relations, problems."""
    monkeypatch.setattr(disk_backed_collections, "IN_MEMORY", 50)
    monkeypatch.setattr(disk_backed_collections, "SIGNS", 2**13 - 1)
    path = tmp_path / "memory.jsonl"
    path.write_text(entities_of_their_own(1_000))
    read_mcp(path)
    tracemalloc.start()
    begin, _ = tracemalloc.get_traced_memory()
    file = read_mcp(path)
    end, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (len(file.entities), len(file.relations), len(file.problems)) == (1_000,) * 3
    assert end - begin < 100_000


def test_few_facts_that_are_very_long_take_no_memory(tmp_path):
    path = tmp_path / "memory.jsonl"
    text = "unusually_long " * 27_000
    path.write_text("\n".join(json.dumps({
        "name": f"E{n}", "observations": [f"{n} {text}"]}) for n in range(40)))
    tracemalloc.start()
    file = read_mcp(path)
    facts = (fact for each in file.entities for fact in each.observations)
    assert sum(len(fact.text) for fact in facts) > 16_000_000
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 24_000_000


@pytest.mark.parametrize("record", [
    {"type": "entity", "observations": ["is short"]},
    {"type": "entity", "observations": [{"text": "is short"}]},
    {"type": "relation", "from": "Ann", "relationType": "knows"},
])
def test_fields_that_are_very_long_take_no_memory(tmp_path, monkeypatch, record):
    """What is kept of a record counts as what it says: few of them are as much as many facts."""
    monkeypatch.setattr(disk_backed_collections, "LONG", 2_000_000)
    path = tmp_path / "memory.jsonl"

    def line(number):
        long = {"extra": f"{number} " + "long " * 100_000}
        if "observations" not in record:
            return {**record, "to": f"E{number}", **long}
        [said] = record["observations"]
        return {**record, "name": f"E{number}", **(
            long if isinstance(said, str) else {"observations": [{**said, **long}]})}

    path.write_text("\n".join(json.dumps(line(number)) for number in range(100)))
    with contextlib.closing(Workspace.open(
            tmp_path / "g.db", data_dir=tmp_path / "data", create=True)) as workspace:
        tracemalloc.start()
        workspace.write("import", lambda writer: import_mcp(writer, read_mcp(path)))
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        with workspace.read() as reader:
            [kept] = reader.rows("SELECT COUNT(*) AS n FROM source_fields f"
                                 " WHERE f.agent_id = :agent AND LENGTH(f.fields) > 400000")
    assert kept["n"] == 100
    assert most < 40_000_000


def test_the_collector_rests_while_a_file_is_imported(tmp_path):
    path = tmp_path / "memory.jsonl"
    path.write_text(entities_of_their_own(3))
    looks = []
    with contextlib.closing(Workspace.open(
            tmp_path / "g.db", data_dir=tmp_path / "data", create=True)) as graph:
        file = read_mcp(path, lambda share: looks.append(gc.isenabled()))
        graph.write("import", lambda writer: import_mcp(
            writer, file, lambda share: looks.append(gc.isenabled())))
    assert len(looks) > 2
    assert not any(looks)
    assert gc.isenabled()


def facts(number):
    texts = [f"fact {number} \N{SNOWMAN}", number * 1.5]
    return {"name": f"Entity {number}", "observations": texts}


def documents():
    """One graph as people have it: lines, a list, an object on one line and on many, a table."""
    entities = [facts(number) for number in range(12)]
    links = [{"from": "Entity 1", "to": "Entity 2", "relationType": "uses"}]
    whole = {"version": {"a": [1, 2]}, "entities": entities, "relations": links}
    yield "memory.jsonl", "\n".join(map(json.dumps, entities + links))
    yield "list.json", json.dumps(entities + links, indent=1, ensure_ascii=False)
    yield "object.json", json.dumps(whole)
    yield "many.json", "\ufeff" + json.dumps(whole, indent=2)
    yield "cut.json", json.dumps(whole, indent=2)[:-40] + "\n" + json.dumps(
        {"type": "entity", "name": "Behind"})
    yield "graph.json", json.dumps({"directed": True, "nodes": [
        {"id": str(number), **facts(number)} for number in range(9)],
        "links": [{"source": "1", "target": "2", "label": "uses"}]})
    yield "record.json", json.dumps({"entityType": "person", **facts(1)})
    yield "table.csv", "\ufeffentity,fact\n" + "\r\n".join(
        f'Entity {number},"fact\n{number} \N{SNOWMAN}"' for number in range(12))


@pytest.mark.parametrize(("name", "text"), tuple(documents()), ids=lambda each: each[:12])
def test_a_file_that_is_read_in_small_parts_holds_the_same(tmp_path, monkeypatch, name, text):
    path = tmp_path / name
    for encoding in ("utf-8", "utf-16-le"):
        path.write_bytes(text.encode(encoding))
        whole = read_import(path)
        with monkeypatch.context() as patched:
            for part in (3, 50):
                patched.setattr(text_encodings, "PART", part)
                assert read_import(path) == whole, (encoding, part)
                # A value that is long for its file is not read twice to know what it is.
                patched.setattr(damaged_json, "LONG", 60)
                assert everything(read_import(path)) == everything(whole), (encoding, part)


def test_only_a_part_of_a_long_text_is_held():
    parts = (f'{{"type": "entity", "name": "{number}"}}\n' * 20 for number in range(1_000))
    window, most = Window(parts), 0
    for _ in window.lines():
        most = max(most, len(window.text))
    assert most < 3_000


def test_a_long_graph_of_networkx_is_known_before_its_links_are_read(tmp_path):
    path = tmp_path / "graph.json"
    path.write_text(json.dumps({"directed": True, "multigraph": False, "graph": {}, "nodes": [
        {"id": str(number), "observations": ["long " * 400]} for number in range(60)],
        "links": [{"source": "1", "target": "2", "label": "uses"}]}))
    file = read_import(path)
    assert (len(file.entities), [each.words for each in file.relations]) == (60, ["uses"])


def test_the_facts_of_a_long_file_are_read_in_any_order_of_entities(tmp_path, monkeypatch):
    monkeypatch.setattr(disk_backed_collections, "IN_MEMORY", 10)
    monkeypatch.setattr(observation_buffer, "_AHEAD", 7)
    said = {f"E{n}": [f"fact {n} {m}" for m in range(n % 12)] for n in range(40)}
    path = tmp_path / "memory.jsonl"
    path.write_text("\n".join(json.dumps({
        "type": "entity", "name": name, "observations": facts}) for name, facts in said.items()))
    file = read_mcp(path)
    for entities in (list(file.entities), list(file.entities)[::-3]):
        for entity in entities:
            assert [each.text for each in entity.observations] == said[entity.name]


def test_a_fact_longer_than_any_memory_is_told_and_left_out(tmp_path):
    path = tmp_path / "memory.jsonl"
    texts = ["long " * 250_000, "short"]
    path.write_text(json.dumps({"type": "entity", "name": "A", "observations": texts}))
    file = read_import(path)
    assert [fact.text for fact in file.entities[0].observations] == ["short"]
    assert [(fault.line, fault.what[:32]) for fault in file.problems] == [
        (1, "is longer than 1,000,000 charact")]
