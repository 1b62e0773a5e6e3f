"""What a mistyped command line is answered: what there is instead, in words or as JSON."""

import json
import sqlite3
from pathlib import Path

import pytest

from explorer import display
from tests.explorer.conftest import graph_fixture


@graph_fixture
def filled(run, graph: Path) -> Path:
    run("ontology", "entity", "create", "Vega")
    return graph


@pytest.fixture
def vega(filled: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A graph that holds Vega; the working folder is the graph's."""
    monkeypatch.chdir(filled.parent)
    monkeypatch.setattr(display, "is_there", lambda: False)
    return filled


@pytest.mark.parametrize(("words", "said"), [
    (("knowlege",), "No command or file is called “knowlege”. Did you mean “knowledge”?"),
    (("show", "Vega"), "No command or file is called “show”"),
    (("gaph.db",), "File not found (gaph.db). Did you mean “graph.db”?"),
    (("open", "gaph.db", "--picture", "w.png"), "File not found (gaph.db)"),
    (("knowledge", "entity", "Vgea"), "Entity not found: Vgea. Did you mean “Vega”?"),
    (("knowledge", "entity", ""), "The name of the entity is empty"),
    (("settings", "recal"), "Did you mean “recall”?"),
])
def test_what_is_mistyped_is_answered_with_what_there_is(
    run, vega: Path, words: tuple[str, ...], said: str
) -> None:
    done = run(*words)
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert "display" not in done.err


def test_options_of_every_command_may_stand_before_it(run, vega: Path) -> None:
    told = run("--store", vega, "--agent=default", "--json", "knowledge", "entity", "Vega").json
    assert told["entity"]["name"] == "Vega"


def test_an_alias_is_another_name_of_its_entity(run, vega: Path) -> None:
    with sqlite3.connect(vega) as connection:
        connection.execute(
            "INSERT INTO entity_aliases (id, entity_id, alias, canonical_alias, created_at,"
            " updated_at) SELECT 'x', id, 'alpha-lyrae', 'alpha-lyrae', 't', 't' FROM entities")
    connection.close()
    assert run("knowledge", "entity", "Alpha-Lyrae").out.startswith("Vega (unknown)")
    run("ontology", "claim", "set", "alpha-lyrae", "light", "general", "colour", "--value", "white")
    assert run("knowledge", "entities", "--json").json["count"] == 1


@pytest.mark.parametrize(("words", "told"), [
    (("knowledge", "entity", "Vgea"),
     {"what": "Entity not found: Vgea", "do": "Did you mean “Vega”?", "status": 404}),
    (("info", "--limit", "3"), {"what": "No such option: --limit", "kind": "usage"}),
    (("info", "--store", "none.db"),
     {"what": "File not found", "where": "none.db", "kind": "missing",
      "do": "Check the path, or create a graph with “constellation new PATH”"}),
    (("knowlege",), {"what": "No command or file is called “knowlege”",
                     "do": "Did you mean “knowledge”?"}),
])
def test_with_json_a_refusal_is_json_with_the_same_code(
    run, vega: Path, words: tuple[str, ...], told: dict[str, object]
) -> None:
    done = run(*words, "--json")
    assert (done.code, done.out) == (run(*words).code, "")
    assert json.loads(done.err)["error"] == told


@pytest.mark.parametrize("words", [
    ("recall", "graph.db", "when does it start?"), ("traverse", "graph.db", "why"),
    ("knowledge", "entity", "graph.db"), ("knowledge", "tree", "graph.db", "Vega"),
    ("ontology", "entity", "pin", "graph.db"),
])
def test_a_graph_typed_as_a_word_is_answered_with_its_option(
    run, vega: Path, words: tuple[str, ...]
) -> None:
    hint = "To use a graph, add --store graph.db"
    assert hint in run(*words).err
    assert hint in json.loads(run(*words, "--json").err)["error"]["do"]


def test_a_graph_is_no_hint_where_it_stands_rightly(run, vega: Path) -> None:
    unknown = ("knowledge", "entity", "Vgea")
    for words in (("info", "graph.db", "--nonsense"), unknown, (*unknown, "--store", "graph.db")):
        assert "add --store" not in run(*words).err


def test_a_refusal_names_the_flag_and_the_command_that_are_typed(run, vega: Path) -> None:
    run("ontology", "entity", "create", "Altair")
    renamed = run("ontology", "entity", "rename", "Altair", "Vega").err
    assert "ontology entity merge" in renamed
    assert "merge_entities" not in renamed
    run("ontology", "entity", "pin", "Vega")
    assert "use --force" in run("ontology", "entity", "archive", "Vega").err


@pytest.mark.parametrize("flag", ["--confidence", "--importance"])
def test_a_share_that_is_none_is_refused_not_bent(run, vega: Path, flag: str) -> None:
    setting = ("ontology", "claim", "set", "Vega", "light", "general", "colour", "--value", "red")
    assert run(*setting, flag, "7").code == 2
    assert run(*setting, flag, "nan").code == 2
    assert run("ontology", "link", "create", "Vega", "uses", "Lyra", "--strength", "5").code == 2
    assert run("knowledge", "entities", "--json").json["count"] == 1


def test_a_wrong_operation_in_a_stream_is_not_taken_for_a_missing_payload(run, vega: Path) -> None:
    refused = run("ontology", "stream", "apply", "-", stdin='{"operation":"nope","payload":{}}')
    assert "Unsupported operation: nope (line 1). Choose one of create_entity" in refused.err


def test_settings_lists_every_name_with_default_value_and_meaning(
    run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "settings.toml"
    file.write_text("[traversal]\ntimeout_ms = 77\n", encoding="utf-8")
    monkeypatch.setenv("CONSTELLATION_SETTINGS", str(file))
    shown = run("settings", "traversal")
    assert "traversal.timeoutMs\t500\t77\tTime limit of a walk" in shown.cells
    assert str(file) in shown.err
    items = run("settings", "--json").json["items"]
    assert {"recall", "maintenance"} <= {item["part"] for item in items}
    one = next(item for item in items if item["name"] == "timeoutMs")
    assert (one["default"], one["now"]) == (500, 77)


def test_every_setting_that_is_listed_can_be_set(run, graph: Path) -> None:
    for item in run("settings", "traversal", "--json").json["items"]:
        if item["default"] is not None:
            value = str(item["default"])
            assert run("traverse", "--set", f"{item['name']}={value}").code == 0, item["name"]


def test_a_setting_without_a_value_is_told_how_to_write_one(run, graph: Path) -> None:
    refused = run("traverse", "--set", "timeoutMs")
    assert "“timeoutMs” has no value. Write it as NAME=VALUE" in refused.err


def test_an_agent_that_has_nothing_is_said_beside_those_who_have(run, vega: Path) -> None:
    run("ontology", "entity", "create", "Deneb", "--agent", "atlas")
    warned = run("knowledge", "entities", "--agent", "nobody")
    assert warned.code == 0
    assert "“nobody” has no data in this graph; it has data of atlas, default" in warned.err
    assert "no data" not in run("knowledge", "entities", "--agent", "atlas").err
    assert "no data" in run("ontology", "entity", "create", "X", "--agent", "defualt").err


@pytest.mark.parametrize("name", ["", " "])
def test_nobody_is_no_agent_and_no_actor(run, vega: Path, name: str) -> None:
    for flag in ("--agent", "--actor"):
        refused = run("ontology", "entity", "create", "Deneb", flag, name)
        assert (refused.code, "empty" in refused.err) == (2, True)


def test_usage_lines_show_arguments_as_other_programs_do(run) -> None:
    for words, usage in ((("recall",), "[OPTIONS] [QUERY]"), (("import",), "[OPTIONS] PATH"),
                         (("ontology", "apply"), "[OPTIONS] ID...")):
        first = run(*words, "--help").out.splitlines()[0]
        assert first.endswith(usage)
    assert "2147483648" not in run("history", "--help").out


@pytest.mark.parametrize("words", [("watch", ""), ("import", ""), ("export", ""), ("new", ""),
                                   ("info", ""), ("recall", "x", "--store", ""), ("",)])
def test_an_empty_name_is_not_the_current_folder(run, vega: Path, words: tuple[str, ...]) -> None:
    refused = run(*words)
    assert refused.code == 2
    assert "no name is given" in refused.err


def test_a_name_from_before_a_rename_is_told_by_what_it_is_now(run, graph: Path) -> None:
    run("ontology", "entity", "create", "Wega")
    run("ontology", "entity", "rename", "wega", "Vega")
    for command in ("tree", "entity"):
        told = run("knowledge", command, "WEGA")
        assert (told.code, "It is called “Vega” now" in told.err) == (2, True), told.err
    run("ontology", "entity", "create", "Wega")
    assert run("knowledge", "tree", "Wega").code == 0


@pytest.mark.parametrize(("words", "said"), [
    (("undo", "abc"), "“abc” must be a whole number"),
    (("recall", "x", "--limit", "0"), "“0” must be at least 1"),
    (("render", "--scale", "wide"), "“wide” must be a number"),
    (("ontology", "claim", "add", "Vega", "a", "b", "c", "--value", "x", "--confidence", "7"),
     "“7” must be at most 1"),
])
def test_a_number_that_is_none_is_told_with_what_is_wanted(
    run, vega: Path, words: tuple[str, ...], said: str
) -> None:
    refused = run(*words)
    assert (refused.code, refused.out) == (2, "")
    assert said in refused.err
    assert "Input should be" not in refused.err
