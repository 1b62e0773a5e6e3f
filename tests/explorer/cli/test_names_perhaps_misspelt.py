"""A name that would be new and is nearly that of something known is doubted, and written."""

from pathlib import Path

from tests.explorer.conftest import Run

SET = ("ontology", "claim", "set")


def test_a_new_entity_called_nearly_as_another_is_doubted(graph: Path, run: Run) -> None:
    assert run("ontology", "entity", "create", "Harbor Ledger", "--store", graph).code == 0
    known = run(*SET, "Harbor Ledger", "delivery", "release", "rhythm", "--value", "weekly",
                "--store", graph)
    assert (known.code, "Did you mean" in known.err) == (0, False)
    for more in (("--dry-run",), ()):
        told = run(*SET, "Harbor Leger", "delivery", "release", "rhythm", "--value", "daily",
                   *more, "--store", graph)
        assert told.code == 0
        assert "“Harbor Leger” is a new entity. Did you mean “Harbor Ledger”?" in told.err
    aspect = run(*SET, "Harbor Ledger", "delivry", "release", "rhythm", "--value", "daily",
                 "--store", graph)
    assert "“delivry” is a new aspect. Did you mean “delivery”?" in aspect.err
    link = run("ontology", "link", "create", "Harbor Ledgr", "uses", "Zebra", "--store", graph)
    assert "“Harbor Ledgr” is a new entity. Did you mean “Harbor Le" in link.err
    assert "Zebra” is a new entity" not in link.err


def test_a_backup_needs_a_folder_that_is_there_or_the_name_of_a_file(
    graph: Path, run: Run, tmp_path: Path
) -> None:
    stick = tmp_path / "stick"
    refused = run("backup", stick, "--store", graph)
    assert refused.code == 2
    assert "There is no such folder" in refused.err
    assert "stick.db" in refused.err
    assert not stick.exists()
    stick.mkdir()
    assert run("backup", stick, "--store", graph).code == 0
    assert len(list(stick.iterdir())) == 1


def test_a_backup_that_is_not_there_is_refused_with_the_way_on(graph: Path, run: Run) -> None:
    refused = run("restore", "latest", "--store", graph)
    assert refused.code == 2
    assert "“constellation restore” lists them" in refused.err
