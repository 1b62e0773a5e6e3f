"""The parts of `make run`: finding what Qt lacks, a Python, and saying what to do."""

import importlib.util
import os
import subprocess
from pathlib import Path
from types import ModuleType

import pytest

LDD = """
\tlibglib-2.0.so.0 => not found
\tlibGL.so.1 => not found
\tlibc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007f)
\tlibstrange.so.3 => not found
"""


@pytest.fixture
def libraries(root: Path) -> ModuleType:
    """`.setup/libraries.py` as a module."""
    spec = importlib.util.spec_from_file_location("libraries", root / ".setup" / "libraries.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def stage(folder: Path, root: Path, **programs: str) -> dict[str, str]:
    """A clone with nothing made yet and a PATH that holds only `programs` (as shell text)."""
    (folder / ".setup").mkdir(parents=True)
    for name in ("prepare.sh", "libraries.py"):
        (folder / ".setup" / name).write_text((root / ".setup" / name).read_text("utf-8"), "utf-8")
    tools = folder / "bin"
    tools.mkdir()
    for tool in ("sh", "sed", "dirname", "cksum", "cat", "uname"):
        for place in ("/usr/bin", "/bin"):
            if Path(place, tool).exists() and not (tools / tool).exists():
                (tools / tool).symlink_to(Path(place, tool))
    for name, text in programs.items():
        (tools / name.replace("_", "-")).write_text(f"#!/bin/sh\n{text}\n", "utf-8")
        (tools / name.replace("_", "-")).chmod(0o755)
    return {"PATH": str(tools)}


def prepare(folder: Path, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Run the set-up of the clone in `folder`."""
    return subprocess.run([str(folder / "bin" / "sh"), ".setup/prepare.sh"], cwd=folder, env=env,
                          capture_output=True, text=True)


def test_what_the_loader_misses_becomes_package_names(libraries: ModuleType) -> None:
    missing = libraries.missing_libraries(LDD)
    assert missing == {"libglib-2.0.so.0", "libGL.so.1", "libstrange.so.3"}
    assert libraries.packages_for(missing) == ["libgl1", "libglib2.0-0", "libstrange.so.3"]


def test_a_system_without_fonts_gets_one(libraries: ModuleType) -> None:
    assert libraries.packages_for({"libfontconfig.so.1"}) == ["fonts-dejavu-core", "libfontconfig1"]


@pytest.mark.skipif(os.name != "posix", reason="a shell script")
def test_without_python_and_without_rights_the_command_is_named(root: Path, tmp_path: Path) -> None:
    env = stage(tmp_path, root, apt_get="exit 9", id="echo 1000")
    done = prepare(tmp_path, env)
    assert done.returncode == 1
    assert "Python 3.11 or later" in done.stderr
    assert "sudo apt-get update && sudo apt-get install --no-install-recommends python3 " in (
        done.stderr
    )
    assert not (tmp_path / ".venv").exists()


@pytest.mark.skipif(os.name != "posix", reason="a shell script")
def test_without_python_elsewhere_it_says_where_to_get_one(root: Path, tmp_path: Path) -> None:
    done = prepare(tmp_path, stage(tmp_path, root, id="echo 0"))
    assert done.returncode == 1
    assert "python.org" in done.stderr


@pytest.mark.skipif(os.name != "posix", reason="a shell script")
def test_as_root_on_debian_python_is_installed(root: Path, tmp_path: Path) -> None:
    # The stand-in for apt-get writes down what it was asked and brings no Python.
    env = stage(tmp_path, root, apt_get='echo "$@" >> asked', id="echo 0")
    done = prepare(tmp_path, env)
    assert done.returncode == 1
    assert (tmp_path / "asked").read_text("utf-8").splitlines() == [
        "update -qq", "install -y -qq --no-install-recommends python3 python3-venv",
    ]


@pytest.mark.skipif(os.name != "posix", reason="a shell script")
def test_a_python_without_venv_names_the_package_of_its_version(root: Path, tmp_path: Path) -> None:
    old = 'case "$2" in *ensurepip*) exit 1;; *print*) echo 3.12;; *) exit 0;; esac'
    env = stage(tmp_path, root, python3=old, apt_get="exit 9", id="echo 1000")
    done = prepare(tmp_path, env)
    assert done.returncode == 1
    assert "python3.12-venv" in done.stderr


def environment(folder: Path, place: Path) -> None:
    """A ready `.venv` whose Python does nothing, made for the folder `place`."""
    program = folder / ".venv" / "bin" / "python"
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\n", "utf-8")
    program.chmod(0o755)
    (folder / ".venv" / "pyvenv.cfg").write_text(
        f"home = /usr/bin\ncommand = /usr/bin/python3 -m venv {place}/.venv\n", "utf-8")
    for name in ("requirements.lock", "pyproject.toml"):
        (folder / name).write_text(name, "utf-8")
    recipe = subprocess.run(
        ["sh", "-c", "{ pwd; cat requirements.lock pyproject.toml; } | cksum"], cwd=folder,
        capture_output=True, text=True)
    (folder / ".venv" / "recipe").write_text(recipe.stdout, "utf-8")


@pytest.mark.skipif(os.name != "posix", reason="a shell script")
def test_what_is_ready_is_left_alone(root: Path, tmp_path: Path) -> None:
    env = stage(tmp_path, root)
    environment(tmp_path, tmp_path.resolve())
    done = prepare(tmp_path, env)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.skipif(os.name != "posix", reason="a shell script")
def test_an_environment_that_was_moved_here_is_not_trusted(root: Path, tmp_path: Path) -> None:
    env = stage(tmp_path, root)
    environment(tmp_path, Path("/somewhere/else"))
    done = prepare(tmp_path, env)
    assert done.returncode == 1
    assert "Python 3.11 or later is needed" in done.stderr
