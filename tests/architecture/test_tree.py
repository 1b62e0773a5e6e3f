"""What a stranger finds in the tree: nothing of the place it was built in, no stale list."""

import ast
import re
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

TOP_LEVEL = {"ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "Makefile",
             "README.md", "THIRD_PARTY.md", "assets", "core", "explorer", "pyproject.toml",
             "requirements.lock", "tests", "ui"}
OPTIONAL = {"pyarrow"}
"""Packages that are used where a person has them."""
PYTHON_NAMES = {"annotated-types": "annotated_types", "detect-secrets": "detect_secrets",
                "pyside6-essentials": "PySide6", "pyyaml": "yaml", "umap-learn": "umap"}


def tracked(root: Path) -> list[Path]:
    """The files that git tracks, or every file where this is no clone."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, text=True)
    if listed.returncode:
        pytest.skip("not a clone")
    return [root / name for name in listed.stdout.split("\0") if name and (root / name).exists()]


def imports(folder: Path) -> set[str]:
    """The top-level names that the modules under `folder` import or look for."""
    names: set[str] = set()
    for file in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names.update(alias.name.split(".")[0] for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module:
                names.add(node.module.split(".")[0])
            elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "find_spec":
                # Used for what it ships, without being loaded.
                names.update(arg.value for arg in node.args if isinstance(arg, ast.Constant))
    return names


def test_the_top_level_is_as_agreed(root: Path) -> None:
    top = {file.relative_to(root).parts[0] for file in tracked(root)}
    assert {name for name in top if not name.startswith(".")} == TOP_LEVEL


def test_no_file_names_a_machine_or_a_registry(root: Path) -> None:
    places = re.compile("|".join([r"/wo" r"rk/", r"/ro" r"ot/", r"/home/[a-z]", r"pypi\.o" r"rg",
                                  r"files\.pythonho" r"sted", r"deb\.deb" r"ian"]))
    guilty = []
    for file in tracked(root):
        if file.suffix not in {".png", ".svg", ".db", ".gz", ".ico"}:
            text = file.read_text(encoding="utf-8", errors="replace")
            guilty += [f"{file.relative_to(root)}: {hit}" for hit in places.findall(text)]
    assert guilty == []


def test_every_import_is_declared_and_every_dependency_is_imported(root: Path) -> None:
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = {re.split(r"[<>=; \[]", line)[0].lower() for line in project["dependencies"]}
    declared_names = {PYTHON_NAMES.get(name, name) for name in declared}
    ours = {"core", "ui", "explorer", "assets"}
    used = set().union(*(imports(root / package) for package in ours))
    foreign = used - ours - set(sys.stdlib_module_names)
    # shiboken6 comes with PySide6 and is imported only together with it.
    assert foreign - {"shiboken6", *OPTIONAL} == declared_names


def test_the_lock_holds_every_declared_package_with_hashes(root: Path) -> None:
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = project["dependencies"] + project["optional-dependencies"]["dev"]
    lock = (root / "requirements.lock").read_text(encoding="utf-8")
    pinned = re.findall(r"^([a-z0-9._-]+)==\S+.*\\$", lock, re.MULTILINE)
    assert {re.split(r"[<>=; ]", line)[0].lower() for line in wanted} <= set(pinned)
    assert len(re.findall(r"--hash=sha256:[0-9a-f]{64}", lock)) > len(pinned)
    assert "://" not in lock


def test_licences_are_permissive_or_lgpl(root: Path) -> None:
    lock = (root / "requirements.lock").read_text(encoding="utf-8")
    for name in re.findall(r"^([a-z0-9._-]+)==", lock, re.MULTILINE):
        try:
            told = metadata.metadata(name)
        except metadata.PackageNotFoundError:
            continue  # for another system
        kinds = [line for line in told.get_all("Classifier", []) if line.startswith("License")]
        words = [told.get("License-Expression", ""), told.get("License", "")[:80], *kinds]
        licence = " ".join(words)
        only_gpl = re.search(r"\bA?GPL|General Public License", licence) and not re.search(
            r"\bOR\b|LGPL|Lesser", licence
        )
        assert not only_gpl, f"{name}: {licence}"


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="None is immortal there")
def test_qt_is_older_than_the_one_that_loses_none() -> None:
    version = tuple(int(part) for part in metadata.version("PySide6-Essentials").split(".")[:2])
    assert version < (6, 12)
