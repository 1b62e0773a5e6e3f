"""What PySide6 adds to Python's imports is gone once the window's modules are loaded."""

import builtins
import importlib
import inspect
import sys
from pathlib import Path

import pytest

import ui.remove_pyside_import_hook  # noqa: F401


def test_no_source_is_read_for_an_import(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "loaded_plainly.py").write_text("from PySide6.QtCore import Qt\n")
    monkeypatch.syspath_prepend(tmp_path)
    read: list[object] = []
    monkeypatch.setattr(inspect, "getsource", lambda module: read.append(module) or "")
    module = importlib.import_module("loaded_plainly")
    exec("import loaded_plainly", {})  # noqa: S102  as a statement, which the hook is for
    monkeypatch.delitem(sys.modules, "loaded_plainly")
    assert (module.Qt.Key.Key_A, read) == (65, [])
    assert builtins.__import__.__name__ != "__feature_import__"
