"""Tab completes what the commands declare."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from explorer.cli.completion import ASKS, Shell


@pytest.mark.parametrize("shell", list(Shell))
def test_the_script_of_each_shell_asks_the_program(run, shell: Shell) -> None:
    script = run("completion", shell).out
    assert f"{ASKS}=complete_{shell}" in script
    assert "constellation" in script


def test_another_shell_is_answered_with_those_that_are_known(run) -> None:
    done = run("completion", "tcsh")
    assert done.code == 2
    assert "choose one of bash, zsh, fish" in done.err


@pytest.fixture
def program(root: Path, tmp_path: Path) -> Path:
    """A command called as the script calls it."""
    path = tmp_path / "constellation"
    path.write_text(f'#!/bin/sh\nPYTHONPATH="{root}" exec "{sys.executable}" -m explorer "$@"\n')
    path.chmod(0o755)
    return path


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_bash_completes_commands_options_and_choices(run, program: Path) -> None:
    asked = (("knowledge ent", {"entities", "entity"}), ("recall --sinc", {"--since"}),
             ("knowledge attributes a b c d --status su", {"superseded"}),
             ("ontology claim ver", {"versions"}))
    lines = [run("completion", "bash").out]
    for words, _ in asked:
        lines.append(f'COMP_WORDS=("{program}" {words}); COMP_CWORD={len(words.split())}; '
                     f'_constellation_completion "{program}"; echo "${{COMPREPLY[*]}}"')
    done = subprocess.run(["bash", "-c", "\n".join(lines)], capture_output=True, text=True)
    assert [set(line.split()) for line in done.stdout.splitlines()] == [
        words for _, words in asked], done.stderr


@pytest.mark.parametrize(("shell", "answer"), [
    ("zsh", """_arguments '*: :(("entities":"List entities"""),
    ("fish", "entities\tList entities"),
])
def test_zsh_and_fish_are_told_what_each_word_means(
    root: Path, shell: str, answer: str
) -> None:
    asks = os.environ | {ASKS: f"complete_{shell}", "_TYPER_COMPLETE_FISH_ACTION": "get-args",
                         "_TYPER_COMPLETE_ARGS": "constellation knowledge ent"}
    done = subprocess.run([sys.executable, "-m", "explorer"], cwd=root, env=asks, text=True,
                          capture_output=True)
    assert done.stdout.startswith(answer)


@pytest.mark.skipif(shutil.which("zsh") is None, reason="zsh is not installed")
def test_the_script_works_in_a_zsh_whose_completion_is_not_set_up(run, tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text(run("completion", "zsh").out)
    done = subprocess.run(["zsh", "-f", "-c", f'eval "$(cat {script})"; '
                           'print $_comps[constellation]'], capture_output=True, text=True,
                          env=os.environ | {"HOME": str(tmp_path)})
    assert (done.stdout, done.stderr) == ("_constellation_completion\n", "")


def test_zsh_sets_its_completion_up_before_it_is_told_of_the_command(run) -> None:
    script = run("completion", "zsh").out
    assert 0 < script.index("compinit -i") < script.index("compdef _constellation")
