"""One tree of described settings: kept as TOML, never in the way of starting."""

import re
from pathlib import Path

import pytest
from pydantic import ValidationError

from core.errors import ConstellationError
from core.settings import Settings, changed, describe, load, save, settings_file


def test_each_setting_has_a_name_in_words_that_is_its_own_in_its_group() -> None:
    titles = [(one.section, one.title) for one in describe()]
    assert len(set(titles)) == len(titles)
    for one in describe():
        assert one.title[:1].isupper(), one.name
        assert not re.search(r"_|\b(max|min|ms|chars|npmi|fts)\b", one.title.lower()), one.title
        assert len(one.title) <= 34, one.title


def test_the_walks_defaults_are_the_documented_ones() -> None:
    told = Settings().traversal
    assert (told.max_aspects_per_entity, told.max_attributes_per_aspect, told.max_branching,
            told.max_traversal_paths, told.min_confidence, told.min_dependency_strength,
            told.timeout_ms) == (10, 20, 4, 50, 0.5, 0.3, 500)
    assert (told.max_project_entities, told.max_query_entities) == (5, 20)
    assert Settings().neighborhood.promotion_threshold == 3


def test_every_setting_is_described_with_its_bounds() -> None:
    for setting in describe():
        assert setting.meaning.strip(), setting.name
        if isinstance(setting.default, int | float) and not isinstance(setting.default, bool):
            assert setting.least is not None, f"{setting.section}.{setting.name} has no least"
            assert setting.most is not None, f"{setting.section}.{setting.name} has no most"
            assert setting.least <= setting.default <= setting.most


def test_settings_are_found_again_and_only_what_was_changed_is_written(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "settings.toml"
    told = changed(Settings(), "traversal", max_branching=7, maxDependencyHops=3)
    assert save(told, file) == file
    assert file.read_text() == "[traversal]\nmax_branching = 7\nmax_dependency_hops = 3\n"
    assert load(file).settings == told
    assert load(file).ignored == ()


def test_no_file_means_the_defaults(tmp_path: Path) -> None:
    assert load(tmp_path / "none.toml").settings == Settings()


@pytest.mark.parametrize("content", [
    b"not = [toml", b"\xff\xfe\x00", b"traversal = 3", b"[traversal]\nmaxBranching = 'many'",
    b"[traversal]\nmax_branching = -1", b"[unknown]\nx = 1", b"[traversal]\nunknown = 1",
    b"[neighborhood]\ndepth = 9\nmaxNodes = 5", b"[[traversal]]", b"[traversal.timeout_ms]",
])
def test_a_bad_file_never_raises_and_says_what_it_ignored(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "settings.toml"
    file.write_bytes(content)
    loaded = load(file)
    assert loaded.settings.traversal == Settings().traversal
    assert len(loaded.ignored) == 1
    assert loaded.ignored[0].why


def test_what_is_right_beside_a_fault_still_counts(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text("[neighborhood]\ndepth = 9\nmaxNodes = 5\n[traversal]\nmax_branching = 2\n")
    loaded = load(file)
    assert (loaded.settings.neighborhood.max_nodes, loaded.settings.neighborhood.depth,
            loaded.settings.traversal.max_branching) == (5, 1, 2)
    assert [line.where for line in loaded.ignored] == ["neighborhood.depth"]


def test_a_folder_that_refuses_is_said_in_words(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ConstellationError, match="can't be saved"):
        save(Settings(), tmp_path / "file" / "settings.toml")


def test_a_value_out_of_bounds_is_refused() -> None:
    with pytest.raises(ValidationError):
        changed(Settings(), "traversal", max_branching=1000)


def test_the_file_lies_where_the_environment_says(monkeypatch: pytest.MonkeyPatch) -> None:
    assert settings_file().name == "settings.toml"
    monkeypatch.setenv("CONSTELLATION_SETTINGS", "/elsewhere/my.toml")
    assert settings_file() == Path("/elsewhere/my.toml")
