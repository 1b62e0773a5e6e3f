"""What every SQL statement of the program keeps."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
STATEMENT = re.compile(r"\s*(SELECT|WITH|INSERT|UPDATE|DELETE|REPLACE)\b")
SCOPED = re.compile(r"\b(?:FROM|JOIN)\s+(entities|entity_\w+|ontology_proposals|task_meta|"
                    r"epistemic_assertions|memories)\b")


def texts(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Each string of a module with its line; parts that are computed read as `?`."""
    inside: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            inside.update(id(part) for part in ast.walk(node) if part is not node)
            yield node.lineno, "".join(
                str(part.value) if isinstance(part, ast.Constant) else "?" for part in node.values
            )
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and (
            id(node) not in inside
        ):
            yield node.lineno, node.value


def statements(folder: str) -> list[tuple[str, str]]:
    """Every SQL statement under `folder` as ("file:line", text)."""
    found = []
    for file in sorted((ROOT / folder).rglob("*.py")):
        for line, text in texts(ast.parse(file.read_text(encoding="utf-8"))):
            if STATEMENT.match(text):
                found.append((f"{file.relative_to(ROOT)}:{line}", text))
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


@pytest.mark.parametrize(("where", "sql"), statements("core/queries"))
def test_every_query_binds_the_agent(where: str, sql: str) -> None:
    if SCOPED.search(sql):
        assert ":agent" in sql, f"{where} reads rows of every agent"


def test_there_are_queries_to_check() -> None:
    scoped = [where for where, sql in statements("core/queries") if SCOPED.search(sql)]
    assert len(scoped) > 10
