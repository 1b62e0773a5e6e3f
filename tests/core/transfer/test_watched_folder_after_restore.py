"""A graph that is put back to an earlier state follows its watched folders from that state on."""

from pathlib import Path

import pytest

from core.ontology import control
from core.store.backup import BESIDE, copy_file
from core.watching.folder_watch import FolderWatch
from core.watching.watched_list import watched
from core.workspace import Workspace
from tests.core.transfer.test_folder_watch import BO, Vault
from tests.core.transfer.test_folder_watch import vault as vault_that_is_watched

LATER = "---\ntitle: Bo\ntype: person\n---\nBo is known.\n\n- likes tea\n"
THEN = {"Ada runs it.", "Bo is new.", "Leads the team", "likes tea", "likes coffee"}


vault = vault_that_is_watched


def archive(vault: Vault, text: str) -> None:
    vault.workspace.write("Archive", lambda writer: control.apply(
        writer, "archive_claim_value", {"attribute_id": vault.id_of(text)}))


def bo(vault: Vault) -> set[str]:
    return {row["content"] for row in vault.rows(
        "SELECT v.content FROM entity_attributes v JOIN entity_aspects s ON s.id = v.aspect_id"
        " JOIN entities e ON e.id = s.entity_id WHERE v.agent_id = :agent"
        " AND v.status = 'active' AND e.name = 'Bo'")}


def changed(vault: Vault) -> None:
    vault.write("people/Bo.md", LATER)
    assert vault.look() == ["Notes: people/Bo.md changed"]
    assert bo(vault) == {"Bo is known.", "likes tea"}


@pytest.mark.parametrize("beside", [True, False])
def test_after_a_restore_the_graph_says_what_the_notes_say_now(
    vault: Vault, beside: bool
) -> None:
    archive(vault, "Leads the team")
    backup = vault.workspace.back_up()
    if not beside:
        backup.with_suffix(BESIDE).unlink()
    changed(vault)
    vault.write("Cy.md", "- is new\n")
    vault.look()
    aside = vault.workspace.restore(backup).result
    assert vault.facts() == THEN - {"Leads the team"}
    vault.look()
    assert vault.names()["Bo"] == ("person", "Bo is known." if beside else "Bo is new.")
    assert bo(vault) == {"Bo is known.", "likes tea"}
    assert "is new" in vault.facts()
    assert "Leads the team" not in vault.facts(), "a person has archived it"
    assert vault.look() == []
    vault.write("people/Bo.md", BO)
    vault.look()
    assert bo(vault) == {"Bo is new.", "likes coffee"}
    assert aside is not None
    vault.workspace.restore(aside)
    assert bo(vault) == {"Bo is known.", "likes tea"}
    vault.look()
    assert bo(vault) == {"Bo is new.", "likes coffee"}
    assert vault.look() == []


def test_what_was_undone_before_the_backup_stays_undone(vault: Vault) -> None:
    changed(vault)
    vault.workspace.undo()
    backup = vault.workspace.back_up()
    assert vault.look() == []
    vault.write("people/Bo.md", LATER + "- sings\n")
    vault.look()
    vault.workspace.restore(backup)
    vault.look()
    assert bo(vault) == {"Bo is new.", "likes coffee", "sings"}
    assert vault.look() == []


def test_a_folder_that_is_watched_since_the_backup_comes_whole(
    tmp_path: Path, vault: Vault
) -> None:
    backup = vault.workspace.back_up()
    other = Vault(tmp_path / "other", vault.workspace)
    other.write("Dee.md", "- dives\n")
    other.look()
    vault.workspace.restore(backup)
    assert "dives" not in vault.facts()
    other.look()
    assert "dives" in vault.facts()


def test_an_earlier_file_put_in_its_place_is_compared_with_the_notes(
    tmp_path: Path, vault: Vault
) -> None:
    archive(vault, "Leads the team")
    graph, earlier = vault.workspace.path, tmp_path / "earlier.db"
    copy_file(graph, earlier)
    changed(vault)
    (vault.folder / "Ada.md").unlink()
    vault.look()
    vault.workspace.close()
    graph.with_name(f"{graph.name}-wal").unlink(missing_ok=True)
    copy_file(earlier, graph)
    vault.workspace = Workspace.open(graph, data_dir=tmp_path / "data")
    vault.watch = FolderWatch(vault.workspace, watched(vault.workspace)[0])
    assert vault.facts() == THEN - {"Leads the team"}
    vault.look()
    assert vault.facts() == {"Bo is known.", "likes tea"}
    assert vault.look() == []
    vault.workspace.close()


def test_a_step_taken_back_is_no_earlier_file(vault: Vault) -> None:
    changed(vault)
    vault.workspace.undo()
    assert vault.look() == []
    assert vault.look() == []
    vault.workspace.redo()
    assert vault.look() == []
    assert bo(vault) == {"Bo is known.", "likes tea"}
