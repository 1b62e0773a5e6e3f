"""MCP memory files: every dialect and fault is read, and importing again changes nothing."""

import json
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import Cancelled
from core.queries.entities import find_entity, list_entities
from core.queries.knowledge import aspects_of
from core.queries.links import links_of
from core.queries.memories import memories_of
from core.transfer import import_context
from core.transfer.mcp_import import import_mcp, read_mcp
from core.transfer.unknown_formats import DO
from core.workspace import Workspace
from tests.contracts.files import make as make_file
from tests.core.graphs import Graph

DIALECTS = """\
{"name":"Night Run","entityType":"Workflow","observations":[{"text":"After the backup",\
"timestamp":"2026-03-02T01:10:00Z"},{"content":"Forty minutes"}],"createdAt":"2026-03-01","v":3}
{"from":"Night Run","to":"Ledger","relationType":"part_of","createdBy":"agent"}

{"type":"entity","name":"night  RUN","entityType":"other","observations":"Reports to #ops"}
{"type":"relation","from_id":"Night Run","to_id":"Дежурство","relation_type":"depends-on"}
{"type":"entity","name":"Torn A","observations":["one"]}{"type":"entity","name":"Torn B"}
{"type":"concert","name":"A foreign record"}
{"type":"entity","name":"Broken","observations":["stops in the mid
{"type":"entity","entityType":"person","observations":["has no name"]}
{"type":"entity","name":"No Type","observations":null}
{"type":"relation","from":"Night Run","to":"Night Run","relationType":"retries"}
{"type":"relation","from":"Night Run","relationType":"lost"}
{"type":"entity","name":17,"observations":["seventeen",18,null,{"x":1},true]}
{"type":"entity","name":{"a":1}}
["x"]
"just text"
{"a":1}
{"type":"relation","from":"Night Run","to":"Night Run","relationType":"Retries"}"""


def read(text, tmp_path, encoding="utf-8"):
    path = tmp_path / "memory.jsonl"
    path.write_bytes(text if isinstance(text, bytes) else text.encode(encoding))
    return read_mcp(path)


def told(file):
    """The names, observations and relations of a file, without lines."""
    return ({entity.name: [item.text for item in entity.observations] for entity in file.entities},
            [(item.source, item.words, item.target) for item in file.relations])


# -- reading --------------------------------------------------------------------------------------


def test_every_dialect_is_read_and_every_fault_named_with_its_line(tmp_path):
    file = read(DIALECTS, tmp_path)
    assert told(file) == (
        {"Night Run": ["After the backup", "Forty minutes", "Reports to #ops"],
         "Torn A": ["one"], "Torn B": [], "No Type": [], "17": ["seventeen", "18", "x: 1"]},
        [("Night Run", "part_of", "Ledger"), ("Night Run", "depends-on", "Дежурство"),
         ("Night Run", "retries", "Night Run")])
    first = file.entities[0]
    assert (first.entity_type, first.when, first.line) == ("Workflow", "2026-03-01", 1)
    assert first.observations[0].when == "2026-03-02T01:10:00Z"
    assert [(problem.line, problem.field) for problem in file.problems] == [
        (7, "type"), (8, ""), (9, "name"), (12, "to"), (13, "observations"),
        (14, "name"), (15, ""), (16, ""), (17, "type")]
    assert "concert" in file.problems[0].what


RECORDS = [
    {"type": "entity", "name": "A", "entityType": "tool", "observations": ["first", "second"]},
    {"type": "entity", "name": "B", "entityType": "tool", "observations": ["<b>x</b> & ü 名前"]},
    {"type": "relation", "from": "A", "to": "B", "relationType": "uses"},
]
LINES = "\n".join(json.dumps(item, ensure_ascii=False) for item in RECORDS)
EXPECTED = ({"A": ["first", "second"], "B": ["<b>x</b> & ü 名前"]}, [("A", "uses", "B")])
LISTS = {"entities": [{k: v for k, v in item.items() if k != "type"} for item in RECORDS[:2]],
         "relations": [{k: v for k, v in RECORDS[2].items() if k != "type"}]}


@pytest.mark.parametrize("text", [
    LINES, LINES + "\n", LINES.replace("\n", "\r\n"), "\n\n" + LINES.replace("\n", "\n\n"),
    "\ufeff" + LINES, LINES.replace("\n", ",\n"), LINES.replace("\n", ""),
    json.dumps(RECORDS), json.dumps(RECORDS, indent=2), "\n" + json.dumps(RECORDS, indent=1),
    json.dumps(LISTS), json.dumps(LISTS, indent=2), json.dumps({"version": 1, **LISTS}, indent=2),
    json.dumps({"graph": LISTS}, indent=2), "[\n" + LINES.replace("\n", ",\n") + "\n]",
    "\n".join(json.dumps(item, indent=2) for item in RECORDS),
    LINES.encode("utf-16"), LINES.encode("utf-16-le"), LINES.encode("utf-16-be"),
    json.dumps(RECORDS, indent=2).encode("utf-16"),
])
def test_every_form_of_the_same_file_reads_the_same(tmp_path, text):
    file = read(text, tmp_path)
    assert told(file) == EXPECTED
    assert file.problems == ()


@pytest.mark.parametrize("text", [
    json.dumps(RECORDS, indent=2), json.dumps(LISTS, indent=2), json.dumps(RECORDS),
    json.dumps(LISTS, indent=2).replace("second\"", "second\","),
])
def test_of_a_document_that_is_cut_the_beginning_is_kept_and_the_place_named(tmp_path, text):
    cut = text[:text.index("<b>") + 2]
    file = read(cut, tmp_path)
    assert set(told(file)[0]) <= {"A"}
    assert len(file.problems) == 1
    assert 1 <= file.problems[0].line <= cut.count("\n") + 1


def test_a_cut_first_line_does_not_spoil_the_rest(tmp_path):
    file = read('{"type":"entity","name":"Cut","observ\n' + LINES, tmp_path)
    assert told(file) == EXPECTED
    assert [problem.line for problem in file.problems] == [1]


def test_lines_of_a_document_are_told_by_its_own_lines(tmp_path):
    file = read('{\n "entities": [\n\n  {"name": "A"},\n  {"name": ""}\n ]\n}', tmp_path)
    assert [entity.line for entity in file.entities] == [4]
    assert [problem.line for problem in file.problems] == [5]


def test_text_that_no_file_can_hold_is_mended(tmp_path):
    file = read('{"type":"entity","name":"A\\u0000\\ud83d",'
                '"observations":["\\ude00 \\ud83d\\ude00","a\u2028b"]}\n', tmp_path)
    [entity] = file.entities
    assert entity.name == "A\ufffd"
    assert entity.observations[0].text == "\ufffd 😀"
    assert file.problems == ()


DEEP = '{"a":' * 1200 + "1" + "}" * 1200


def test_a_field_that_is_too_deep_costs_only_itself(tmp_path):
    line = f'{{"type":"entity","name":"A","extra":{DEEP},"observations":["one",{DEEP},"two"]}}'
    file = read(f"{line}\n{LINES}", tmp_path)
    assert told(file)[0]["A"] == ["one", "two", "first", "second"]
    assert [(problem.line, problem.field) for problem in file.problems] == [
        (1, "observations"), (1, "extra")]
    inside = json.dumps(LISTS, ensure_ascii=False).replace('"first"', DEEP + ', "first"')
    assert told(read(inside, tmp_path)) == EXPECTED


@pytest.mark.parametrize("first", [
    "[2026-01-01 10:00:00] server started", "[" * 5000, "[" * 5000 + "]" * 5000, "[info] ready",
    '["x", "y"]', "[1, 2", '[{"level": 1}] ready',
])
def test_a_first_line_that_begins_with_a_bracket_costs_only_itself(tmp_path, first):
    file = read(first + "\n" + LINES, tmp_path)
    assert told(file) == EXPECTED
    assert {problem.line for problem in file.problems} == {1}


def test_behind_the_damage_of_a_document_whole_lines_are_read(tmp_path):
    broken = "[\n" + LINES.replace("\n", ",\n").replace('"first"', '"first') + "\n]"
    file = read(broken, tmp_path)
    assert told(file) == ({"B": EXPECTED[0]["B"]}, EXPECTED[1])
    assert [problem.line for problem in file.problems] == [2]


@pytest.mark.parametrize(("encoding", "name"), [
    ("utf-32", "UTF-32"), ("utf-32-le", "UTF-32"), ("utf-32-be", "UTF-32"),
    ("utf-16", "UTF-16"), ("latin-1", "Latin-1 (Windows-1252)"),
    ("cp1252", "Latin-1 (Windows-1252)"), ("utf-8", ""), ("utf-8-sig", "")])
