"""Tags of notes are tags of what the notes say: found as such, exported, and kept up to date."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.queries.entities import list_entities
from core.recall.filters import Filters
from core.recall.hybrid import recall
from core.transfer import note_folder_scan
from core.transfer.export_file import EXPORT_FORMATS, export_graph
from core.transfer.mcp_import import import_mcp
from core.watching.folder_watch import FolderWatch, watch
from core.workspace import Workspace
from tests.core.transfer.imported import read_file, told
from tests.templates import copy_graph

NOTE = """---
tags: [sailing, "#hobby", pinned]
---
Mia sails every #summer/lake week.

- owns a boat #boat
- [rule] Wears a vest #constraint
"""


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    one = Workspace.open(copy_graph(lambda workspace: None, tmp_path / "graph.db"),
                         data_dir=tmp_path / "data")
    yield one
    one.close()


def take(workspace: Workspace, folder: Path) -> list[str]:
    file = read_file(folder)
    workspace.write("import", lambda writer: import_mcp(writer, file))
    return told(file)


def tags(workspace: Workspace) -> dict[str, str]:
    with workspace.read() as reader:
        return {row["content"]: row["tags"] or "" for row in reader.rows(
            "SELECT m.content, m.tags FROM memories m WHERE m.agent_id = :agent")}


def tagged(workspace: Workspace, tag: str) -> list[str]:
    with workspace.read() as reader:
        found = recall(reader, "", filters=Filters(tags=(tag,))).hits
        names = [row.name for row in list_entities(reader, text=f"[{tag}]")]
    return [*names, *sorted(hit.memory.content for hit in found)]


def folder_with(tmp_path: Path, text: str) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir(exist_ok=True)
    (folder / "Mia.md").write_text(text)
    return folder


def test_tags_of_a_note_and_in_its_text_are_found(workspace: Workspace, tmp_path: Path) -> None:
    folder = folder_with(tmp_path, NOTE)
    assert take(workspace, folder) == []
    assert tags(workspace) == {
        "Mia sails every #summer/lake week.": "sailing,hobby,summer/lake",
        "owns a boat": "sailing,hobby,boat", "Wears a vest": "sailing,hobby"}
    assert tagged(workspace, "boat") == ["Mia", "owns a boat"]
    assert tagged(workspace, "hobby") == ["Mia", "Mia sails every #summer/lake week.",
                                          "Wears a vest", "owns a boat"]
    entries = len(workspace.history())
    take(workspace, folder)
    assert len(workspace.history()) == entries, "an unchanged note changes nothing"


@pytest.mark.parametrize("line", ["tags: a, b", "tags: '#a #b'", "tags:\n- a\n- b", "tags: [a, b]"])
def test_tags_are_read_in_any_form(workspace: Workspace, tmp_path: Path, line: str) -> None:
    take(workspace, folder_with(tmp_path, f"---\n{line}\n---\n- sings\n"))
    assert tags(workspace) == {"sings": "a,b"}


def test_tags_that_come_later_are_added(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = folder_with(tmp_path, "- sings\n- dances #stage\n")
    take(workspace, folder)
    folder_with(tmp_path, "---\ntags: music\n---\n- sings\n- dances #stage\n")
    take(workspace, folder)
    assert tags(workspace) == {"sings": "music", "dances": "stage,music"}
    monkeypatch.setattr(note_folder_scan, "QUIET_NS", -10**18)
    followed = FolderWatch(workspace, watch(workspace, folder))
    followed.look()
    folder_with(tmp_path, "---\ntags: music\n---\n- sings #choir\n- dances #stage\n")
    assert [step.words for step in followed.look().steps] == ["Notes: Mia.md changed"]
    assert tags(workspace) == {"sings": "music,choir", "dances": "stage,music"}


@pytest.mark.parametrize("name", ["obsidian", "markdown"])
def test_an_export_of_notes_writes_the_tags(
    workspace: Workspace, tmp_path: Path, name: str
) -> None:
    take(workspace, folder_with(tmp_path, NOTE))
    with workspace.read() as reader:
        export_graph(reader, EXPORT_FORMATS[name], tmp_path / "out")
    other = Workspace.open(copy_graph(lambda workspace: None, tmp_path / "other.db"),
                           data_dir=tmp_path / "data2")
    take(other, tmp_path / "out")
    was = {words.replace("#", ""): set(each.split(",")) for words, each in tags(workspace).items()}
    assert {words.replace("#", ""): set(each.split(",")) for words, each in tags(other).items()
            if "vest" in words or "boat" in words} == {
        words: each for words, each in was.items() if "vest" in words or "boat" in words}
    other.close()


def test_an_export_without_tags_says_so(workspace: Workspace, tmp_path: Path) -> None:
    take(workspace, folder_with(tmp_path, NOTE))
    told_by = {}
    with workspace.read() as reader:
        for name, format in EXPORT_FORMATS.items():
            place = tmp_path / f"out{name}{format.ending}"
            report = export_graph(reader, format, place)
            files = [place] if place.is_file() else [*place.rglob("*.*")]
            has = any("boat" in text.replace("owns a boat", "") for text in
                      (each.read_text() for each in files if each.is_file()))
            told_by[name] = has, any("tag" in part for part in report.left_out)
    assert {name for name, (has, _) in told_by.items() if has} == {"bundle", "markdown", "obsidian"}
    assert all(has != said for has, said in told_by.values())
