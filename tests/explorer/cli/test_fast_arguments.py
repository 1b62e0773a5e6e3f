"""What is typed is taken as Typer takes it, whether or not Typer has to look at it."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import pytest
import typer
import typer.core

from explorer.cli import fast_arguments
from explorer.cli.options import Commands


class Choice(StrEnum):
    one = "one"


TYPED: dict[str, tuple[Any, Any, list[list[str]]]] = {
    "text": (str, "none", [[], ["--it", "two words"], ["--it", ""], ["--it", "\udcff"]]),
    "number": (int, 50, [[], ["--it", "7"], ["--it", "007"], ["--it", "0"], ["--it", "x"],
                         ["--it", "-3"], ["--it", "9" * 30], ["--it", "³"], ["--it", "1.0"]]),
    "fraction": (float, 0.5, [[], ["--it", "0.25"], ["--it", "nan"], ["--it", "7"]]),
    "perhaps": (int | None, None, [[], ["--it", "3"]]),
    "words": (list[str] | None, None, [[], ["--it", "a", "--it", "b"]]),
    "choice": (Choice, Choice.one, [[], ["--it", "one"], ["--it", "two"]]),
    "flag": (bool, False, [[], ["--it"]]),
}


def taken(kind: Any, default: Any, words: list[str], option: Any) -> object:
    """What a command gets, or that it is refused; the sentence is tried in `test_mistyped.py`."""
    seen: list[object] = []
    program = Commands(add_completion=False)

    def command(it: Any = default) -> None:
        seen.append((type(it), it))

    command.__annotations__["it"] = Annotated[kind, option]
    program.command("go")(command)
    try:
        typer.main.get_command(program)(args=words, standalone_mode=False)
    except typer.TyperException as error:
        return type(error)
    return seen


def both_ways(kind: Any, default: Any, words: list[str], option: Any) -> None:
    """Take the words with and without the short way, and compare."""
    plainly = taken(kind, default, words, option)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("explorer.cli.options.with_plain_values", lambda params: params)
        assert repr(plainly) == repr(taken(kind, default, words, option)), words


@pytest.mark.parametrize("name", TYPED)
def test_a_value_is_the_one_that_typer_makes(name: str) -> None:
    kind, default, lines = TYPED[name]
    limits = {"min": 1, "max": 1000} if kind is int else {}
    for words in lines:
        both_ways(kind, default, words, typer.Option("--it", **limits))


@pytest.mark.parametrize("rules", [
    {}, {"exists": True}, {"file_okay": False}, {"dir_okay": False}, {"resolve_path": True},
    {"readable": False}, {"writable": True}])
def test_a_path_is_the_one_that_typer_makes(rules: dict[str, bool], tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    for word in (str(file), str(tmp_path), str(tmp_path / "none"), "./x"):
        both_ways(Path, None, ["--it", word], typer.Option("--it", **rules))


def test_the_short_way_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Typer's way is not asked for what is plainly right, so that pydantic is not loaded."""
    def refuse(_self: object, value: object, **_rest: object) -> None:
        raise AssertionError(value)

    monkeypatch.setattr(typer.core, "build_runtime_param", refuse)
    assert taken(str, "none", ["--it", "x"], typer.Option("--it")) == [(str, "x")]
    assert fast_arguments.with_plain_values([]) == []
