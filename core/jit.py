"""The one way in which this program compiles a function to machine code."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

Kernel = TypeVar("Kernel", bound=Callable[..., Any])


def njit(function: Kernel) -> Kernel:
    """Compile `function` on its first call, without the interpreter's lock, and keep the result.

    It is kept beside the source, or in the person's cache folder where that can't be written;
    the environment's NUMBA_CACHE_DIR goes before both.

    Never in parallel mode: two threads entering numba's own pool can end the process. Callers that
    want both cores give bands of work to two threads instead.
    """
    # Here, because numba takes a fifth of a second to import, and few commands compile.
    import numba  # noqa: PLC0415

    return cast(Kernel, numba.njit(nogil=True, cache=True, error_model="numpy")(function))
