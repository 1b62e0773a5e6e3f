"""`completion`: what a shell needs to complete commands and options with Tab.

The shell asks the program itself, so that what is completed is what the commands declare.
"""

from enum import StrEnum
from typing import Annotated

import typer
from typer.completion import (  # type: ignore[attr-defined]
    completion_init,
    get_completion_script,
)

from explorer.cli import output
from explorer.cli.dispatch import ASKS

PROGRAM = "constellation"


class Shell(StrEnum):
    """The shells that are known."""

    bash = "bash"
    zsh = "zsh"
    fish = "fish"


def _known(shell: str) -> str:
    if shell not in list(Shell):
        raise typer.BadParameter(f"choose one of {', '.join(Shell)}")
    return shell


_READY = "(( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i }"
"""For a zsh whose completion has not been set up: it knows no `compdef`."""


# The classes that answer the scripts, where Typer's own two options are left out.
completion_init()


def completion(
    shell: Annotated[str, typer.Argument(metavar="SHELL", help="bash, zsh or fish.",
                                         callback=_known)],
) -> None:
    """Print the script that makes Tab complete commands and options.

    In ~/.bashrc or ~/.zshrc: eval "$(constellation completion bash)", or zsh. In fish:
    constellation completion fish > ~/.config/fish/completions/constellation.fish
    """
    script = get_completion_script(prog_name=PROGRAM, complete_var=ASKS, shell=shell)
    if shell == Shell.zsh:
        script = script.replace("\n", f"\n{_READY}\n", 1)
    for line in script.splitlines():
        output.say(line, whole=True)
