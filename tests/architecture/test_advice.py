"""What an error advises can be done where it is read: a command in a shell, an entry in a menu."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.architecture.strings import Text, texts

_COMMAND = re.compile(r"\bconstellation [a-z]+\b(?! \d)|--[a-z]{2,}|“sqlite3 ")
_ABOUT_THE_SHELL = (
    ("core/error_advice.py", ""),  # says it for both
    ("core/session/constraint_lines.py", "constellation knowledge entity NAME"),  # for agents
    ("ui/dialogs/let_agents_in.py", "“constellation token”"),  # about clients that start commands
    ("ui/dialogs/let_agents_in.py", "“constellation mcp”"),
    ("ui/mcp_and_http_doors.py", "“constellation mcp” and “constellation serve”"),
)


def test_commands_are_named_by_the_advice_alone_which_has_words_for_a_window_too() -> None:
    named = [row for row in texts() if row.path.startswith(("core/", "ui/"))
             and _COMMAND.search(row.text) and not _is_about_the_shell(row)]
    assert named == [], "an error that names a command takes its `do` from core/error_advice.py"


def _is_about_the_shell(row: Text) -> bool:
    return any(row.path == path and words in row.text for path, words in _ABOUT_THE_SHELL)


def test_the_window_says_errors_in_its_own_words(root: Path) -> None:
    found = [f"{path.relative_to(root)}:{line}" for path in sorted((root / "ui").rglob("*.py"))
             if path.name != "error_words.py" for line in said_as_in_a_shell(path.read_text())]
    assert found == [], "ui/error_words.py has what to write in the place of str(error)"


def said_as_in_a_shell(source: str) -> Iterator[int]:
    """Lines that put an error into a text, or its advice, as a command line would say it; not
    those that name its class, which are technical text."""
    lines = source.split("\n")
    for node in ast.walk(ast.parse(source)):
        spoken = (
            node.args[0] if isinstance(node, ast.Call) and node.args
            and isinstance(node.func, ast.Name) and node.func.id == "str"
            else node.value if isinstance(node, ast.FormattedValue) else None)
        advice = isinstance(node, ast.Attribute) and node.attr == "do" and _is_error(node.value)
        if (advice or (spoken is not None and _is_error(spoken))) and (
                "__name__" not in lines[node.lineno - 1]):
            yield node.lineno


def _is_error(node: ast.expr) -> bool:
    name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
    return name in ("error", "failure", "refused")


def test_an_error_as_in_a_shell_would_be_found() -> None:
    assert sorted(said_as_in_a_shell("say(str(error))\nsay(f'Not so: {one.error}')\nsay(error.do)\n"
                                   "say(words_of(error))")) == [1, 2, 3]
