"""Whatever becomes of a round is found and recorded, and the rounds after it run."""

import ctypes
import os
from typing import Any

import pytest

import tests.fuzz.__main__ as fuzz
from tests.fuzz import exercise


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_round_that_raises_crashes_hangs_or_leaves_is_found_and_the_next_ones_run(
        monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzz, "HANG_S", 1.0)  # A crash is slower on a busy machine.
    monkeypatch.setitem(exercise.ROUNDS, "graphs", _planted)
    results = {one["number"]: one for one in fuzz._rounds("graphs", 1, 0, 6)}
    assert sorted(results) == [*range(6)]
    assert "ZeroDivisionError" in results[1]["tracebacks"]["info"]
    assert results[2]["died"] == "mutate"
    assert results[2]["code"] == -11
    assert "_planted" in results[2]["trace"]
    assert results[3] == {"number": 3, "hang": "info"}
    assert results[4]["died"] == "mutate"
    assert results[4]["code"] == 3
    assert [one["number"] for one in results.values() if fuzz._bad(one)] == [1, 2, 3, 4]


def _planted(one: exercise.Round, _folder: object) -> list[str]:
    if one.number == 1:
        _with_command(one, _raises)
    elif one.number == 2:
        ctypes.string_at(0)
    elif one.number == 3:
        _with_command(one, _hangs)
    elif one.number == 4:
        os._exit(3)
    return ["nothing"]


def _with_command(one: exercise.Round, command: Any) -> None:
    exercise.dispatch = command
    one.step("info")


def _raises(_words: object) -> int:
    raise ZeroDivisionError("planted")


def _hangs(_words: object) -> int:
    while True:
        pass
