"""Machine code of compiled functions, kept so that a process runs it without their compiler.

numba takes 90 MB of a process and more than a second of its start, also where nothing is left to
compile. What runs code that is there already takes a fifth of either.
"""

import ctypes
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from hashlib import sha256
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec, module_from_spec
from os import environ, getpid
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, TypeAlias

import numpy as np

from core.progress import Report, ignore

Kernels: TypeAlias = ModuleType | SimpleNamespace
"""The machine code of a module's functions, or the module."""
Kinds = tuple[tuple[str, int], ...]
"""What a function takes, in order: numpy's name of the numbers, and the dimensions of their array,
0 for a single number."""
_POINTER, _NUMBER = ctypes.c_void_p, ctypes.c_int64
_SUM = sha256().digest_size
_WRAPPER = re.compile(r'^define [^\n]*@"?(_ZN7cpython|cfunc\.).*?^}\n', re.MULTILINE | re.DOTALL)
"""By which Python calls a compiled function; it needs numba to run."""


def functions(
    module: str, samples: Mapping[str, tuple[object, ...]],
    compile_elsewhere: Callable[[str, dict[str, Kinds]], bytes],
) -> SimpleNamespace:
    """The functions of a module of `core.jit`, ready to run in any thread, side by side.

    They hold no lock, take what the samples were, arrays in the order of C, and return a whole
    number, 0 where they return nothing. What they are given must live as long as they run.

    Args:
        module: its whole name; it isn't loaded.
        samples: by function, what one would call it with.
        compile_elsewhere: `compiled`, run in another process; where nothing was kept.

    Raises:
        ImportError: llvmlite is missing.
        RuntimeError: the code is none for this machine.
    """
    kinds = {name: _kinds(values) for name, values in samples.items()}
    source = _source(module)
    name = f"{source.stem}.{_key(source, kinds)}.code"
    code = _kept(source, name)
    if code is None:
        code = compile_elsewhere(module, kinds)
        _keep(source, name, code)
    return _linked(code, kinds)


def kernels(module: str, samples: Mapping[str, tuple[object, ...]]) -> Kernels:
    """The same where numba may be loaded, which happens at most once on a machine; the module
    itself, compiled by numba as it is called, where no machine code can be had."""
    try:
        return functions(module, samples, compiled)
    except Exception:  # noqa: BLE001 - whatever it is, numba is asked next, and would say the same
        return import_module(module)


def compiled(module: str, wanted: Mapping[str, Kinds], *, report: Report = ignore) -> bytes:
    """The machine code of functions of a module, each for what it is to take; takes seconds."""
    # Here, because the process that runs the code is to be spared them.
    import llvmlite.binding as llvm  # noqa: PLC0415
    import numba  # noqa: PLC0415

    loaded, parts = _apart(module), []
    for number, (name, kinds) in enumerate(wanted.items()):
        report(number / len(wanted))
        parts.append(llvm.parse_assembly(_plain(getattr(loaded, name).py_func, name, kinds, numba)))
    whole, *rest = parts
    for part in rest:
        whole.link_in(part)
    return bytes(_machine(llvm, whole.triple).emit_object(whole))


def _apart(module: str) -> ModuleType:
    """The module once more. What is compiled without numba's count of who uses an array must not be
    called by what counts, from the module itself or from what numba keeps on the disk."""
    from numba.core.caching import NullCache  # noqa: PLC0415 - as above

    spec = find_spec(module)
    if spec is None or spec.loader is None:
        raise ImportError(module)
    made = module_from_spec(spec)
    spec.loader.exec_module(made)
    for each in vars(made).values():
        if hasattr(each, "enable_caching"):
            each._cache = NullCache()
    return made


def _plain(function: Callable[..., Any], name: str, kinds: Kinds, numba: Any) -> str:
    """The function in the language of LLVM under its own name, without what Python calls it by."""
    made = numba.njit(nogil=True, error_model="numpy", _nrt=False)(function)
    takes = tuple(numba.typeof(_sample(kind, dimensions)) for kind, dimensions in kinds)
    made.compile(takes)
    text = _WRAPPER.sub("", made.inspect_llvm(takes))
    return text.replace(made.overloads[takes].fndesc.llvm_func_name, name)


def _sample(kind: str, dimensions: int) -> object:
    if dimensions:
        return np.zeros((1,) * dimensions, kind)
    return 0 if kind == "int64" else 0.0


