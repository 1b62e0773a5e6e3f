"""Prints how many words of the sky overlap: `python -m tests.bench.overlaps --demo FILE…`."""

import argparse
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from core.constellation.scene import Scene
from core.workspace import Workspace
from explorer.demo import build_demo
from explorer.desktop import make_app
from explorer.pictures import _scene
from tests.overlaps import in_pictures, while_panning, while_zooming
from tests.skies import sample_scene
from ui.theme import load_theme


def skies(files: list[Path], *, demo: bool, entities: list[int]) -> Iterator[tuple[str, Scene]]:
    """The skies that are asked for, with their names; files are copied and never written to."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for number, file in enumerate([*files, *([build_demo(folder / "demo.db")] * demo)]):
            copy = Path(shutil.copy(file, folder / f"{number}-{file.name}"))
            with closing(Workspace.open(copy, data_dir=folder / f"data{number}")) as workspace, \
                    workspace.read() as reader:
                yield file.name, _scene(reader, workspace)
    for many in entities:
        yield f"{many:,} entities", sample_scene(many)


def main() -> None:
    """Print a line for the pictures of each sky, and one each for its zoom and pans."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("files", nargs="*", type=Path)
    asked.add_argument("--demo", action="store_true")
    asked.add_argument("--entities", type=int, nargs="*", default=[])
    given = asked.parse_args()
    app = make_app()
    theme = load_theme("dusk")
    for name, scene in skies(given.files, demo=given.demo, entities=given.entities):
        sys.stdout.write(f"{name}: {dict(in_pictures(scene, theme))}\n")
        sys.stdout.write(f"{name}, zoom: {dict(while_zooming(scene, theme))}\n")
        sys.stdout.write(f"{name}, pan: {dict(while_panning(scene, theme))}\n")
    app.quit()


if __name__ == "__main__":
    main()
