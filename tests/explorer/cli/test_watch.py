"""`watch`: a folder is taken over, listed and let go."""

from pathlib import Path

from tests.explorer.conftest import Run


def test_a_folder_is_followed_listed_and_stopped(run: Run, graph: Path, tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    vault.mkdir()
    (vault / "Ferry.md").write_text("- is white\n")
    first = run("watch", str(vault), "--once", "--json").json
    assert [(step["words"], step["new"]) for step in first["steps"]] == [
        ("Notes: Ferry.md is new", 2)]
    assert run("watch", str(vault), "--once").out == "Nothing has changed\n"
    listed = run("watch", "--json").json
    assert [(one["path"], one["changesToday"]) for one in listed["items"]] == [(str(vault), 1)]
    assert run("watch", str(vault), "--stop").code == 0
    assert run("watch").out == "No folder is watched.\n"
    assert run("watch", str(vault), "--stop").code == 2
    assert run("watch", str(tmp_path / "none"), "--once").code == 2


def test_a_graph_that_is_not_there_is_created_as_by_an_import(run: Run, tmp_path: Path) -> None:
    vault, graph = tmp_path / "vault", tmp_path / "new.db"
    assert run("watch", str(vault), "--store", str(graph), "--once").code == 2
    assert not graph.exists(), "without notes there is nothing to keep"
    assert run("watch", "--store", str(graph)).code == 2, "a list makes none"
    vault.mkdir()
    (vault / "Ferry.md").write_text("- is white\n")
    made = run("watch", str(vault), "--store", str(graph), "--once")
    assert made.code == 0
    assert f"There was no {graph}: it was created" in made.err
    assert "Ferry.md is new" in made.out
    assert "created" not in run("watch", str(vault), "--store", str(graph), "--once").err


def test_a_sentence_of_a_note_is_told_where_it_is_asked_for_and_no_longer_once_it_went(
    run: Run, graph: Path, tmp_path: Path
) -> None:
    vault = tmp_path / "vault"
    vault.mkdir()
    diary = vault / "Diary.md"
    diary.write_text("# Diary\n\nA quiet week.\n\nJonas wants to sell his boat for 9,000 euro.\n")
    run("watch", str(vault), "--once")
    assert "sell his boat" in run("recall", "What does Jonas want to sell?").cells.splitlines()[1]
    diary.write_text("# Diary\n\nA quiet week.\n")
    run("watch", str(vault), "--once")
    assert "sell his boat" not in run("recall", "What does Jonas want to sell?").out
    run("undo")
    assert "sell his boat" in run("recall", "What does Jonas want to sell?").out


def test_a_note_of_two_words_is_told_where_it_is_asked_for(
    run: Run, graph: Path, tmp_path: Path
) -> None:
    vault = tmp_path / "vault"
    vault.mkdir()
    (vault / "b.md").write_text("Owner: Tom\n")
    run("import", str(vault))
    assert "Owner: Tom" in run("knowledge", "tree", "b").out
    assert "Owner: Tom" in run("recall", "who is the owner").cells.splitlines()[1]


def test_keys_and_passwords_of_watched_notes_are_warned_about(
    run: Run, graph: Path, tmp_path: Path
) -> None:
    vault, token = tmp_path / "vault", "ghp_" + "a1B2" * 9
    vault.mkdir()
    (vault / "Ferry.md").write_text(f"White.\n\ntoken: {token}\n")
    told = run("watch", str(vault), "--once")
    assert "“Ferry”, Ferry.md, line 3: looks like a secret (GitHub Token)\n" in told.err
    assert "constellation ontology claim archive ENTITY VALUE" in told.err
    assert token not in told.out + told.err
    (vault / "Key.md").write_text("Das Passwort lautet Sommer-2026!\n")
    [step] = run("watch", str(vault), "--once", "--json").json["steps"]
    assert step["secrets"] == [{"where": "“Key”, Key.md, line 1", "kind": "Secret Keyword"}]
    assert "secret" not in run("watch", str(vault), "--once").err


def test_a_note_is_found_by_its_heading_until_that_is_undone(
    run: Run, graph: Path, tmp_path: Path
) -> None:
    vault, heading = tmp_path / "vault", ("knowledge", "tree", "Project Kranich")
    vault.mkdir()
    (vault / "Kranich.md").write_text("# Project Kranich\n\nThe budget is 380,000 euro.\n")
    (vault / "Mia.md").write_text("- leads [[Project Kranich]]\n")
    run("watch", str(vault), "--once")
    assert run(*heading).out.startswith("Kranich\n")
    assert run(*heading).out == run("knowledge", "tree", "Kranich").out
    assert "Mia" in run("neighborhood", "Kranich").out
    run("export", "--format", "obsidian", "--out", str(tmp_path / "notes"))
    assert 'aliases: ["Project Kranich"]' in (tmp_path / "notes/Kranich.md").read_text()
    again = run("import", str(tmp_path / "notes"), "--json").json
    assert (again["entitiesNew"], again["valuesNew"], again["linksNew"]) == (0, 0, 0)
    run("undo")
    run("undo")
    assert run(*heading).code == 2