def _kinds(values: tuple[object, ...]) -> Kinds:
    arrays = map(np.asarray, values)
    return tuple((array.dtype.name, array.ndim) for array in arrays)


# -- kept -----------------------------------------------------------------------------------------


def _source(module: str) -> Path:
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        raise ImportError(module)
    return Path(spec.origin)


def _key(source: Path, kinds: Mapping[str, Kinds]) -> str:
    """Another one wherever the code could be another."""
    import llvmlite.binding as llvm  # noqa: PLC0415 - loads the library that runs the code

    about = (kinds, version("numba"), version("llvmlite"), llvm.get_host_cpu_name(),
             llvm.get_host_cpu_features().flatten())
    return sha256(source.read_bytes() + repr(about).encode()).hexdigest()[:20]


def _folders(source: Path) -> list[Path]:
    """Where the code may lie, the first that can be written first: where numba keeps its own."""
    # Here, because it is loaded where something is kept, which most commands do not ask for.
    import platformdirs  # noqa: PLC0415

    own = Path(platformdirs.user_cache_dir("constellation"))
    chosen = environ.get("NUMBA_CACHE_DIR")
    return [*([Path(chosen)] if chosen else []), source.parent / "__pycache__", own]


def _kept(source: Path, name: str) -> bytes | None:
    for folder in _folders(source):
        with suppress(OSError):
            content = (folder / name).read_bytes()
            code = content[_SUM:]
            # What is damaged would end the process.
            if sha256(code).digest() == content[:_SUM]:
                return code
    return None


def _keep(source: Path, name: str, code: bytes) -> None:
    """Where nothing can be written it is compiled anew each time."""
    for folder in _folders(source):
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            for old in folder.glob(f"{source.stem}.*.code"):
                old.unlink()
            part = folder / f"{name}.{getpid()}"
            part.write_bytes(sha256(code).digest() + code)
            part.replace(folder / name)
            return


# -- run ------------------------------------------------------------------------------------------


def _machine(llvm: Any, triple: str) -> Any:
    for part in (llvm.initialize_native_target, llvm.initialize_native_asmprinter):
        part()
    features = llvm.get_host_cpu_features().flatten()
    return llvm.Target.from_triple(triple or llvm.get_process_triple()).create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=features, opt=3, codemodel="jitdefault", jit=True)


def _linked(code: bytes, kinds: Mapping[str, Kinds]) -> SimpleNamespace:
    import llvmlite.binding as llvm  # noqa: PLC0415 - as above

    machine = _machine(llvm, "")
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    made = {}
    for name, takes in kinds.items():
        address = engine.get_function_address(name)
        if not address:
            raise RuntimeError(f"{name} is missing in the machine code")
        made[name] = _Function(address, takes, engine)
    return SimpleNamespace(**made)


class _Function:
    """A function at an address, called as numba's own are: two pointers, for what it returns and
    for what it raises, then each array as who owns it (twice), its size, the size of an item,
    where it begins, its shape and its strides."""

    def __init__(self, address: int, kinds: Kinds, engine: object) -> None:
        types: list[Any] = [_POINTER, _POINTER]
        for kind, dimensions in kinds:
            if dimensions:
                types += [_POINTER, _POINTER, _NUMBER, _NUMBER, _POINTER,
                          *[_NUMBER] * (2 * dimensions)]
            else:
                types.append(_NUMBER if kind == "int64" else ctypes.c_double)
        self._call = ctypes.CFUNCTYPE(ctypes.c_int32, *types)(address)
        self._kinds = [(np.dtype(kind), dimensions) for kind, dimensions in kinds]
        self._engine = engine  # With it the code would go.

    def __call__(self, *values: Any) -> int:
        returned, raised = _NUMBER(), _POINTER()
        flat: list[Any] = [ctypes.addressof(returned), ctypes.addressof(raised)]
        held = []
        for value, (kind, dimensions) in zip(values, self._kinds, strict=True):
            if dimensions:
                array = np.ascontiguousarray(value, kind)
                held.append(array)
                flat += (None, None, array.size, array.itemsize, _address(array),
                         *array.shape, *array.strides)
            else:
                flat.append(value)
        if self._call(*flat):
            raise RuntimeError("compiled code failed")
        return returned.value


def _address(array: np.ndarray) -> int:
    """Where an array begins; asked for hundreds of times in a frame, and this is the fast way."""
    if array.size and array.flags.writeable:
        return ctypes.addressof(ctypes.c_char.from_buffer(array.data))
    return array.ctypes.data
