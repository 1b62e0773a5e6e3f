"""Which graph is meant when none is named."""

import json
from pathlib import Path

import pytest

from core.errors import OpenError
from explorer import default_graph


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONSTELLATION_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("USERPROFILE", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)


def make(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    return path


def test_the_graph_that_is_named_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONSTELLATION_STORE", "other.db")
    assert default_graph.chosen_store(tmp_path / "named.db") == tmp_path / "named.db"


def test_a_tilde_is_the_persons_folder(tmp_path: Path) -> None:
    assert default_graph.chosen_store(Path("~/a.db")) == tmp_path / "home" / "a.db"


def test_the_environment_wins_over_the_graph_opened_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    default_graph.remember_opened(make(tmp_path / "last.db"))
    monkeypatch.setenv("CONSTELLATION_STORE", "named.db")
    assert default_graph.usual_store() == Path("named.db")


def test_the_graph_opened_last_is_used_while_it_is_there(tmp_path: Path) -> None:
    last = make(tmp_path / "last.db")
    default_graph.remember_opened(last)
    assert default_graph.usual_store() == last
    last.unlink()
    assert default_graph.usual_store() is None


def test_signets_own_place_is_found_in_its_three_ways(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = make(tmp_path / "home" / ".agents" / "memory" / "memories.db")
    assert default_graph.usual_store() == usual
    set_up = make(tmp_path / "elsewhere" / "memory" / "memories.db")
    config = make(tmp_path / "home" / ".config" / "signet" / "workspace.json")
    config.write_text(json.dumps({"workspace": str(tmp_path / "elsewhere")}), encoding="utf-8")
    assert default_graph.usual_store() == set_up
    chosen = make(tmp_path / "chosen" / "memory" / "memories.db")
    monkeypatch.setenv("SIGNET_PATH", str(tmp_path / "chosen"))
    assert default_graph.usual_store() == chosen


@pytest.mark.parametrize("text", ["", "[]", "{broken", '{"workspace": 3}', '"text"'])
def test_odd_settings_of_signet_mean_its_usual_place(tmp_path: Path, text: str) -> None:
    usual = make(tmp_path / "home" / ".agents" / "memory" / "memories.db")
    make(tmp_path / "home" / ".config" / "signet" / "workspace.json").write_text(text, "utf-8")
    assert default_graph.signet_store() == usual


def test_without_any_graph_the_ways_to_one_are_named() -> None:
    with pytest.raises(OpenError, match="constellation new") as caught:
        default_graph.chosen_store(None)
    assert "--demo" in str(caught.value)
