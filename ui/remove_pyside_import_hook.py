"""Takes PySide6's hook out of Python's imports, so that the window's modules load faster.

The hook serves a syntax of its own (`from __feature__ import snake_case`) that nothing here uses,
and reads the source of every module that is imported for it: a fifth of the time until the window
stands.
"""

import builtins

import PySide6.QtCore  # noqa: F401  it puts the hook in

_HOOK = getattr(builtins, "__feature_import__", None)
if _HOOK is not None and builtins.__import__ is _HOOK:
    builtins.__import__ = getattr(builtins, "__orig_import__")  # noqa: B009  it is declared nowhere
