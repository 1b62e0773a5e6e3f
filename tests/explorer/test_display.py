"""Whether there is a screen, asked before Qt would end the process."""

import socket
from pathlib import Path

import pytest

from explorer import display


@pytest.fixture(autouse=True)
def _on_linux(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)


def test_without_any_name_there_is_none() -> None:
    assert not display.is_there()


@pytest.mark.parametrize("name", [":7391", "unix:7391", "127.0.0.1:9.0", "nonsense", ":"])
def test_a_name_behind_which_nobody_answers_is_none(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("DISPLAY", name)
    assert not display.is_there()


def test_a_server_that_answers_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("\0/tmp/.X11-unix/X7392")
        server.listen(1)
        monkeypatch.setenv("DISPLAY", ":7392.0")
        assert display.is_there()


def test_a_wayland_socket_is_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-9")
    assert not display.is_there()
    (tmp_path / "wayland-9").touch()
    assert display.is_there()


def test_a_platform_chosen_by_hand_is_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    assert display.is_there()


@pytest.mark.parametrize("system", ["darwin", "win32"])
def test_other_systems_always_have_one(monkeypatch: pytest.MonkeyPatch, system: str) -> None:
    monkeypatch.setattr("sys.platform", system)
    assert display.is_there()


@pytest.mark.parametrize(("platform", "nothing"), [
    ("", False), ("xcb", False), ("offscreen", True), ("minimal:x", True)])
def test_a_platform_without_a_screen_shows_nothing(
    platform: str, nothing: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", platform)
    assert display.shows_nothing() == nothing
