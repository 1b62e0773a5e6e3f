"""The window stands before what most starts do not look at is loaded."""

import subprocess
import sys
from pathlib import Path

SHOWN = """
import sys
from pathlib import Path
from explorer.desktop import make_app, make_window
from ui.preferences import Preferences

app = make_app()
window = make_window(Preferences(Path(sys.argv[1])))
window.show()
app.processEvents()
window.grab()
print(*sorted(sys.modules))
app.aboutToQuit.emit()
"""
LATER = {
    "numpy": "the sky needs it",
    "pydantic": "operations and settings need it",
    "core.ontology.operation_catalog": "the palette lists all operations",
    "core.transfer.import_file": "few starts import",
    "ui.constellation.view": "it is loaded while the graph is opened",
    "ui.panels.proposals.panel": "a panel is loaded when it is made",
    "ui.dialogs.operation": "a form is loaded when it is asked for",
}


def test_a_window_that_is_shown_has_not_loaded_what_comes_later(tmp_path: Path, root: Path) -> None:
    told = subprocess.run([sys.executable, "-c", SHOWN, str(tmp_path / "window.ini")], cwd=root,
                          capture_output=True, text=True, check=True)
    loaded = set(told.stdout.split())
    assert "ui.main_window" in loaded
    assert {name: why for name, why in LATER.items() if name in loaded} == {}