def test_the_encoding_is_named_and_read_right(tmp_path, encoding, name):
    text = '{"type":"entity","name":"Café","observations":["Überfüllt um zehn"]}'
    file = read(text, tmp_path, encoding)
    assert told(file)[0] == {"Café": ["Überfüllt um zehn"]}
    assert (file.encoding, file.problems) == (name, ())


@pytest.mark.parametrize(("text", "looks"), [
    ('{"id": 0, "text": "bought bread", "ts": 1}', "notes of another tool (id, text, ts)"),
    ('{"role":"user","content":"x"}', "chat"), ("2026-01-01 10:00:00 started", "a log"),
    ("[2026-01-01 10:00] started", "a log"), ("CREATE TABLE a (b);", "SQL"),
    ("# Notes", "Markdown"), ("name,type,text\n", "CSV"),
    ("zzz", ""),
])
def test_a_file_of_another_tool_is_told_by_what_it_looks_like(tmp_path, text, looks):
    file = read(text, tmp_path)
    assert looks in file.looks_like
    assert bool(looks) == bool(file.looks_like)


def test_what_to_do_with_another_tools_file_can_be_done_in_a_window_too():
    assert "constellation " not in DO, "who dropped a file has no shell"
    assert "note in Markdown (.md)" in DO


def test_bytes_that_are_not_utf_8_are_shown_and_named(tmp_path):
    file = read(LINES.encode() + b'\n{"type":"entity","name":"caf\xe9"}', tmp_path)
    assert file.entities[-1].name == "caf\ufffd"
    assert [problem.line for problem in file.problems] == [4]


@pytest.mark.parametrize("text", [
    "", "\n \n", "hello\nworld", "[" * 50_000, "{}", "[]", "null", "[[[]]]", "1e999", "9" * 5000,
    '{"entities":[],"relations":[]}', '{"entities":5}', '{"type":["entity"],"name":"x"}',
])
def test_files_that_hold_nothing_give_nothing(tmp_path, text):
    file = read(text, tmp_path)
    assert (file.entities, file.relations) == ((), ())


@given(st.binary(max_size=300) | st.text(alphabet='{}[]":, \n\\antyperofm', max_size=300).map(
    lambda text: text.encode()))
def test_no_bytes_make_the_reader_fail(raw):
    for text in (raw, LINES.encode() + b"\n" + raw, json.dumps(LISTS).encode()[:-40] + raw):
        read_mcp(BytesIO(text))


def test_very_many_faults_of_one_line_are_counted(tmp_path):
    file = read('{"type":"entity","name":"A","observations":[%s"one"]}' % ("{}," * 5000), tmp_path)
    assert told(file)[0] == {"A": ["one"]}
    assert len(file.problems) == 101
    assert file.problems[-1].what == "and 4,900 more like these"


def test_an_entitys_own_id_stands_for_its_name_in_relations(tmp_path):
    file = read('{"type":"entity","id":"n1","name":"Alpha"}\n{"type":"entity","id":"n2",'
                '"name":"Beta"}\n{"type":"relation","from_id":"n1","to_id":"n2",'
                '"relation_type":"uses"}', tmp_path)
    assert told(file)[1] == [("Alpha", "uses", "Beta")]


def test_reading_reports_its_share_and_stops_when_asked(tmp_path):
    many = "\n".join(json.dumps({"type": "entity", "name": f"e{n}"}) for n in range(5000))
    shares = []
    path = tmp_path / "m.jsonl"
    path.write_text(many)
    assert len(read_mcp(path, shares.append).entities) == 5000
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert len(shares) > 2

    def stop(share):
        raise Cancelled("stopped")

    with pytest.raises(Cancelled):
        read_mcp(path, stop)


# -- importing ------------------------------------------------------------------------------------


@pytest.fixture
def graph(tmp_path):
    workspace = Workspace.open(tmp_path / "g.db", data_dir=tmp_path / "data", create=True)
    yield workspace
    workspace.close()


@pytest.fixture
def take(graph, tmp_path):
    """Imports a text into the graph."""
    return lambda text: graph.write(
        "import", lambda writer: import_mcp(writer, read(text, tmp_path))).result


def dump(workspace):
    """Every row of every table."""
    with workspace.read() as reader:
        tables = [row[0] for row in reader.rows(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '%fts%'"
            " AND sql LIKE 'CREATE TABLE%'")]
        return {table: sorted(map(repr, map(tuple, reader.rows(f"SELECT * FROM main.{table}"))))
                for table in tables}


