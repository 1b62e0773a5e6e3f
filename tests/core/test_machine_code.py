"""Machine code that is kept: it runs without numba, and is made anew where it must be."""

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from core import machine_code
from core.machine_code import Kinds, compiled, functions, kernels
from tests.core import functions_to_compile

MODULE = "tests.core.functions_to_compile"
ROWS, WEIGHTS = np.arange(6, dtype=np.float32).reshape(2, 3), np.array([1, 10, 100], np.int32)
SAMPLES = {"weighed": (ROWS, WEIGHTS, np.zeros(2), 0.5), "fill": (np.zeros(1, np.uint8), 1)}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "kept"))
    return tmp_path / "kept"


def loaded(samples: Mapping[str, tuple] = SAMPLES) -> tuple[SimpleNamespace, int]:
    """The functions, and how many were compiled for that."""
    made: list[str] = []

    def here(module: str, kinds: dict[str, Kinds]) -> bytes:
        made.extend(kinds)
        return compiled(module, kinds)

    return functions(MODULE, samples, here), len(made)


def test_they_do_what_the_functions_do() -> None:
    run, _ = loaded()
    sums, bytes_ = np.empty(2), np.empty(5, np.uint8)
    assert run.weighed(ROWS, WEIGHTS, sums, 0.5) == 2
    assert sums.tolist() == [105.0, 271.5]
    assert run.fill(bytes_, 7) == 0
    assert bytes_.tolist() == [7] * 5


def test_arrays_of_other_numbers_and_in_another_order_are_taken() -> None:
    run, _ = loaded()
    sums = np.empty(2)
    run.weighed(np.asfortranarray(ROWS.astype(np.float64)), WEIGHTS[::-1], sums, 1.0)
    assert sums.tolist() == [12.0, 345.0]


def test_a_function_that_calls_another_is_compiled_apart_from_numbas_own(folder: Path) -> None:
    run, _ = loaded({"sums_of": (ROWS, np.zeros(2))})
    sums = np.empty(2)
    run.sums_of(ROWS, sums)
    assert sums.tolist() == [3.0, 12.0]
    assert not functions_to_compile._sum.overloads
    assert not list(folder.rglob("*.nbi"))


def test_where_no_machine_code_can_be_had_numba_serves(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_given: object) -> bytes:
        raise RuntimeError("not on this machine")

    assert kernels(MODULE, SAMPLES).weighed is not functions_to_compile.weighed
    monkeypatch.setattr(machine_code, "functions", fails)
    assert kernels(MODULE, SAMPLES) is functions_to_compile


def test_what_was_compiled_is_kept(folder: Path) -> None:
    assert loaded()[1] == 2
    assert loaded()[1] == 0
    assert len(list(folder.glob("*.code"))) == 1


def test_other_arguments_are_compiled_anew_and_replace_what_was_kept(folder: Path) -> None:
    loaded()
    _, made = loaded({**SAMPLES, "fill": (np.zeros(1, np.int16), 1)})
    assert made == 2
    assert len(list(folder.glob("*.code"))) == 1


def test_where_nothing_can_be_written_it_is_compiled_each_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a file").touch()
    monkeypatch.setattr(machine_code, "_folders", lambda _: [tmp_path / "a file"])
    assert [loaded()[1] for _ in range(2)] == [2, 2]


@pytest.mark.parametrize("content", [b"", b"no code at all", b"0" * 4096])
def test_what_is_damaged_is_compiled_anew(folder: Path, content: bytes) -> None:
    loaded()
    for file in folder.glob("*.code"):
        file.write_bytes(content)
    assert [loaded()[1] for _ in range(2)] == [2, 0]


def test_a_sky_is_drawn_without_numba(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    code = ("from ui.constellation.raster import Raster\n"
            "sky = Raster()\n"
            "sky.load()\n"
            "import sys\n"
            "print(sky.ready(), 'numba' in sys.modules)")
    for _ in range(2):  # The first time another process compiles.
        done = subprocess.run([sys.executable, "-c", code], cwd=root, text=True,
                              capture_output=True)
        assert done.stdout == "True False\n", done.stderr
