"""Tables of notes: each row is a fact in words, with its own line."""

from pathlib import Path

import pytest

from tests.core.transfer.imported import facts, links, read_file


def test_each_row_of_a_table_is_a_fact_in_words(tmp_path: Path) -> None:
    (tmp_path / "Harbor.md").write_text(
        "The harbor has piers.\n| Pier | Depth | Keeper | |\n|------|:-----:|-------:|--|\n"
        "| A | 3 m | [[Mia Berger\\|Mia]] | new |\n| B \\| C |  | |\n| | | |\n"
        "| D | 4 m | | | deep |\n\n"
        "## Tides\n\nHour | Level\n---|---\n6 | low\n\n```\nPier | Depth\n---|---\nE | 5 m\n```\n")
    file = read_file(tmp_path)
    assert facts(file)["Harbor"] == [
        ("observations", "The harbor has piers."),
        ("observations", "Pier: A; Depth: 3 m; Keeper: Mia; new"),
        ("observations", "Pier: B | C"), ("observations", "Pier: D; Depth: 4 m; deep"),
        ("Tides", "Hour: 6; Level: low"),
        ("Tides", "```\nPier | Depth\n---|---\nE | 5 m\n```")]
    assert links(file) == {("Harbor", "links to", "Mia Berger")}
    assert [(each.line, each.target) for each in file.relations] == [(4, "Mia Berger")]
    assert file.entities[0].description == "The harbor has piers."


@pytest.mark.parametrize("text", [
    "a | b\nc | d\n", "Title\n-----\n", "---|---\na | b\n", "| a |\n"])
def test_other_lines_with_bars_are_no_table(tmp_path: Path, text: str) -> None:
    (tmp_path / "Harbor.md").write_text(text)
    assert [words for _, words in facts(read_file(tmp_path))["Harbor"]] == [text.strip()]


def test_a_password_in_a_row_is_told_with_the_line_of_the_row(tmp_path: Path) -> None:
    (tmp_path / "Keys.md").write_text(
        "| Who | Password |\n|---|---|\n| Mia | |\n| Bo | hunter2-Xk29vQ |\n")
    assert [each.where for each in read_file(tmp_path).secrets] == ["“Keys”, Keys.md, line 4"]