def values(workspace, name):
    with workspace.read() as reader:
        entity = find_entity(reader, name, archived=True)
        return [value.content for aspect in aspects_of(reader, entity.id, archived=True)
                for group in aspect.groups for claim in group.claims for value in claim.values
                if value.status == "active"]


def of_names(workspace, **filters):
    with workspace.read() as reader:
        return {row.name: row for row in list_entities(reader, **filters)}


def links(workspace, name):
    with workspace.read() as reader:
        edges = links_of(reader, find_entity(reader, name).id, archived=True)
        return {(link.dependency_type, link.other_name): link
                for link in edges if link.direction == "out"}


def change(workspace, table, where, **columns):
    assert workspace.write(
        "by hand", lambda writer: writer.update_where(table, where, columns)).result


def test_entities_values_memories_and_links_arrive(graph, take):
    done = take(DIALECTS)
    assert (done.entities_new, done.values_new, done.links_new, done.skipped) == (7, 7, 3, 0)
    assert done.dangling == ("Ledger", "Дежурство")
    assert len(done.problems) == 9
    found = of_names(graph)
    assert set(found) == {"Night Run", "Torn A", "Torn B", "No Type", "17", "Ledger", "Дежурство"}
    assert (found["Night Run"].entity_type, found["Night Run"].mentions) == ("workflow", 3)
    assert found["Ledger"].entity_type == found["No Type"].entity_type == "unknown"
    assert set(values(graph, "night run")) == {"After the backup", "Forty minutes",
                                               "Reports to #ops"}
    with graph.read() as reader:
        [aspect] = aspects_of(reader, found["Night Run"].id)
        assert (aspect.name, aspect.groups[0].key) == ("observations", "general")
        memories = memories_of(reader, found["Night Run"].id)
        assert {memory.source_kind for memory in memories} == {"mcp"}
        assert memories[-1].created_at == "2026-03-01T00:00:00.000Z"
        assert {memory.content for memory in memories} == set(values(graph, "night run"))


def test_relations_keep_their_word_or_become_related_to_with_their_words(graph, take):
    take(DIALECTS)
    edges = links(graph, "Night Run")
    assert {key: link.reason for key, link in edges.items()} == {
        ("part_of", "Ledger"): None, ("depends_on", "Дежурство"): None,
        ("related_to", "Night Run"): "retries"}


def test_a_relation_is_called_what_the_file_calls_it(graph, take):
    done = take(DIALECTS)
    assert done.kept_words == ("retries",)
    assert {link.words for link in links(graph, "Night Run").values()} == {
        "part of", "depends on", "retries"}
    assert take(DIALECTS).kept_words == ()


def test_importing_again_changes_no_row(graph, take):
    take(DIALECTS)
    before = dump(graph)
    done = take(DIALECTS)
    assert (done.entities_new, done.values_new, done.links_new) == (0, 0, 0)
    assert (done.entities_unchanged, done.values_unchanged, done.links_unchanged) == (7, 7, 3)
    assert dump(graph) == before


def test_one_undo_takes_all_of_it_back(graph, take):
    before = dump(graph)
    take(DIALECTS)
    graph.undo()
    after = dump(graph)
    for table in ("ontology_proposals", "entity_dependency_history"):
        before.pop(table), after.pop(table)
    assert after == before


def test_several_phrases_between_one_pair_share_one_link(graph, take):
    line = '{"type":"relation","from":"A","to":"B","relationType":"%s"}'
    take("\n".join(line % words for words in ("backs up", "stores rows in", "uses")))
    edges = links(graph, "A")
    assert edges["related_to", "B"].reason == "backs up; stores rows in"
    assert ("uses", "B") in edges
    before = dump(graph)
    take("\n".join(line % words for words in ("stores rows in", "uses", "backs up")))
    assert dump(graph) == before
    done = take(line % "reads from")
    assert done.links_new == 1
    assert links(graph, "A")["related_to", "B"].reason == "backs up; stores rows in; reads from"


def test_a_reason_that_a_person_edited_stays(graph, take):
    take(DIALECTS)
    change(graph, "entity_dependencies", "dependency_type = 'related_to'", reason="Runs it again")
    take(DIALECTS)
    assert links(graph, "Night Run")["related_to", "Night Run"].reason == "Runs it again"


