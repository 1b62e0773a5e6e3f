"""What every SQL statement of the program keeps."""

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
STATEMENT = re.compile(r"\s*(SELECT|WITH|INSERT|UPDATE|DELETE|REPLACE)\s")
SCOPED = re.compile(r"\b(?:FROM|JOIN)\s+(entities|entity_\w+|ontology_proposals|task_meta|"
                    r"epistemic_assertions|memories)\b")

READERS = ("core/queries", "core/review", "core/constellation")
"""Where rows are read for people."""


def texts(tree: ast.AST, names: Mapping[str, object]) -> Iterator[tuple[int, str]]:
    """Each string of a module with its line; constants are filled in, other parts read as `?`."""
    inside: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            inside.update(id(part) for part in ast.walk(node) if part is not node)
            yield node.lineno, "".join(_part(part, names) for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and (
            id(node) not in inside
        ):
            yield node.lineno, node.value


def _part(part: ast.expr, names: Mapping[str, object]) -> str:
    if isinstance(part, ast.Constant):
        return str(part.value)
    inner = part.value if isinstance(part, ast.FormattedValue) else part
    found = names.get(inner.id) if isinstance(inner, ast.Name) else None
    return found if isinstance(found, str) else "?"


@cache
def statements(folder: str) -> list[tuple[str, str, str]]:
    """Every SQL statement under `folder`: "file:line", the statement, all text of its module."""
    found = []
    for file in sorted((ROOT / folder).rglob("*.py")):
        module = file.read_text(encoding="utf-8")
        name = ".".join(file.relative_to(ROOT).with_suffix("").parts)
        # Only core is imported: ui would bring Qt, and has no SQL to fill in.
        names = vars(import_module(name)) if folder.startswith("core") else {}
        found += [(f"{file.relative_to(ROOT)}:{line}", text, module)
                  for line, text in texts(ast.parse(module), names) if STATEMENT.match(text)]
    return found


def test_insert_or_replace_is_never_used() -> None:
    # It deletes the old row without firing the delete trigger, so that undo would lose it.
    files = [f for folder in ("core", "ui", "explorer", "tests/core")
             for f in (ROOT / folder).rglob("*") if f.suffix in {".py", ".sql"}]
    assert files
    guilty = [str(f) for f in files
              if re.search(r"\b(INSERT\s+OR\s+REPLACE|REPLACE\s+INTO)\b", f.read_text("utf-8"))]
    assert guilty == []


def test_sql_is_written_only_in_core() -> None:
    assert statements("ui") == []
    assert statements("explorer") == []


def test_rows_are_written_only_where_the_journal_hears_of_it_first() -> None:
    # All else writes by the methods of `Writer`, which tell it, so that undo has every row.
    past_it = re.compile(r"(writer|reader)\.(connection\.)?\w+\(\s*f?\"\s*"
                         r"(INSERT|UPDATE|DELETE)\s(?!(INTO|FROM) temp\.)")
    guilty = [str(file) for folder in ("core", "explorer", "ui")
              for file in (ROOT / folder).rglob("*.py") if past_it.search(file.read_text("utf-8"))]
    assert guilty == []


@pytest.mark.parametrize(
    ("where", "sql", "module"),
    [pytest.param(*found, id=found[0]) for folder in READERS for found in statements(folder)],
)
def test_every_query_binds_the_agent(where: str, sql: str, module: str) -> None:
    if SCOPED.search(sql):
        # A clause that is put together at run time is somewhere in its module.
        bound = ":agent" in (sql if "?" not in sql else module)
        assert bound, f"{where} reads rows of every agent"


def test_there_are_queries_to_check() -> None:
    scoped = [where for folder in READERS for where, sql, _ in statements(folder)
              if SCOPED.search(sql)]
    assert len(scoped) > 10
