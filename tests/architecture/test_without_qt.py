"""Core and the command line run where Qt is not installed."""

import pkgutil
import subprocess
import sys
from pathlib import Path

BLOCK = """
import sys
class NoQt:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {"PySide6", "shiboken6", "qtawesome", "qtpy"}:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, NoQt())
"""


def run(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run `code` in a new interpreter that cannot find Qt."""
    return subprocess.run([sys.executable, "-c", BLOCK + code], cwd=folder, text=True,
                          capture_output=True)


def test_every_module_of_core_imports_without_qt(root: Path) -> None:
    names = [m.name for m in pkgutil.walk_packages([str(root / "core")], "core.")]
    assert len(names) > 20
    done = run("import importlib\n" + "\n".join(f"importlib.import_module({n!r})" for n in names),
               root)
    assert done.returncode == 0, done.stderr


def test_the_command_line_makes_and_reads_a_graph_without_qt(root: Path, tmp_path: Path) -> None:
    graph = str(tmp_path / "graph.db")
    code = "from explorer.main import main\nmain({})"
    made = run(code.format(["new", graph]), root)
    assert made.returncode == 0, made.stderr
    created = run(code.format(["ontology", "entity", "create", "Vega", "--store", graph]), root)
    assert created.returncode == 0, created.stderr
    read = run(code.format(["knowledge", "entity", "Vega", "--store", graph, "--json"]), root)
    assert read.returncode == 0, read.stderr
    assert '"Vega"' in read.stdout


def test_the_command_line_loads_neither_qt_nor_the_heavy_engines(root: Path) -> None:
    heavy = {"PySide6", "umap", "numba", "sklearn", "tokenizers", "safetensors", "networkx",
             "usearch", "mcp"}
    code = ("import sys, explorer.main\n"
            f"print(sorted({heavy!r} & {{name.split('.')[0] for name in sys.modules}}))")
    done = subprocess.run([sys.executable, "-c", code], cwd=root, text=True, capture_output=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "[]"


def test_asking_for_a_window_without_qt_is_answered_in_words(root: Path, tmp_path: Path) -> None:
    done = run("from explorer.main import main\n"
               f"main(['render', '--demo', '--out', {str(tmp_path / 'a.png')!r}])", root)
    assert done.returncode == 2
    assert "Qt" in done.stderr
    assert "Traceback" not in done.stderr
