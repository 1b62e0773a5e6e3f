"""The one way in which this program compiles a function to machine code."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

Kernel = TypeVar("Kernel", bound=Callable[..., Any])


def njit(function: Kernel) -> Kernel:
    """Compile `function` on its first call, without the interpreter's lock, and keep the result.

    Never in parallel mode: two threads entering numba's own pool can end the process. Callers that
    want both cores give bands of work to two threads instead.
    """
    # Here, because numba takes a third of a second to import and reads its settings while it does.
    import numba  # noqa: PLC0415

    return cast(Kernel, numba.njit(nogil=True, cache=True, error_model="numpy")(function))


def keep_machine_code_in(folder: Path) -> None:
    """Keep compiled functions in `folder`; call it before a module with kernels is imported.

    An installed program may not write beside its own files. A folder that the person chose through
    the environment stays in force; spawned processes inherit either.
    """
    folder.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("NUMBA_CACHE_DIR", str(folder))
