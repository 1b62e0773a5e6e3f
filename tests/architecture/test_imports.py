"""The import directions are a contract, and the contract notices when it is broken."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGES = ("core", "ui", "explorer")


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run import-linter in `folder`, as `make contracts` does."""
    command = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    return subprocess.run(
        [sys.executable, "-c", command, "--no-cache"], cwd=folder, capture_output=True, text=True,
        env={"PYTHONPATH": str(folder), "PATH": "/usr/bin:/bin", "PYTHONIOENCODING": "utf-8"},
    )


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the tree that a test may spoil and must mend."""
    root = Path(__file__).resolve().parents[2]
    folder = tmp_path_factory.mktemp("tree")
    for package in PACKAGES:
        shutil.copytree(root / package, folder / package,
                        ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(root / "pyproject.toml", folder)
    return folder


def test_every_import_contract_holds(root: Path) -> None:
    report = lint_imports(root)
    assert report.returncode == 0, report.stdout + report.stderr


@pytest.mark.parametrize(
    ("module", "line", "contract"),
    [
        ("core/errors.py", "import ui", "explorer wires ui, ui uses core, core knows neither"),
        ("core/events.py", "import PySide6.QtCore", "core is free of Qt"),
        ("core/model/entity.py", "import core.store", "layers inside core"),
        ("core/store/reader_and_writer.py", "import core.queries", "layers inside core"),
        ("core/queries/entities.py", "import core.ontology", "layers inside core"),
        ("core/queries/entities.py", "import sqlite3", "SQLite is the store's business"),
        ("core/ontology/operation_catalog.py", "import networkx",
         "networkx is the layout's business"),
        ("core/embedding/word_vectors.py", "import umap", "umap is imported in one place"),
        ("explorer/cli/__init__.py", "import ui", "the command line is free of Qt"),
        ("explorer/model_json.py", "import PySide6.QtGui", "the command line is free of Qt"),
        ("explorer/cli/__init__.py", "import mcp",
         "the protocol's SDK is loaded by one command, when it runs"),
        ("core/errors.py", "import fastapi", "FastAPI is loaded by one command, when it runs"),
        ("explorer/cli/serve_and_token_commands.py", "import explorer.http.app",
         "FastAPI is loaded by one command, when it runs"),
        ("ui/theme/__init__.py", "import ui.panels", "layers inside ui"),
        ("ui/panels/entities.py", "import ui.panels.proposals", "panels do not know each other"),
        ("ui/constellation/layers/walk_numbers.py", "import ui.constellation.layers.rings",
         "layers of the sky do not know each other"),
    ],
)
def test_a_broken_direction_is_reported(
    copy: Path, module: str, line: str, contract: str
) -> None:
    file = copy / module
    before = file.read_text(encoding="utf-8")
    file.write_text(f"{before}\n{line}\n", encoding="utf-8")
    try:
        report = lint_imports(copy)
    finally:
        file.write_text(before, encoding="utf-8")
    assert report.returncode == 1, report.stdout
    assert re.search(rf"{re.escape(contract)}.*BROKEN", report.stdout), report.stdout
