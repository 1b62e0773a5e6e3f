"""Memory files as people and other servers write them: nothing is lost without a word."""

import json
from pathlib import Path

import pytest

from core.transfer.damaged_json import plain_object, value_at
from core.transfer.mcp_export import mcp_records
from core.transfer.mcp_import import import_mcp
from core.transfer.mcp_records import TWICE, UNSTORABLE
from core.transfer.read_mcp_file import read_mcp
from core.workspace import Workspace

ALPHA = {"type": "entity", "name": "Alpha", "entityType": "tool", "observations": ["one", "two"]}
USES = {"type": "relation", "from": "Alpha", "to": "Beta", "relationType": "uses"}
SAME = (("Alpha", "tool", ["one", "two"]),)


def read(text: str | bytes, tmp_path: Path):
    path = tmp_path / "memory.json"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_mcp(path)


def entities(file) -> tuple:
    return tuple((each.name, each.entity_type, [one.text for one in each.observations])
                 for each in file.entities if each.observations)


@pytest.mark.parametrize("text", [
    "[\n " + json.dumps(ALPHA)[:-1] + ",},\n " + json.dumps(USES)[:-1] + ", },\n]\n",
    json.dumps(ALPHA).replace('"two"]', '"two",]') + ",\n" + json.dumps(USES) + ",\n",
    json.dumps({"entities": {"Alpha": {"entityType": "tool", "observations": ["one", "two"]}},
                "relations": [["Alpha", "uses", "Beta"]]}),
    json.dumps({"entities": {"Alpha": {"entityType": "tool", "observations": ["one", "two"]}},
                "relations": [["Alpha", "uses", "Beta"]]}, indent=2),
    json.dumps({**ALPHA, "type": "ENTITY"}) + "\n" + json.dumps({**USES, "type": "Relation"}),
    b"\xef\xbb\xbf" + json.dumps(ALPHA).encode() + b"\r\n" + json.dumps(USES).encode() + b"\r\n",
], ids=["commas behind the last", "commas in lines", "by name", "by name in lines", "capitals",
        "mark and CRLF"])
def test_it_is_read_as_it_is_meant(text: str | bytes, tmp_path: Path) -> None:
    file = read(text, tmp_path)
    assert list(file.problems) == []
    assert entities(file) == SAME
    assert [(one.source, one.words, one.target) for one in file.relations] == [
        ("Alpha", "uses", "Beta")]


def test_a_comma_inside_of_a_text_stays(tmp_path: Path) -> None:
    text = json.dumps({**ALPHA, "observations": ["a,] b,} c"]})[:-1] + ",}\n"
    assert entities(read(text, tmp_path)) == (("Alpha", "tool", ["a,] b,} c"]),)


def test_a_key_that_stands_twice_is_told(tmp_path: Path) -> None:
    file = read('{"type":"entity","name":"Lost","name":"Alpha","entityType":"tool",'
                '"observations":["one"],"meta":{"a":1,"a":2}}\n', tmp_path)
    assert [(one.line, one.field, one.what) for one in file.problems] == [
        (1, "name", TWICE), (1, "a", TWICE)]
    assert "its field “name” stands more than once" in file.problems[0].words


@pytest.mark.parametrize("line", [
    json.dumps(ALPHA), json.dumps({**ALPHA, "name": "Ä “b”: c\ud83d\ude00\u2028"}),
    json.dumps({"a": "x\0", "b": ["\\", "/", '"'], "c": None, "d": True, "e": 2**70}) + "\r\n",
    '{"a": "b"} {"c": "d"}', '{"a": "b",}', '{"a": "b\t"}', '{"a": "\\q"}', '{"a": "\\ud800"}',
    '{"a": "b", "a": "c"}', '{"a" : "b", "a": "c"}', '{"a"\t: "b", "\\u0061": "c"}',
    '{"a": {"b": "c"}}', '{"a": 1.5}', '{"a": 1e999}', '{"a": [1]}', '{"a": "b" // c\n}', "[]", ""])
def test_a_line_in_order_is_read_as_any_other(line: str) -> None:
    plain = plain_object(line)
    assert plain is None or value_at(line, 0) == (plain, len(line.rstrip()))
    assert type(plain) in (dict, type(None))


def test_most_lines_are_in_order() -> None:
    assert plain_object(json.dumps(ALPHA)) == ALPHA
    assert plain_object(json.dumps(USES, indent=1) + "\n") == USES


def test_a_number_that_is_none_stays_as_it_was_written(tmp_path: Path) -> None:
    text = json.dumps(ALPHA)[:-1] + ', "a": 1e400, "b": NaN, "c": 12345678901234567890123}'
    workspace = Workspace.open(tmp_path / "g.db", data_dir=tmp_path / "data", create=True)
    file = read(text, tmp_path)
    workspace.write("import", lambda writer: import_mcp(writer, file))
    with workspace.read() as reader:
        [record] = [json.loads(json.dumps(each, allow_nan=False)) for each in mcp_records(reader)]
    assert (record["a"], record["b"], record["c"]) == ("1e400", "NaN", 12345678901234567890123)
    workspace.close()


def test_signs_that_no_file_can_hold_are_told(tmp_path: Path) -> None:
    text = json.dumps({**ALPHA, "name": "Al\0pha", "observations": ["half \ud83d of one", "whole"]})
    file = read(text, tmp_path)
    assert [(one.field, one.what) for one in file.remarks] == [
        ("name", UNSTORABLE), ("observations", UNSTORABLE)]
    assert [each.name for each in file.entities] == ["Alpha"]
