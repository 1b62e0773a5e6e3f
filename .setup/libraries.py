"""Prints the packages (elsewhere than on Debian the libraries) that Qt needs and the system lacks.

It asks the loader, not the package manager: `ldd` on the parts of Qt that the program uses.
What only a window on a screen needs is left out where there is no screen and no right to install.
"""

import importlib.util
import os
import re
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

PACKAGES = {
    "libglib-2.0.so": "libglib2.0-0",
    "libgthread-2.0.so": "libglib2.0-0",
    "libGL.so": "libgl1",
    "libEGL.so": "libegl1",
    "libxkbcommon.so": "libxkbcommon0",
    "libdbus-1.so": "libdbus-1-3",
    "libfontconfig.so": "libfontconfig1",
    "libfreetype.so": "libfreetype6",
    "libX11.so": "libx11-6",
    "libX11-xcb.so": "libx11-xcb1",
    "libxcb.so": "libxcb1",
    "libxcb-cursor.so": "libxcb-cursor0",
    "libxcb-icccm.so": "libxcb-icccm4",
    "libxcb-image.so": "libxcb-image0",
    "libxcb-keysyms.so": "libxcb-keysyms1",
    "libxcb-randr.so": "libxcb-randr0",
    "libxcb-render.so": "libxcb-render0",
    "libxcb-render-util.so": "libxcb-render-util0",
    "libxcb-shape.so": "libxcb-shape0",
    "libxcb-shm.so": "libxcb-shm0",
    "libxcb-sync.so": "libxcb-sync1",
    "libxcb-util.so": "libxcb-util1",
    "libxcb-xfixes.so": "libxcb-xfixes0",
    "libxcb-xkb.so": "libxcb-xkb1",
    "libxkbcommon-x11.so": "libxkbcommon-x11-0",
    "libwayland-client.so": "libwayland-client0",
    "libwayland-cursor.so": "libwayland-cursor0",
    "libwayland-egl.so": "libwayland-egl1",
    "libSM.so": "libsm6",
    "libICE.so": "libice6",
}
"""Debian's name of the package that brings a library; Ubuntu has the same ones."""

ALWAYS = ("QtCore.abi3.so", "QtGui.abi3.so", "QtWidgets.abi3.so", "QtSvg.abi3.so",
          "Qt/plugins/platforms/libqoffscreen.so")
X11 = ("Qt/plugins/platforms/libqxcb.so",)
WAYLAND = ("Qt/plugins/platforms/libqwayland.so",)

_MISSING = re.compile(r"^\s*(\S+) => not found", re.MULTILINE)


def missing_libraries(ldd_output: str) -> set[str]:
    """The file names that `ldd` could not find."""
    return set(_MISSING.findall(ldd_output))


def packages_for(libraries: Iterable[str]) -> list[str]:
    """Debian's packages for `libraries`; a library that the list lacks stands for itself."""
    names = {PACKAGES.get(re.sub(r"\.so\..*", ".so", name), name) for name in libraries}
    # Text needs at least one font, and a bare system has none.
    return sorted(names | {"fonts-dejavu-core"}) if "libfontconfig1" in names else sorted(names)


def _wanted() -> tuple[str, ...]:
    x11 = X11 if os.environ.get("DISPLAY") or os.geteuid() == 0 else ()
    return ALWAYS + x11 + (WAYLAND if os.environ.get("WAYLAND_DISPLAY") else ())


def main() -> None:
    """Ask `ldd` about each part and print what is missing on one line."""
    spec = importlib.util.find_spec("PySide6")
    if spec is None or not spec.submodule_search_locations or shutil.which("ldd") is None:
        return
    folder = Path(next(iter(spec.submodule_search_locations)))
    missing: set[str] = set()
    for part in _wanted():
        if (folder / part).exists():
            told = subprocess.run(["ldd", str(folder / part)], capture_output=True, text=True)
            missing |= missing_libraries(told.stdout)
    debian = shutil.which("apt-get") is not None
    print(*(packages_for(missing) if debian else sorted(missing)))  # noqa: T201 - its answer


if __name__ == "__main__":
    main()
