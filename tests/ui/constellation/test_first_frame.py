"""What the first frame of the sky does that no later one does."""

import subprocess
import sys
from pathlib import Path

PAINT = """
import sys
from threading import current_thread, main_thread

from msgspec.structs import replace

from core.constellation.scene_assembly import assemble
from explorer.desktop import make_app
from tests.skies import sample
from ui.constellation.view import SkyView
from ui.theme import load_theme

class Watch:
    def find_spec(self, name, path=None, target=None):
        if current_thread() is main_thread():
            print(name)


app = make_app()
view = SkyView(load_theme("dusk"))
view.resize(800, 600)
rows, saved = sample(60)
view.set_scene(assemble(rows, replace(saved, unit=100.0)))
sys.meta_path.insert(0, Watch())
view.grab()
"""


def test_nothing_is_loaded_while_the_window_waits_for_it(root: Path) -> None:
    done = subprocess.run([sys.executable, "-c", PAINT], cwd=root, text=True, capture_output=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == []
