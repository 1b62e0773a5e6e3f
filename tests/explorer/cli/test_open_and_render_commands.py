"""The window and its pictures, as far as the command line decides about them."""

import re
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from core.past.compared_states import last_visit
from core.workspace import Workspace
from explorer import display
from tests.explorer.conftest import graph_fixture

QtGui = pytest.importorskip("PySide6.QtGui")


@pytest.fixture(autouse=True)
def _look_of_other_tests() -> Iterator[None]:
    """The application object is one for all tests; leave it dressed as they expect it."""
    yield
    desktop = pytest.importorskip("explorer.desktop")
    desktop.dress(desktop.make_app(), desktop.load_theme("dusk"))


@graph_fixture
def stars(run, graph: Path) -> Path:
    """A graph of three linked entities."""
    for name in ("Vega", "Altair", "Deneb"):
        run("ontology", "claim", "set", name, "light", "general", "colour", "--value", "white")
    run("ontology", "link", "create", "Vega", "related_to", "Altair", "--reason", "a triangle")
    return graph


@pytest.fixture
def no_display(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(display, "is_there", lambda: False)


def test_render_draws_the_sky_in_the_size_asked_and_tells_how_much(
    run, stars: Path, tmp_path: Path
) -> None:
    told = run("render", "--out", tmp_path / "sky.png", "--size", "400x300", "--json").json
    assert (told["width"], told["height"], told["edges"]) == (400, 300, 1)
    assert told["nodes"] == 3 + 3 + 3
    assert told["shown"] >= 3
    image = QtGui.QImage(str(tmp_path / "sky.png"))
    assert (image.width(), image.height()) == (400, 300)


def test_the_same_graph_gives_the_same_picture(run, stars: Path, tmp_path: Path) -> None:
    for name in ("one.png", "two.png"):
        assert run("render", "--out", tmp_path / name, "--size", "300x200").code == 0
    assert (tmp_path / "one.png").read_bytes() == (tmp_path / "two.png").read_bytes()


def test_the_two_themes_a_dive_and_marks_of_what_is_new_look_different(
    run, stars: Path, tmp_path: Path
) -> None:
    pictures = set()
    for flags in ([], ["--theme", "paper"], ["--entity", "Vega"], ["--since", "2001-02-03"]):
        run("render", "--out", tmp_path / "a.png", "--size", "300x200", *flags)
        pictures.add((tmp_path / "a.png").read_bytes())
    assert len(pictures) == 4


def test_an_empty_graph_can_be_drawn(run, graph: Path, tmp_path: Path) -> None:
    done = run("render", "--out", tmp_path / "a.png", "--size", "300x200")
    assert done.code == 0, done.err
    assert re.match(r"0 entities, 0 links: .*a\.png", done.out)


@pytest.mark.parametrize(("flags", "said"), [
    (["--size", "big"], "width x height"),
    (["--theme", "neon"], "neon"),
    (["--entity", "Nobody"], "Entity not found: Nobody"),
])
def test_what_can_not_be_drawn_is_told_in_words(run, stars: Path, tmp_path: Path,
                                                flags: list[str], said: str) -> None:
    done = run("render", "--out", tmp_path / "a.png", *flags)
    assert done.code == 2
    assert said in done.err
    assert not (tmp_path / "a.png").exists()


def test_a_picture_into_a_folder_that_is_not_there_is_refused(run, stars: Path,
                                                              tmp_path: Path) -> None:
    done = run("render", "--out", tmp_path / "no" / "a.png")
    assert done.code == 2
    assert "The picture can't be written" in done.err


@pytest.mark.usefixtures("no_display")
def test_without_a_display_the_window_names_the_other_way(run, stars: Path) -> None:
    done = run(stars)
    assert done.code == 2
    assert "No display is available" in done.err
    assert "constellation render" in done.err


@pytest.mark.parametrize("arguments", [[], ["graph.db"], ["open", "graph.db"], ["--demo"]])
def test_no_command_or_a_graph_means_the_window(
    run, monkeypatch: pytest.MonkeyPatch, arguments: list[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("CONSTELLATION_DATA", str(tmp_path / "data"))
    monkeypatch.setattr(display, "is_there", lambda: False)
    monkeypatch.chdir(tmp_path)
    run("new", "graph.db")
    assert "No display is available" in run(*arguments).err


@pytest.mark.parametrize("name", ["k.db", "picture.jpg", "picture"])
def test_only_a_name_of_a_picture_is_taken_for_one(
    run, stars: Path, tmp_path: Path, name: str
) -> None:
    done = run("render", "--out", tmp_path / name)
    assert (done.code, "ends in .png or .svg or .pdf" in done.err) == (2, True)
    assert not (tmp_path / name).exists()


def test_what_is_no_picture_is_never_written_over(run, stars: Path, tmp_path: Path) -> None:
    graph = tmp_path / "graph.png"
    graph.write_bytes(stars.read_bytes())
    before = graph.read_bytes()
    done = run("render", "--out", graph)
    assert (done.code, "not a picture" in done.err) == (2, True)
    assert graph.read_bytes() == before
    run("render", "--out", tmp_path / "sky.png", "--size", "300x200")
    assert run("render", "--out", tmp_path / "sky.png", "--size", "310x200").code == 0


@pytest.mark.parametrize("size", ["99999x99999", "20000x10", "16000x16000"])
def test_a_size_that_no_machine_has_room_for_is_refused(
    run, stars: Path, tmp_path: Path, size: str
) -> None:
    done = run("render", "--size", size, "--out", tmp_path / "a.png")
    assert (done.code, "at most" in done.err) == (2, True)


def test_a_dive_also_shows_in_the_picture_of_the_window(run, stars: Path, tmp_path: Path) -> None:
    # Without --entity the first of the list is selected: the same but for the dive.
    first = run("knowledge", "entities", "--json").json["items"][0]["entity"]["name"]
    for name, flags in (("all.png", []), ("dive.png", ["--entity", first])):
        run("render", "--window", "--out", tmp_path / name, "--size", "900x600", *flags)
    assert (tmp_path / "all.png").read_bytes() != (tmp_path / "dive.png").read_bytes()
    with closing(Workspace.open(stars)) as workspace:
        assert last_visit(workspace) is None, "nobody has looked at the graph"


def test_a_page_is_drawn_in_any_scale_and_the_window_only_as_png(
    run, stars: Path, tmp_path: Path
) -> None:
    for ending in ("svg", "pdf"):
        done = run("render", "--out", tmp_path / f"sky.{ending}", "--scale", "3")
        assert done.code == 0, done.err
    assert (tmp_path / "sky.pdf").read_bytes().startswith(b"%PDF-")
    assert "</svg>" in (tmp_path / "sky.svg").read_text("utf-8")
    refused = run("render", "--window", "--out", tmp_path / "window.pdf")
    assert (refused.code, "as PNG" in refused.err) == (2, True)
    large = run("render", "--out", tmp_path / "sky.png", "--size", "9000x900", "--scale", "2")
    assert (large.code, "at most 16,384 pixels" in large.err) == (2, True)


def test_a_window_is_drawn_as_on_a_screen_of_twice_the_points(stars: Path, tmp_path: Path) -> None:
    picture = tmp_path / "window.png"
    subprocess.run(
        [sys.executable, "-m", "explorer", "render", "--window", "--scale", "2", "--size",
         "900x600", "--store", str(stars), "--out", str(picture)], check=True, timeout=300)
    width, height = struct.unpack(">II", picture.read_bytes()[16:24])
    assert (width, height) == (1800, 1200)