def test_two_entities_that_say_the_same_share_the_memory(graph, take):
    take('{"type":"entity","name":"A","observations":["Same words"]}\n'
         '{"type":"entity","name":"B","observations":["same  WORDS"]}')
    with graph.read() as reader:
        assert reader.value("SELECT COUNT(*) FROM memories") == 1
        assert reader.value("SELECT COUNT(*) FROM memory_entity_mentions") == 2
    assert values(graph, "B") == ["same  WORDS"]


def test_what_was_there_before_is_added_to_and_not_overwritten(graph, take):
    def fill(writer):
        builder = Graph(writer, "2026-01-01T00:00:00.000Z")
        entity = builder.entity("Night Run", "system", mentions=5, description="Mine")
        builder.value(builder.aspect(entity, "schedule"), "after the BACKUP", "start")

    graph.write("before", fill)
    done = take(DIALECTS)
    assert done.values_unchanged == 1
    row = of_names(graph)["Night Run"]
    assert (row.entity_type, row.mentions) == ("system", 7)
    assert row.updated_at > "2026-01-01T00:00:00.000Z"


ONE = ('{"type":"entity","name":"A","entityType":"tool","observations":["first","second"]}\n'
       '{"type":"entity","name":"B"}\n{"type":"relation","from":"A","to":"B","relationType":"uses"}')


@pytest.mark.parametrize(("table", "where", "columns", "left"), [
    ("entities", "name = 'A'", {"status": "archived"}, ["first", "second"]),
    ("entity_aspects", "name = 'observations'", {"status": "archived"}, ["first", "second"]),
    ("entity_attributes", "content = 'first'", {"status": "deleted"}, ["second"]),
    ("entity_attributes", "content = 'first'", {"status": "superseded"}, ["second"]),
    ("entity_dependencies", "dependency_type = 'uses'", {"status": "archived"},
     ["first", "second"]),
])
def test_what_the_person_archived_does_not_come_back(graph, take, table, where, columns, left):
    take(ONE)
    change(graph, table, where, **columns)
    before = dump(graph)
    take(ONE)
    assert dump(graph) == before
    assert sorted(values(graph, "A")) == left


def test_new_facts_of_an_archived_entity_stay_out_and_are_counted(graph, take):
    take(ONE)
    change(graph, "entities", "name = 'A'", status="archived")
    done = take(ONE.replace("first", "brand new"))
    assert (done.values_new, done.links_new, done.entities_new) == (0, 0, 0)
    assert done.skipped == 2


def test_new_facts_under_an_archived_aspect_stay_out_and_are_counted(graph, take):
    take(ONE)
    change(graph, "entity_aspects", "name = 'observations'", status="archived")
    before = dump(graph)
    done = take(ONE.replace("first", "brand new"))
    assert (done.values_new, done.skipped) == (0, 2)
    assert dump(graph) == before


def test_a_memory_that_was_deleted_does_not_come_back_under_a_new_value(graph, take):
    take(ONE)
    change(graph, "memories", "content = 'first'", is_deleted=1)
    done = take('{"type":"entity","name":"C","observations":["first"]}')
    assert (done.values_new, done.skipped) == (0, 1)


def test_an_entity_that_was_renamed_is_known_by_the_name_it_came_with(graph, take):
    take(ONE)
    change(graph, "entities", "name = 'A'", name="Alpha", canonical_name="alpha")
    change(graph, "entity_aspects", "name = 'observations'", name="facts", canonical_name="facts")
    before = dump(graph)
    take(ONE)
    assert dump(graph) == before


def test_an_alias_stands_for_its_entity(graph, take):
    def fill(writer):
        builder = Graph(writer)
        builder.alias(builder.entity("Alpha"), "A")

    graph.write("before", fill)
    take(ONE)
    assert set(of_names(graph)) == {"Alpha", "B"}
    assert sorted(values(graph, "Alpha")) == ["first", "second"]


def test_an_end_that_only_a_relation_named_gets_its_type_when_it_is_described(graph, take):
    take('{"type":"relation","from":"A","to":"B","relationType":"uses"}')
    with graph.read() as reader:
        row = reader.row("SELECT * FROM entities WHERE name = 'B'")
        assert row["source_kind"] == "mcp"
        assert "relation" in row["description"]
    done = take(ONE.replace('"name":"B"', '"name":"B","entityType":"Person"'))
    assert (done.entities_new, done.dangling) == (0, ())
    assert of_names(graph)["B"].entity_type == "person"
    with graph.read() as reader:
        assert reader.value("SELECT description FROM entities WHERE name = 'B'") is None


