"""Starts measured programs as where a person has installed them."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any


def as_installed(data: Path) -> dict[str, str]:
    """The environment: no screen, and modules are compiled once, not at every start."""
    environment = {**os.environ, "CONSTELLATION_DATA": str(data), "QT_QPA_PLATFORM": "offscreen"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    return environment


def measured(module: str, data: Path, *arguments: str) -> Any:
    """What a module in a process of its own measured: the JSON of its last line."""
    done = subprocess.run([sys.executable, "-m", module, *arguments], env=as_installed(data),
                          capture_output=True, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])
