"""MCP memory files on the command line."""

import json
from pathlib import Path

import pytest

LINES = (
    {"type": "entity", "name": "Vega", "entityType": "project", "observations": ["Sails fast"]},
    {"type": "entity", "name": "Altair", "entityType": "person", "observations": []},
    {"type": "relation", "from": "Vega", "to": "Altair", "relationType": "owned_by"},
    {"type": "relation", "from": "Vega", "to": "Deneb", "relationType": "uses"},
)


@pytest.fixture
def memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A memory file whose third line is broken."""
    monkeypatch.setenv("CONSTELLATION_DATA", str(tmp_path / "data"))
    lines = [json.dumps(line) for line in LINES]
    lines.insert(2, '{"type": "entity", "name": ')
    path = tmp_path / "memory.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_an_import_makes_the_graph_and_names_each_bad_line(run, memory: Path,
                                                           tmp_path: Path) -> None:
    graph = tmp_path / "graph.db"
    done = run("import", memory, "--store", graph)
    assert done.code == 0, done.err
    assert "entities\t3\t0" in done.cells
    assert "line 3:" in done.out
    assert "Deneb appears only in a relation" in done.out
    found = run("knowledge", "entities", "--store", graph, "--json").json
    assert {item["entity"]["name"] for item in found["items"]} == {"Vega", "Altair", "Deneb"}


def test_importing_twice_changes_nothing(run, memory: Path, tmp_path: Path) -> None:
    graph = tmp_path / "graph.db"
    run("import", memory, "--store", graph)
    told = run("import", memory, "--store", graph, "--json").json
    assert (told["entitiesNew"], told["valuesNew"], told["linksNew"]) == (0, 0, 0)
    assert told["entitiesUnchanged"] == 3, "also the one that only a relation names"
    assert [problem["line"] for problem in told["problems"]] == [3]


def test_words_that_are_no_link_type_are_named_and_kept(run, memory: Path, tmp_path: Path) -> None:
    graph = tmp_path / "graph.db"
    relation = {"type": "relation", "from": "Altair", "to": "Vega", "relationType": "works on"}
    memory.write_text(memory.read_text(encoding="utf-8") + json.dumps(relation) + "\n",
                      encoding="utf-8")
    done = run("import", memory, "--store", graph)
    assert ("1 relation of no known type became “related to”, with the word kept: works on"
            in done.out)
    assert "-> works on (related_to) Vega" in run("knowledge", "entity", "Altair", "--store",
                                                  graph).out


def test_one_undo_takes_the_import_back(run, memory: Path, tmp_path: Path) -> None:
    graph = tmp_path / "graph.db"
    run("import", memory, "--store", graph)
    assert run("undo", "--store", graph).out == "Undone: Import memory.jsonl\n"
    assert run("knowledge", "entities", "--store", graph, "--json").json["count"] == 0


@pytest.mark.parametrize(("content", "said"), [
    (None, "File not found"),
    (b"SQLite format 3\0rest", "This database holds nothing"),
    (b"hello\nworld\n", "No line of this file is an entity or a relation"),
])
def test_what_is_no_memory_file_is_refused_and_makes_no_graph(
    run, tmp_path: Path, content: bytes | None, said: str
) -> None:
    source, graph = tmp_path / "memory.jsonl", tmp_path / "graph.db"
    if content is not None:
        source.write_bytes(content)
    done = run("import", source, "--store", graph)
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert not graph.exists()


def test_a_folder_is_refused(run, tmp_path: Path) -> None:
    assert "This is a folder" in run("import", tmp_path).err


@pytest.mark.parametrize(("text", "said"), [
    ("", "This file has nothing to import"), ("[]", "This file has nothing to import"),
    ('{"type": "note"}', "No line of this file is an entity or a relation"),
])
def test_what_holds_nothing_is_refused_and_makes_no_graph(
    run, memory: Path, tmp_path: Path, text: str, said: str
) -> None:
    memory.write_text(text, encoding="utf-8")
    done = run("import", memory, "--store", tmp_path / "graph.db")
    assert (done.code, said in done.err) == (2, True)
    assert not (tmp_path / "graph.db").exists()


def test_standard_input_is_imported_like_a_file(run, memory: Path, tmp_path: Path) -> None:
    graph = tmp_path / "graph.db"
    told = run("import", "-", "--store", graph, "--json", stdin=memory.read_text("utf-8")).json
    assert (told["entitiesNew"], told["linksNew"]) == (3, 2)
    assert run("history", "--store", graph, "--json").json["items"][0]["label"] == (
        "Import standard input")
    assert "nothing to import" in run("import", "-", "--store", graph).err


@pytest.mark.parametrize(("head", "said"), [
    (b"\x1f\x8b\x08\0", "compressed with gzip. Decompress"),
    (b"\x89PNG\r\n\x1a\n", "This is a PNG picture"),
    (b"PK\x03\x04", "compressed with zip"),
])
def test_another_kind_of_file_is_called_what_it_is_by_import_and_by_open(
    run, memory: Path, tmp_path: Path, head: bytes, said: str
) -> None:
    other = tmp_path / "other"
    other.write_bytes(head + bytes(range(256)) * 16)
    for command in (("import", other, "--store", tmp_path / "graph.db"),
                    ("info", "--store", other)):
        done = run(*command)
        assert (done.code, done.out) == (2, "")
        assert said in done.err.replace(f" ({other})", "")
    assert not (tmp_path / "graph.db").exists()


def test_no_folder_is_made_by_the_way(run, memory: Path, tmp_path: Path) -> None:
    there = tmp_path / "nodir" / "graph.db"
    for command in (("new", there), ("new", there, "--demo"), ("import", memory, "--store", there)):
        done = run(*command)
        assert (done.code, "Folder not found" in done.err) == (2, True)
    assert not there.parent.exists()


def test_a_bundle_is_imported_from_a_file_and_refused_from_standard_input(
    run, memory: Path, tmp_path: Path
) -> None:
    bundle = tmp_path / "all.bundle.jsonl"
    first = str(tmp_path / "first.db")
    assert run("import", memory, "--store", first).code == 0
    assert run("export", "--format", "bundle", "--out", bundle, "--store", first).code == 0
    taken = run("import", str(bundle), "--store", str(tmp_path / "new.db"))
    assert taken.code == 0
    assert "all rows" in taken.out
    store, lines = str(tmp_path / "new.db"), bundle.read_text("utf-8")
    refused = run("import", "-", "--store", store, stdin=lines)
    assert refused.code == 2
    assert "A bundle is imported from a file" in refused.err


def test_a_folder_of_notes_is_imported_and_a_dry_run_writes_nothing(
    run, memory: Path, tmp_path: Path
) -> None:
    notes, graph = tmp_path / "notes", tmp_path / "graph.db"
    notes.mkdir()
    (notes / "Vega.md").write_text("- [hull] Red\n- sails to [[Deneb]]\n", encoding="utf-8")
    (notes / "Odd.md").write_bytes(b"---\na: [\n---\n- [x] done\n\xff\xfe\n")
    dry = run("import", notes, "--store", graph, "--dry-run")
    assert dry.code == 0, dry.err
    assert "Dry run, nothing changed" in dry.out
    assert not graph.exists()
    done = run("import", notes, "--store", graph)
    assert "entities\t3\t0" in done.cells
    assert "Odd.md, line 1: its front matter is no YAML" in done.out
    again = run("import", notes, "--store", graph, "--dry-run", "--json").json
    assert (again["dryRun"], again["entitiesNew"], again["valuesNew"]) == (True, 0, 0)
    assert "hull" in run("knowledge", "tree", "Vega", "--store", graph).out
    assert run("history", "--store", graph, "--json").json["items"][0]["label"] == "Import notes"


def test_a_very_long_name_word_or_date_is_told_in_part(run, tmp_path: Path) -> None:
    graph, file = tmp_path / "graph.db", tmp_path / "memory.jsonl"
    file.write_text("\n".join(map(json.dumps, (LINES[0], {
        "type": "relation", "from": "Vega", "to": "M" * 50_000, "relationType": "r" * 50_000}))))
    done = run("import", file, "--store", graph)
    assert "of no known type" in done.out
    assert len(done.out) < 3000
    assert len(run("diff", "--from", "x" * 50_000, "--store", graph).err) < 500


def test_what_is_said_of_a_line_names_its_field_in_words(run, tmp_path: Path) -> None:
    lines = ('{"type": "concert", "name": "x"}', '{"type": "entity", "entityType": "tool"}',
             '{"type": "entity", "name": "Vega", "version": 2, "observations": ["a", "a", {}]}',
             '{"type": "relation", "from": "Vega", "relationType": "uses"}')
    memory = tmp_path / "memory.jsonl"
    memory.write_text("\n".join(lines), encoding="utf-8")
    told = run("import", memory, "--store", tmp_path / "graph.db").out
    for sentence in ("line 1: is a record of another kind: concert", "line 2: has no name",
                     "line 3: its field “version” is kept", "line 3: an observation is there "
                     "already: a", "line 3: an observation has no text: {}",
                     "line 4: its field “to” refers to no entity"):
        assert sentence in told, told


def test_a_graph_that_an_import_creates_is_told(run, memory: Path, tmp_path: Path) -> None:
    graph = tmp_path / "mistyped.db"
    assert "created" not in run("import", memory, "--store", graph, "--dry-run").err
    assert f"There was no {graph}: it was created" in run("import", memory, "--store", graph).err
    assert "created" not in run("import", memory, "--store", graph).err


def test_a_missing_file_to_import_is_not_to_be_created(run, tmp_path: Path) -> None:
    refused = run("import", tmp_path / "none.jsonl", "--store", tmp_path / "graph.db")
    assert refused.code == 2
    assert "constellation new" not in refused.err


def test_every_way_of_telling_says_whose_an_imported_observation_is(
    run, memory: Path, tmp_path: Path
) -> None:
    store = ("--store", tmp_path / "graph.db")
    memory.write_text(json.dumps({"type": "entity", "name": "Mia", "entityType": "person",
                                  "observations": ["Lives in Leipzig", "Mia likes tea"]}))
    run("import", memory, *store)
    started = run("session", "start", "--query", "Mia", "--session", "s1", *store).out.splitlines()
    assert {"- Mia: Lives in Leipzig", "- Mia likes tea"} <= set(started)
    for told in (run("recall", "Leipzig", *store), run("traverse", "Mia", *store),
                 run("session", "show", "s1", *store)):
        assert "\tMia: Lives in Leipzig" in told.cells
        assert "\tMia likes tea" in told.cells
    hit = run("recall", "Leipzig", "--json", *store).json["hits"][0]
    assert (hit["memory"]["content"], hit["entity"]) == ("Lives in Leipzig", "Mia")
    assert "Mia:" not in run("knowledge", "tree", "Mia", *store).out, "in its own section"


def test_a_password_that_a_sentence_of_a_note_tells_is_warned_about(
    run, tmp_path: Path
) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "Staging.md").write_text("Das Passwort für staging ist Sommer-2026!\n", "utf-8")
    (notes / "Rules.md").write_text("The password is changed every 90 days.\n", "utf-8")
    told = run("import", str(notes), "--dry-run", "--store", str(tmp_path / "new.db")).out
    assert "“Staging”, Staging.md, line 1: looks like a secret (Secret Keyword)" in told
    assert told.count("looks like a secret") == 1
    assert "Sommer-2026" not in told


def test_what_a_changed_note_no_longer_says_is_told_and_archived(run, tmp_path: Path) -> None:
    graph, folder = tmp_path / "graph.db", tmp_path / "notes"
    folder.mkdir()
    note = folder / "Boat.md"
    note.write_text("- Insurance ends on 31 March 2027\n- Length: 9 m\n")
    run("import", folder, "--store", graph)
    note.write_text("- Insurance ends on 30 June 2028\n- Length: 9 m\n")
    told = run("import", folder, "--store", graph)
    assert told.code == 0
    assert told.out.splitlines()[-3:] == [
        "1 fact of an earlier import is no longer in it, and still told:",
        "  Boat: Insurance ends on 31 March 2027",
        "Archive what no longer holds with --archive-gone"]
    asked = "When does the insurance of the boat end?"
    assert "2027" in run("recall", asked, "--store", graph).out
    tried = run("import", folder, "--store", graph, "--archive-gone", "--dry-run", "--json").json
    assert tried["noLonger"] == {"count": 1, "archived": True,
                                 "first": ["Boat: Insurance ends on 31 March 2027"]}
    done = run("import", folder, "--store", graph, "--archive-gone")
    assert "1 fact of an earlier import is no longer in it, and archived:" in done.out
    answer = run("recall", asked, "--store", graph).out
    assert "30 June 2028" in answer
    assert "31 March 2027" not in answer.split("outdated")[0]
    run("undo", "--store", graph)
    assert "31 March 2027" in run("recall", asked, "--store", graph).out