def test_stopping_leaves_nothing_written(graph, tmp_path, monkeypatch):
    monkeypatch.setattr(import_context, "PORTION", 1_000)
    lines = (json.dumps({"type": "entity", "name": f"e{n}", "observations": ["x", f"{n}"]})
             for n in range(3000))
    file = read("\n".join(lines), tmp_path)
    before = dump(graph)
    shares = []

    def stop(share):
        shares.append(share)
        if share > 0.5:
            raise Cancelled("stopped")

    with pytest.raises(Cancelled):
        graph.write("import", lambda writer: import_mcp(writer, file, stop))
    assert len(shares) > 2
    assert dump(graph) == before


def test_another_agents_rows_are_neither_seen_nor_touched(graph, take):
    def fill(writer):
        builder = Graph(writer)
        theirs = builder.entity("A", agent_id="atlas")
        builder.memory("first", theirs, agent_id="atlas", visibility="private")

    graph.write("before", fill)
    done = take(ONE)
    assert (done.entities_new, done.values_new) == (2, 2)
    with graph.read() as reader:
        mine = find_entity(reader, "A").id
        assert len(memories_of(reader, mine)) == 2
        assert reader.value("SELECT mentions FROM entities WHERE agent_id = 'atlas'") == 0


@pytest.mark.parametrize("kind", ["signet-030", "signet-071"])
def test_signets_own_files_take_an_import_too(kind, tmp_path):
    workspace = make_file(kind, tmp_path / "memories.db", tmp_path / "side")
    workspace.allow_writing()
    try:
        done = workspace.write("import", lambda w: import_mcp(w, read(DIALECTS, tmp_path))).result
        assert (done.entities_new, done.links_new) == (7, 3)
        assert "Forty minutes" in values(workspace, "Night Run")
        before = dump(workspace)
        workspace.write("import", lambda w: import_mcp(w, read(DIALECTS, tmp_path)))
        assert dump(workspace) == before
    finally:
        workspace.close()


def test_a_name_that_an_old_file_keeps_for_another_agent_is_a_problem_not_a_failure(tmp_path):
    workspace = make_file("signet-030", tmp_path / "memories.db", tmp_path / "side")
    workspace.allow_writing()
    try:
        workspace.write("theirs", lambda w: Graph(w).entity("Torn A", agent_id="atlas"))
        done = workspace.write("import", lambda w: import_mcp(w, read(DIALECTS, tmp_path))).result
        assert "another agent has this name: Torn A" in [item.what for item in done.problems]
        assert "Torn A" not in of_names(workspace)
    finally:
        workspace.close()


# -- limits ---------------------------------------------------------------------------------------

def observed(name, *texts):
    return json.dumps({"type": "entity", "name": name, "entityType": "tool",
                       "observations": list(texts)})


def proposed(workspace):
    with workspace.read() as reader:
        return [(row["payload"], row["rationale"]) for row in reader.rows(
            "SELECT payload, rationale FROM ontology_proposals WHERE status = 'pending'"
            " AND operation = 'archive_claim_value' ORDER BY created_at, rowid")]


def test_what_is_over_the_limit_is_kept_told_and_the_weakest_older_values_proposed(graph, take):
    take(observed("Vega", *(f"old fact {n}" for n in range(24))))
    assert not proposed(graph)
    report = take(observed("Vega", *(f"new fact {n}" for n in range(3))))
    assert len(values(graph, "Vega")) == 27
    (full,) = report.full
    assert (full.entity, full.held, full.most) == ("Vega", 27, 25)
    assert len(full.could_go) == 2
    assert all(text.startswith("old fact") for text in full.could_go)
    note = list(report.notes())[-1]
    assert "“Vega” has 27 values under “observations”, 2 more than the limit of 25" in note
    assert full.could_go[0] in note
    assert len(proposed(graph)) == 2
    again = take(observed("Vega", *(f"new fact {n}" for n in range(3))))
    assert not again.full
    assert len(proposed(graph)) == 2


def test_a_new_entity_over_the_limit_is_told_and_nothing_of_it_is_proposed_to_go(graph, take):
    (full,) = take(observed("Vega", *(f"fact {n}" for n in range(30)))).full
    assert (full.held, full.could_go) == (30, ())
    assert not proposed(graph)
    assert len(values(graph, "Vega")) == 30
