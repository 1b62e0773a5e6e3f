"""Takes PySide6's hook out of Python's imports, so that the window's modules load faster.

The hook serves a syntax of its own (`from __feature__ import snake_case`) that nothing here uses,
and reads the source of every module that is imported for it: a fifth of the time until the window
stands.
"""

import builtins

_plain = builtins.__import__
import PySide6.QtCore  # noqa: E402, F401  it puts the hook in

if builtins.__import__.__name__ == "__feature_import__" != _plain.__name__:
    builtins.__import__ = _plain
