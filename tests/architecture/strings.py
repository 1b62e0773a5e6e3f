"""Lists every text that a person can see, with its file and line: `make strings`.

Read are the string constants of the code that look like a label or a sentence, and the first
lines of the docstrings that serve as help texts (operations, commands).
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("explorer", "core", "ui")
_SQL = re.compile(
    r"\b(SELECT|INSERT INTO|UPDATE \w+ SET|DELETE FROM|CREATE (TEMP|TABLE|INDEX)|PRAGMA|ORDER BY|"
    r"BEGIN|ON CONFLICT|VACUUM|WHERE|JOIN|IS NULL|IS NOT NULL)\b|^\s*(AND|OR|IN) |\{\} = :")
_TEXT = re.compile(r"[^\W\d_]{2,}[^\w]* [^ ]|^[A-Z][a-z’']+[a-z ….]*$|[^\W\d_]{2,}\.$|^[,;:—(] ?\w")
_CODE = re.compile(
    r"^[\w.]+\(|^[QW][A-Z]\w+ [{:]|[{};]\s*$|^\(\?|\\[bdws]|^--\w+$|%Y|^[A-Z][a-z]+[A-Z]| = :|"
    r"\w\.\w+ (=|<>|IS|IN|AND) |, \w\.\w+|<span|\w\.id,|^(\w+ ){30}")
_OF_HELP = {"Provenance", "Store", "Json", "AgentName"}
"""A function that takes one of these is an operation or a command."""


class Text(NamedTuple):
    """One text that a person can see, and where it is written."""

    path: str
    line: int
    text: str


def texts() -> Iterator[Text]:
    """All of them, file by file."""
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield from texts_of(path)


def texts_of(path: Path) -> Iterator[Text]:
    """Those of one file, in the order of its lines."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    name = path.relative_to(ROOT).as_posix()
    passed_over = {id(node) for parent in ast.walk(tree) for node in _not_shown(parent)}
    rows = [Text(name, node.lineno, text) for node in ast.walk(tree) if id(node) not in passed_over
            and (text := _constant(node)) and _is_shown(re.sub(r"\{[^{}]*\}", "…", text))]
    rows += [Text(name, node.lineno, text) for node in ast.walk(tree) if (text := _help(node))]
    yield from sorted(set(rows), key=lambda row: (row.line, row.text))


def _not_shown(parent: ast.AST) -> Iterator[ast.AST]:
    """Docstrings, the parts of f-strings (they are read whole) and what is only for types."""
    if isinstance(parent, ast.Expr):
        yield parent.value
    if isinstance(parent, ast.JoinedStr):
        yield from (part for part in parent.values if isinstance(part, ast.Constant))
        yield from (node for part in parent.values if isinstance(part, ast.FormattedValue)
                    and part.format_spec for node in [part.format_spec])
    if isinstance(parent, ast.AnnAssign | ast.arg) and parent.annotation:
        yield from (node for node in ast.walk(parent.annotation) if _is_plain(node))


def _is_plain(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and " " not in str(node.value)


def _constant(node: ast.AST) -> str:
    """The text of a string or an f-string, its values as `{name}`."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else f"{{{_value(part)}}}"
                       for part in node.values)
    return ""


def _value(part: ast.expr) -> str:
    return ast.unparse(part.value) if isinstance(part, ast.FormattedValue) else "…"


def _is_shown(text: str) -> bool:
    return bool(_TEXT.search(text)) and not _SQL.search(text) and not _CODE.search(text)


def _help(node: ast.AST) -> str:
    """The first paragraph of a docstring that is shown as help."""
    if not isinstance(node, ast.FunctionDef) or not _is_help(node):
        return ""
    return (ast.get_docstring(node) or "").partition("\n\n")[0].replace("\n", " ")


def _is_help(node: ast.FunctionDef) -> bool:
    """Commands and operations: what they take and what decorates them says so."""
    marks = " ".join(ast.unparse(mark) for mark in node.decorator_list)
    takes = {ast.unparse(arg.annotation) for arg in node.args.args if arg.annotation}
    return ("command" in marks or "callback" in marks or bool(takes & _OF_HELP)
            or any("typer." in taken for taken in takes))


if __name__ == "__main__":
    wanted = sys.argv[1:]
    for row in texts():
        if not wanted or row.path.startswith(tuple(wanted)):
            print(f"{row.path}:{row.line}: {row.text!r}")  # noqa: T201 - this is what it is for
