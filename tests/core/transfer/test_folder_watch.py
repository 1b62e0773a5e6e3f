"""A watched folder: the graph follows its notes, and a person's word stands above theirs."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import OpenError
from core.ontology import control
from core.recall.hybrid import recall
from core.store import time_ordered_ids
from core.transfer import note_folder_scan, note_statements_to_compare, note_sync
from core.transfer.import_file import read_import, write_import
from core.transfer.note_folder_scan import NoteFiles, Settling
from core.transfer.note_statements_to_compare import entity_of
from core.transfer.readers import markdown_notes
from core.watching import folder_watch
from core.watching.folder_watch import (
    AWAY,
    EMPTY,
    FolderWatch,
    stop_watching,
    watch,
)
from core.watching.watched_list import changes_today, watched
from core.workspace import Workspace
from tests.core.transfer.imported import read_file, told
from tests.templates import copy_graph
from ui.models.folder_watch_wording import watched_words

ADA = "Ada runs it.\n\n- [role] Leads the team\n- likes tea\n- works with [[Bo]]\n- knows [[Zed]]\n"
BO = "---\ntitle: Bo\ntype: person\n---\nBo is new.\n\n- likes coffee\n"


class Vault:
    """A folder, and the graph that follows it."""

    def __init__(self, folder: Path, workspace: Workspace) -> None:
        self.folder, self.workspace = folder, workspace
        folder.mkdir()
        self.write("Ada.md", ADA)
        self.write("people/Bo.md", BO)
        self.watch = FolderWatch(workspace, watch(workspace, folder))

    def write(self, place: str, text: str) -> None:
        path = self.folder / place
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def look(self) -> list[str]:
        """Look until nothing waits any more; the words of the steps."""
        looked = self.watch.look()
        again = self.watch.look() if looked.waiting else looked
        return [step.words for each in dict.fromkeys((looked, again)) for step in each.steps]

    def names(self) -> dict[str, tuple[str, str]]:
        """Type and description of each active entity."""
        return {row["name"]: (row["entity_type"], row["description"]) for row in self.rows(
            "SELECT e.name, e.entity_type, e.description FROM entities e"
            " WHERE e.agent_id = :agent AND e.status = 'active'")}

    def facts(self) -> set[str]:
        return {row["content"] for row in self.rows(
            "SELECT v.content FROM entity_attributes v WHERE v.agent_id = :agent"
            " AND v.status = 'active'")}

    def links(self) -> int:
        return len(self.rows("SELECT 1 FROM entity_dependencies d WHERE d.agent_id = :agent"
                             " AND d.status = 'active'"))

    def rows(self, sql: str):
        with self.workspace.read() as reader:
            return reader.rows(sql)

    def recalled(self, question: str) -> list[str]:
        """The memories that answer a question, as an agent is told them."""
        with self.workspace.read() as reader:
            return [hit.marked_text for hit in recall(reader, question).hits]

    def id_of(self, text: str) -> str:
        return next(row["id"] for row in self.rows(
            "SELECT v.id, v.content FROM entity_attributes v WHERE v.agent_id = :agent")
            if row["content"] == text)


@pytest.fixture
def vault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Vault]:
    monkeypatch.setattr(note_folder_scan, "QUIET_NS", -10**18)
    workspace = Workspace.open(copy_graph(lambda workspace: None, tmp_path / "graph.db"),
                               data_dir=tmp_path / "data")
    one = Vault(tmp_path / "vault", workspace)
    one.look()
    yield one
    workspace.close()


def test_the_first_look_is_one_step_with_the_note_as_its_source(vault: Vault) -> None:
    assert [each.label for each in vault.workspace.history()] == ["Notes: 2 notes of vault"]
    assert vault.names()["Bo"] == ("person", "Bo is new.")
    assert vault.facts() == {"Ada runs it.", "Bo is new.", "Leads the team", "likes tea",
                             "likes coffee"}
    sources = {row["source_path"] for row in vault.rows("SELECT m.source_path FROM memories m")}
    assert sources == {str(vault.folder / "Ada.md"), str(vault.folder / "people/Bo.md")}
    assert vault.look() == []


def test_what_another_program_took_over_meanwhile_is_no_step_of_this_one(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    other, taken = FolderWatch(vault.workspace, vault.watch.folder), list[str]()
    read_notes = folder_watch.read_notes

    def overtaken(*given):
        monkeypatch.setattr(folder_watch, "read_notes", read_notes)
        taken.extend(step.words for step in other.look().steps)
        return read_notes(*given)

    vault.write("Ada.md", ADA + "- likes cake\n")
    vault.write("Cy.md", "Cy is new.\n")
    monkeypatch.setattr(folder_watch, "read_notes", overtaken)
    looked = vault.watch.look()
    assert taken == ["Notes: Ada.md changed", "Notes: Cy.md is new"]
    assert looked.steps == ()
    assert {"likes cake", "Cy is new."} < vault.facts()
    assert vault.look() == []


def test_a_changed_note_is_one_step_and_only_what_it_no_longer_says_goes(vault: Vault) -> None:
    vault.write("Ada.md", "Ada runs it all.\n\n- [role] Leads the team\n- likes green tea\n"
                          "- works with [[Bo]]\n")
    assert vault.look() == ["Notes: Ada.md changed"]
    assert vault.facts() == {"Ada runs it all.", "Bo is new.", "Leads the team",
                             "likes green tea", "likes coffee"}
    assert vault.names().keys() == {"Ada", "Bo"}
    assert vault.names()["Ada"] == ("note", "Ada runs it all.")
    assert vault.links() == 1
    vault.write("Ada.md", ADA)
    vault.look()
    assert vault.facts() == {"Ada runs it.", "Bo is new.", "Leads the team", "likes tea",
                             "likes coffee"}
    assert vault.names().keys() == {"Ada", "Bo", "Zed"}
    assert vault.links() == 2
    assert not [row for row in vault.rows("SELECT COUNT(*) AS n FROM entity_attributes v"
                                          " GROUP BY v.content") if row["n"] > 1]


def test_a_type_that_another_import_gave_stays_when_the_note_is_looked_at_again(
    vault: Vault, tmp_path: Path
) -> None:
    contacts = tmp_path / "contacts.csv"
    contacts.write_text("name,type\nAda,person\n", "utf-8")
    content = read_import(contacts)
    vault.workspace.write("import", lambda w: write_import(w, content))
    vault.write("Ada.md", "Ada runs it all.\n")
    assert vault.look() == ["Notes: Ada.md changed"]
    assert vault.names()["Ada"][0] == "person"


def test_a_note_that_is_gone_archives_what_only_it_said_and_undo_stays(vault: Vault) -> None:
    (vault.folder / "people/Bo.md").unlink()
    assert vault.look() == ["Notes: people/Bo.md is gone"]
    assert vault.facts() == {"Ada runs it.", "Leads the team", "likes tea"}
    assert "Bo" in vault.names(), "another note links to it"
    vault.workspace.undo()
    assert vault.look() == []
    assert "likes coffee" in vault.facts()


def test_a_note_that_moved_changes_nothing(vault: Vault) -> None:
    (vault.folder / "people/Bo.md").rename(vault.folder / "Bo.md")
    vault.look()
    vault.look()
    assert vault.names()["Bo"] == ("person", "Bo is new.")
    assert "likes coffee" in vault.facts()


def test_what_is_said_in_another_note_now_is_not_told_as_outdated(vault: Vault) -> None:
    vault.write("Ada.md", ADA.replace("- likes tea\n", ""))
    vault.write("people/Bo.md", BO + "- likes tea\n")
    vault.look()
    told = vault.recalled("likes tea")
    assert "Bo: likes tea" in told
    assert not [each for each in told if "likes tea" in each and each != "Bo: likes tea"]
    (vault.folder / "people/Bo.md").rename(vault.folder / "Zoe.md")
    vault.write("Zoe.md", BO.replace("title: Bo\n", "") + "- likes tea\n")
    vault.look()
    assert "Zoe: likes tea" in vault.recalled("likes tea")
    vault.write("Zoe.md", "Zoe is new.\n")
    vault.look()
    assert not [each for each in vault.recalled("likes tea") if each.endswith("likes tea")]


BEE = "Bee hums.\n\n- makes honey\n- likes [[Ada]]\n- has wings\n- sleeps in winter\n- is small\n"


def renamed(vault: Vault, old: str, new: str) -> list[str]:
    (vault.folder / old).rename(vault.folder / new)
    return vault.look()


def entity(vault: Vault, name: str):
    return vault.rows(f"SELECT * FROM entities e WHERE e.agent_id = :agent AND e.status = 'active'"
                      f" AND e.name = '{name}'")


def test_a_renamed_note_is_the_same_entity_in_one_step(vault: Vault) -> None:
    vault.write("Bee.md", BEE)
    vault.write("Ada.md", ADA + "- keeps [[Bee]]\n")
    vault.look()
    id = entity(vault, "Bee")[0]["id"]
    for operation in ("pin_entity", "mute_entity"):
        vault.workspace.write("Set", lambda writer, operation=operation: control.apply(
            writer, operation, {"entity": "Bee"}))
    vault.workspace.write("Set", lambda writer: control.apply(writer, "set_claim_value", {
        "entity": "Bee", "aspect": "home", "claim_key": "hive", "value": "The blue hive"}))
    facts, links, steps = vault.facts(), vault.links(), len(vault.workspace.history())
    assert renamed(vault, "Bee.md", "Ceh.md") == ["Notes: Bee.md is now called Ceh.md"]
    row, = entity(vault, "Ceh")
    assert (row["id"], row["pinned"], row["muted"]) == (id, 1, 1)
    assert "Bee" not in vault.names()
    assert (vault.facts(), vault.links()) == (facts, links)
    assert not vault.rows("SELECT 1 FROM entity_aliases a WHERE a.agent_id = :agent")
    assert len(vault.workspace.history()) == steps + 1
    vault.write("Ada.md", ADA + "- keeps [[Ceh]]\n")
    vault.write("Ceh.md", BEE.replace("- makes honey\n", "- makes wax\n"))
    vault.look()
    assert vault.links() == links
    assert vault.facts() == facts - {"makes honey"} | {"makes wax"}
    vault.workspace.write("Set", lambda writer: control.apply(
        writer, "unmute_entity", {"entity": "Ceh"}))
    vault.write("Ada.md", ADA)
    vault.look()
    assert vault.links() == links - 1
    assert vault.names().keys() == {"Ada", "Bo", "Zed", "Ceh"}


def test_a_rename_is_undone_as_one_step_and_stays_so(vault: Vault) -> None:
    vault.write("Bee.md", BEE)
    vault.look()
    renamed(vault, "Bee.md", "Ceh.md")
    vault.workspace.undo()
    assert vault.look() == []
    vault.write("Ceh.md", BEE + "- dances\n")
    vault.look()
    assert vault.names().keys() == {"Ada", "Bo", "Zed", "Bee"}
    renamed(vault, "Ceh.md", "Dee.md")
    vault.write("Dee.md", BEE + "- dances\n- sings\n")
    vault.look()
    assert vault.names().keys() == {"Ada", "Bo", "Zed", "Bee"}
    assert {"dances", "sings"} <= vault.facts()


def test_a_new_note_gets_the_name_that_another_one_had(vault: Vault) -> None:
    vault.write("Bee.md", BEE)
    vault.look()
    id = entity(vault, "Bee")[0]["id"]
    assert renamed(vault, "Bee.md", "Ceh.md") == ["Notes: Bee.md is now called Ceh.md"]
    assert renamed(vault, "Ceh.md", "Bee.md") == ["Notes: Ceh.md is now called Bee.md"]
    renamed(vault, "Bee.md", "Ceh.md")
    vault.write("Bee.md", "- another one\n")
    vault.look()
    assert entity(vault, "Ceh")[0]["id"] == id != entity(vault, "Bee")[0]["id"]


def test_a_name_is_free_where_the_renamed_note_is_gone_in_the_same_look(vault: Vault) -> None:
    vault.write("Bee.md", BEE)
    vault.look()
    renamed(vault, "Bee.md", "Ceh.md")
    (vault.folder / "Ceh.md").unlink()
    vault.write("Bee.md", "- another one\n")
    vault.look()
    assert "Bee" in vault.names()
    assert "Ceh" not in vault.names()


def test_a_name_is_free_where_the_renamed_note_is_gone_since(vault: Vault) -> None:
    vault.write("Bee.md", BEE)
    vault.look()
    renamed(vault, "Bee.md", "Ceh.md")
    (vault.folder / "Ceh.md").unlink()
    vault.look()
    vault.write("Bee.md", "- another one\n")
    vault.look()
    assert "Bee" in vault.names()
    assert "Ceh" not in vault.names()


def test_a_name_is_free_where_others_still_link_to_the_note_that_is_gone(vault: Vault) -> None:
    vault.write("Bee.md", "- makes honey\n- has wings\n")
    vault.look()
    renamed(vault, "Bee.md", "Ceh.md")
    vault.write("Ada.md", ADA + "- keeps [[Ceh]]\n")
    vault.look()
    (vault.folder / "Ceh.md").unlink()
    vault.look()
    vault.write("Dee.md", "- another one\n- sings\n")
    vault.look()
    assert renamed(vault, "Dee.md", "Bee.md") == ["Notes: Dee.md is now called Bee.md"]
    assert [row["name"] for row in vault.rows(
        "SELECT DISTINCT e.name FROM entities e JOIN entity_aspects s ON s.entity_id = e.id JOIN"
        " entity_attributes v ON v.aspect_id = s.id WHERE v.agent_id = :agent"
        " AND v.content IN ('sings', 'another one') AND v.status = 'active'")] == ["Bee"]


def test_a_link_between_two_notes_renamed_in_one_look_goes_with_its_note(vault: Vault) -> None:
    vault.write("Bee.md", BEE)
    vault.write("Aki.md", "- knows [[Bee]]\n- is tall\n- is old\n- sings\n- runs\n")
    vault.look()
    links = vault.links()
    (vault.folder / "Bee.md").rename(vault.folder / "Ceh.md")
    (vault.folder / "Aki.md").unlink()
    vault.write("Akira.md", "- knows [[Ceh]]\n- is tall\n- is old\n- sings\n- runs\n")
    assert vault.look() == ["Notes: Aki.md is now called Akira.md",
                            "Notes: Bee.md is now called Ceh.md"]
    assert vault.links() == links
    (vault.folder / "Akira.md").unlink()
    vault.look()
    assert vault.links() == links - 1
    assert "Akira" not in vault.names()


def test_a_link_that_was_withdrawn_beside_a_rename_comes_back(vault: Vault) -> None:
    vault.write("Bee.md", BEE)
    vault.write("Cy.md", "- knows [[Bee]]\n- is tall\n")
    vault.look()
    links = vault.links()
    (vault.folder / "Cy.md").unlink()
    (vault.folder / "Bee.md").rename(vault.folder / "Ceh.md")
    assert vault.look() == ["Notes: Bee.md is now called Ceh.md", "Notes: Cy.md is gone"]
    assert vault.links() == links - 1
    vault.write("Cy.md", "- knows [[Ceh]]\n- is tall\n")
    vault.look()
    assert vault.links() == links
    assert {"Cy", "Ceh"} <= vault.names().keys()


def test_a_link_by_a_name_of_long_ago_goes_once_no_note_has_it(vault: Vault) -> None:
    vault.write("Bee.md", BEE)
    vault.write("Cy.md", "- knows [[Bee]]\n- is tall\n")
    vault.look()
    links = vault.links()
    renamed(vault, "Bee.md", "Ceh.md")
    renamed(vault, "Ceh.md", "Dee.md")
    assert vault.links() == links
    vault.write("Cy.md", "- is tall\n")
    vault.look()
    assert vault.links() == links - 1


def test_links_that_follow_a_rename_are_the_same_links(vault: Vault) -> None:
    vault.write("Bee.md", BEE)
    vault.write("Ada.md", ADA + "- keeps [[Bee]]\n")
    vault.look()
    links = vault.rows("SELECT d.id, d.status FROM entity_dependencies d WHERE d.agent_id = :agent")
    (vault.folder / "Bee.md").rename(vault.folder / "Ceh.md")
    vault.write("Ada.md", ADA + "- keeps [[Ceh]]\n")
    assert vault.look() == ["Notes: Bee.md is now called Ceh.md"]
    assert [tuple(row) for row in vault.rows(
        "SELECT d.id, d.status FROM entity_dependencies d WHERE d.agent_id = :agent")] == [
            tuple(row) for row in links]


def test_a_name_that_a_person_gave_stays_when_the_note_is_renamed(vault: Vault) -> None:
    vault.write("Bee.md", BEE)
    vault.look()
    vault.workspace.write("Rename", lambda writer: control.apply(
        writer, "rename_entity", {"entity": "Bee", "new_name": "Maja"}))
    renamed(vault, "Bee.md", "Ceh.md")
    vault.write("Ceh.md", BEE + "- dances\n")
    vault.look()
    assert "dances" in vault.facts()
    assert vault.names().keys() == {"Ada", "Bo", "Zed", "Maja"}


def test_notes_that_say_other_things_or_the_same_as_several_are_no_renamed_ones(
    vault: Vault
) -> None:
    for name in ("Bee", "Fly"):
        vault.write(f"{name}.md", "- hums\n- has wings\n")
    vault.look()
    (vault.folder / "Fly.md").unlink()
    assert len(renamed(vault, "Bee.md", "Ceh.md")) == 3
    (vault.folder / "Ceh.md").unlink()
    vault.write("Dee.md", "- hums\n- is a letter\n")
    assert vault.look() == ["Notes: Dee.md is new", "Notes: Ceh.md is gone"]


def test_what_only_links_call_so_becomes_one_with_a_renamed_note(vault: Vault) -> None:
    vault.write("Bee.md", BEE)
    vault.look()
    id, links = entity(vault, "Bee")[0]["id"], vault.links()
    renamed(vault, "Bee.md", "Zed.md")
    assert entity(vault, "Zed")[0]["id"] == id
    assert vault.names() == {"Ada": ("note", "Ada runs it."), "Bo": ("person", "Bo is new."),
                             "Zed": ("note", "Bee hums.")}
    assert vault.links() == links
    assert not vault.rows("SELECT 1 FROM entity_aliases a WHERE a.agent_id = :agent")
    vault.write("Ada.md", ADA.replace("- knows [[Zed]]\n", ""))
    vault.look()
    assert vault.links() == links - 1
    vault.workspace.undo()
    vault.workspace.undo()
    assert entity(vault, "Bee")[0]["id"] == id != entity(vault, "Zed")[0]["id"]


def test_a_name_that_is_taken_is_not_given_again(vault: Vault) -> None:
    vault.write("Bee.md", BEE)
    vault.look()
    vault.workspace.write("Set", lambda writer: control.apply(writer, "set_claim_value", {
        "entity": "Zed", "aspect": "home", "claim_key": "town", "value": "Rome"}))
    id = entity(vault, "Zed")[0]["id"]
    renamed(vault, "Bee.md", "Zed.md")
    assert entity(vault, "Zed")[0]["id"] == id
    assert vault.names().keys() == {"Ada", "Bo", "Zed"}
    assert "makes honey" in vault.facts()


def test_what_a_person_corrected_archived_or_undid_is_not_brought_back(vault: Vault) -> None:
    vault.workspace.write("Archive", lambda writer: control.apply(
        writer, "archive_claim_value", {"attribute_id": vault.id_of("likes coffee")}))
    vault.workspace.write("Correct", lambda writer: writer.update(
        "entity_attributes", vault.id_of("likes tea"), content="likes milk"))
    vault.write("people/Bo.md", BO + "- plays chess\n")
    vault.write("Ada.md", ADA.replace("- likes tea\n", "- likes cake\n"))
    vault.look()
    assert vault.facts() == {"Ada runs it.", "Bo is new.", "Leads the team", "likes milk",
                             "likes cake", "plays chess"}
    vault.workspace.undo()
    vault.workspace.undo()
    vault.write("people/Bo.md", BO + "- plays chess\n- sings\n")
    vault.look()
    assert "plays chess" not in vault.facts()
    assert "sings" in vault.facts()


def test_what_somebody_else_says_too_stays(vault: Vault) -> None:
    vault.workspace.write("Assert", lambda writer: control.apply(writer, "create_assertion", {
        "entity": "Bo", "predicate": "observed", "content": "likes coffee",
        "claim_attribute_id": vault.id_of("likes coffee"), "evidence": ["seen"]}))
    (vault.folder / "people/Bo.md").unlink()
    vault.look()
    assert "likes coffee" in vault.facts()


def test_a_folder_that_is_away_or_empty_at_once_changes_nothing(vault: Vault) -> None:
    aside = vault.folder.rename(vault.folder.with_name("aside"))
    assert vault.look() == []
    assert watched(vault.workspace)[0].fault == vault.watch.fault == AWAY
    vault.folder.mkdir()
    assert vault.look() == []
    assert vault.watch.fault == EMPTY
    vault.folder.rmdir()
    aside.rename(vault.folder)
    assert vault.look() == []
    assert watched(vault.workspace)[0].fault == ""
    assert "likes coffee" in vault.facts()


def test_it_is_remembered_for_its_agent_and_can_be_stopped(vault: Vault) -> None:
    one, = watched(vault.workspace)
    assert changes_today(one) == 1
    anew = FolderWatch(vault.workspace, one)
    assert anew.look().steps == anew.look().steps == (), "known after a restart"
    vault.workspace.with_agent("other")
    assert watched(vault.workspace) == []
    vault.workspace.with_agent("default")
    assert stop_watching(vault.workspace, vault.folder)
    assert not stop_watching(vault.workspace, vault.folder)
    assert watched(vault.workspace) == []
    assert "likes coffee" in vault.facts()
    with pytest.raises(OpenError):
        watch(vault.workspace, vault.folder / "nothing")


def test_files_are_left_while_they_are_written_or_replaced() -> None:
    now, long_ago = 10**19, 10**18
    settling = Settling()

    def look(**stamps: tuple[int, int]):
        return settling.settled(NoteFiles(stamps), {"kept": (long_ago, 1)}, now)

    assert look(kept=(long_ago, 1), old=(long_ago, 5)) == (["old"], [], False)
    assert look(kept=(long_ago, 1), half=(now, 3)) == ([], [], True)
    assert look(kept=(long_ago, 1), half=(now, 9)) == ([], [], True), "it still grows"
    assert look(kept=(long_ago, 1), half=(now, 9)) == (["half"], [], False)
    assert look() == ([], [], True), "an editor may be replacing it"
    assert look() == ([], ["kept"], False)
    assert settling.settled(NoteFiles({}, whole=False), {"kept": (long_ago, 1)}, now) == (
        [], [], False), "its folder can't be read"


def test_a_note_that_cannot_be_read_stays_as_it_was_and_is_named(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(markdown_notes, "_MOST", 200)
    vault.write("people/Bo.md", "- grew\n" * 100)
    os.mkfifo(vault.folder / "pipe.md")
    vault.write("Cy.md", "- is new\n")
    assert vault.look() == ["Notes: Cy.md is new"]
    assert "likes coffee" in vault.facts()
    (vault.folder / "b\udcff.md").write_text("- is odd\n")
    assert vault.look() == []
    folder = watched(vault.workspace)[0]
    assert folder.fault == vault.watch.fault
    assert folder.fault.startswith("Left as it was: people/Bo.md is larger than")
    assert folder.fault.endswith("1 more note as well")
    assert watched_words([folder]) == "vault can’t be read wholly"
    vault.write("people/Bo.md", BO.replace("coffee", "tea"))
    assert vault.look() == ["Notes: people/Bo.md changed"]
    assert "likes coffee" not in vault.facts()
    assert vault.watch.fault == "Left as it was: the name of b?.md is not UTF-8"
    (vault.folder / "b\udcff.md").unlink()
    assert vault.look() == []
    assert vault.watch.fault == ""


def test_templates_of_obsidian_are_no_notes(vault: Vault) -> None:
    settings = vault.folder / ".obsidian"
    settings.mkdir()
    vault.write("Shapes/Boat.md", "- sails on {{date}}\n")
    (settings / "templates.json").write_text('{"folder": "Shapes/"}')
    vault.write("Shapes of boats.md", "- are many\n")
    assert vault.look() == ["Notes: Shapes of boats.md is new"]
    vault.write("meta/Trip.md", "- goes to <% tp.file.title %>\n")
    plugin = settings / "plugins/templater-obsidian"
    plugin.mkdir(parents=True)
    (plugin / "data.json").write_text('{"templates_folder": "meta"}')
    assert vault.look() == []
    file = read_file(vault.folder)
    assert {entity.name for entity in file.entities} == {"Ada", "Bo", "Shapes of boats"}
    assert "in all: 2 templates of Obsidian are left out" in told(file)


@pytest.mark.parametrize("settings", ["", "[]", '{"folder": 1}', '{"folder": "/"}', "{nope"])
def test_settings_that_name_no_folder_leave_nothing_out(vault: Vault, settings: str) -> None:
    (vault.folder / ".obsidian").mkdir()
    (vault.folder / ".obsidian/templates.json").write_text(settings)
    vault.write("Cy.md", "- is new\n")
    assert vault.look() == ["Notes: Cy.md is new"]


def test_what_is_wrong_in_a_note_is_told_with_its_place(vault: Vault) -> None:
    (vault.folder / "Odd.md").write_bytes("- caf\u00e9 \u00e9\n- caf".encode() + b"\xe9 \n")
    step = vault.watch.look().steps[0]
    assert step.problems == (
        "Odd.md, line 2: contains bytes that are not UTF-8, shown as \ufffd",)


def test_notes_of_one_step_get_ids_of_their_own_in_the_same_moment(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time_ordered_ids, "_in_digits", lambda number: "0" * 8)
    monkeypatch.setattr(time_ordered_ids.secrets, "choice", lambda digits: digits[0])
    links = vault.links()
    for number in range(30):
        vault.write(f"n{number}.md", f"- a fact {number}\n- knows [[Ada]]\n")
    assert vault.look() == ["Notes: 30 notes of vault"]
    assert vault.links() == links + 30


def test_the_parts_of_a_step_are_told_apart_once_for_all_its_notes(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = 0

    def counted(said: str) -> str:
        nonlocal asked
        asked += 1
        return entity_of(said)

    monkeypatch.setattr(note_statements_to_compare, "entity_of", counted)
    monkeypatch.setattr(note_sync, "entity_of", counted)
    for number in range(60):
        vault.write(f"n{number}.md", "- a fact\n")
    vault.look()
    assert asked < 60 * 10


def test_a_tag_taken_out_of_a_note_leaves_its_memory(vault: Vault) -> None:
    def tags() -> dict[str, str]:
        return {row["content"]: row["tags"] for row in vault.rows(
            "SELECT m.content, m.tags FROM memories m WHERE m.agent_id = :agent AND m.tags <> ''")}

    note = "- likes tea #hot #green\n- likes rain #wet\n- likes fog #grey\n"
    vault.write("Kim.md", note)
    vault.look()
    facts = vault.facts()
    assert tags() == {"likes tea": "hot,green", "likes rain": "wet", "likes fog": "grey"}
    vault.workspace.write("Tag", lambda writer: writer.update(
        "memories", writer.value("SELECT m.id FROM memories m WHERE m.content = 'likes fog'"
                                 " AND m.agent_id = :agent"), tags="grey,mine"))
    vault.write("Kim.md", "- likes tea #green\n- likes rain\n- likes fog\n")
    vault.look()
    assert tags() == {"likes tea": "green", "likes fog": "grey,mine"}
    vault.workspace.undo()
    assert tags() == {"likes tea": "hot,green", "likes rain": "wet", "likes fog": "grey,mine"}
    assert vault.look() == []
    vault.write("Kim.md", note)
    vault.look()
    assert tags() == {"likes tea": "hot,green", "likes rain": "wet", "likes fog": "grey,mine"}
    assert vault.facts() == facts
