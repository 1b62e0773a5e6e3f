"""No command tells an agent of another agent's rows, whatever is typed: over all commands."""

from pathlib import Path

import pytest

from core.store.sidecar_file import data_folder
from tests.contracts.rival import leaks, rival_world
from tests.explorer.cli.command_lines import LEAVES, SILENT, line
from tests.explorer.conftest import Run, graph_fixture

COMMANDS = sorted(name for name in LEAVES.keys() - SILENT - {"render", "token create"}
                  if name == "info" or any(one.name == "agent" for one in LEAVES[name].params))
NEAR = {"v-": ("v-rival", "v-riva"), "d-": ("d-rival", "d-riva"), "m-": ("m-rival", "m-riva"),
        "p-": ("p-rival", "p-riva"), "e-": ("e-rival", "Rvial Secret"),
        "morning": ("Rivalmorning", "Rivlmorning")}
"""What is typed instead of an own id that begins so: the other's, and one that is near to it."""
NAMES = {"harbor ledger", "tide api", "tides api", "anna", "spike"}


@graph_fixture
def rival(run: Run, graph: Path) -> Path:
    """The world with a second agent in it, and a session of each."""
    graph.unlink()
    rival_world(graph, data_folder())
    run("remember", "-", "--importance", 0.9, "--agent", "rival", stdin="Rivalwhisper of today")
    run("session", "start", "--session", "Rivalmorning", "--agent", "rival")
    run("session", "start", "--session", "morning")
    return graph


def instead(word: str, way: int) -> str:
    """The word with the other agent's thing in place of an own one."""
    if word.lower() in NAMES:
        return NEAR["e-"][way]
    return next((near[way] for start, near in NEAR.items() if word.startswith(start)), word)


@pytest.mark.parametrize("command", COMMANDS)
def test_no_command_tells_of_another_agents_rows(run: Run, rival: Path, command: str) -> None:
    words, stdin = line(command, rival)
    begin = len(command.split())
    own = [words, [*words, "--json"]] if "--json" in options(command) else [words]
    for asked in (*own, *([*words[:begin], *(instead(word, way) for word in words[begin:])]
                          for way in (0, 1))):
        answer = run(*asked, stdin=stdin)
        assert leaks(answer.out + answer.err, "\n".join(asked)) == [], asked


def options(command: str) -> set[str]:
    return {flag for one in LEAVES[command].params for flag in one.opts}


def test_the_other_agent_is_told(run: Run, rival: Path) -> None:
    told = run("knowledge", "entities", "--agent", "rival").out
    told += run("history", "--agent", "rival").out + run("session", "list", "--agent", "rival").out
    assert leaks(told) == ["Rival Secret", "Rival Tool", "Rivalcopy", "rivaltype", "Rivalwhisper",
                           "Rivalstep", "Rivalmorning"]
