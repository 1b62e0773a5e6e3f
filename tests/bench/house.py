"""The figures of the house: files, lines, how long functions are, which classes are large.

    make house
"""

import ast
import statistics
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("core", "ui", "explorer")
LARGE_CLASS, SMALL_MODULE = 30, 40


def _files() -> Iterator[tuple[Path, str]]:
    for package in PACKAGES:
        for file in sorted((ROOT / package).rglob("*.py")):
            text = file.read_text(encoding="utf-8")
            if len(text.splitlines()) > 1:  # an empty package says nothing
                yield file.relative_to(ROOT), text


def _length(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def main() -> None:
    """Measure the tree and print what was found."""
    files, functions, classes = dict[Path, int](), list[int](), list[tuple[int, str, Path]]()
    for file, text in _files():
        files[file] = len(text.splitlines())
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                functions.append(_length(node))
            elif isinstance(node, ast.ClassDef):
                methods = sum(isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef)
                              for part in node.body)
                classes.append((methods, node.name, file))
    functions.sort()
    large = sorted((entry for entry in classes if entry[0] > LARGE_CLASS), reverse=True)
    small = sum(lines < SMALL_MODULE for lines in files.values())
    lines = [
        f"files {len(files)}, lines {sum(files.values())}",
        f"lines of a file: median {statistics.median(files.values()):.0f}, "
        f"most {max(files.values())}",
        f"lines of a function: median {statistics.median(functions):.0f}, "
        f"99 % have at most {functions[int(len(functions) * 0.99)]}, most {functions[-1]}",
        f"modules under {SMALL_MODULE} lines: {small}",
        f"classes over {LARGE_CLASS} methods: {len(large)}",
        *(f"  {name} {methods} ({file})" for methods, name, file in large)]
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
