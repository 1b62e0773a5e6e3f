"""The papers for those who carry on: what they name is there, and their form is right."""

import importlib.util
import re
import tomllib
from pathlib import Path

import pytest

PAPERS = ("README.md", "CONTRIBUTING.md", "ARCHITECTURE.md")
PATH = re.compile(r"`((?:(?:core|ui|explorer|tests|assets|\.ci|\.setup)/[\w/.-]*"
                  r"|[A-Z_]+\.md|LICENSE|Makefile|pyproject\.toml|requirements\.lock))`")
# A link that stands in code is an example of how to write one.
CODE = re.compile(r"```.*?```|`[^`\n]+`", re.DOTALL)
KINDS = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}


@pytest.mark.parametrize("paper", PAPERS)
def test_the_paths_that_a_paper_names_are_there(root: Path, paper: str) -> None:
    named = PATH.findall((root / paper).read_text(encoding="utf-8"))
    assert len(named) > 5
    assert [name for name in named if not (root / name).exists()] == []


@pytest.mark.parametrize("paper", PAPERS)
def test_the_make_targets_that_a_paper_names_are_there(root: Path, paper: str) -> None:
    makefile = (root / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"`make ([\w-]+)`", (root / paper).read_text(encoding="utf-8")):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


@pytest.mark.parametrize("paper", [*PAPERS, "assets/first-day/README.md"])
def test_the_pages_and_pictures_that_a_paper_links_are_there(root: Path, paper: str) -> None:
    text = CODE.sub("", (root / paper).read_text(encoding="utf-8"))
    places = re.findall(r"\]\(([\w./-]+)\)", text)
    assert [place for place in places if not ((root / paper).parent / place).exists()] == []


def test_the_changelog_has_the_form_of_keep_a_changelog(root: Path) -> None:
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = (root / "CHANGELOG.md").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "# Changelog"
    heads = [line for line in lines if line.startswith("## ")]
    assert heads[0] == "## [Unreleased]"
    releases = [re.fullmatch(r"## \[(\d+\.\d+\.\d+)\] - \d{4}-\d\d-\d\d", head)
                for head in heads[1:]]
    assert all(releases), heads
    versions = [release[1] for release in releases if release]
    assert versions == sorted(
        versions, key=lambda version: [int(part) for part in version.split(".")], reverse=True)
    assert project["version"] in versions
    kinds = [line.removeprefix("### ") for line in lines if line.startswith("### ")]
    assert set(kinds) <= KINDS
    # Each kind lists something.
    assert not re.search(r"### \w+\s*(?:#|\Z)", "\n".join(lines))


def test_the_licence_is_the_one_that_the_package_says(root: Path) -> None:
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    licence = (root / "LICENSE").read_text(encoding="utf-8")
    assert project["license"] == "Apache-2.0"
    assert "Apache License\n                           Version 2.0, January 2004" in licence
    assert "END OF TERMS AND CONDITIONS" in licence


def test_each_package_that_is_needed_is_named_with_its_licence(root: Path) -> None:
    place = root / ".setup" / "third_party.py"
    spec = importlib.util.spec_from_file_location("third_party", place)
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    table = (root / "THIRD_PARTY.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| ([\w.-]+) \| (.+) \|$", table, re.MULTILINE))
    assert [name for name in script.needed() if name not in rows] == []
    assert all(rows.values())


@pytest.mark.parametrize("package", ["core", "ui"])
def test_tests_mirror_the_tree(root: Path, package: str) -> None:
    folders = [folder.name for folder in (root / "tests" / package).iterdir()
               if folder.is_dir() and any(folder.rglob("test_*.py"))]
    assert len(folders) > 2
    assert [name for name in folders if not (root / package / name / "__init__.py").exists()] == []


@pytest.mark.parametrize("package", ["core", "ui", "explorer"])
def test_types_are_for_others_too(root: Path, package: str) -> None:
    assert (root / package / "py.typed").exists()
