"""What to paste into a client of the Model Context Protocol so that it uses a graph."""

import json
import re
import shlex
import shutil
import sys
from pathlib import Path

USUAL_AGENT = "default"
_BREAK = r",\n\s+"


def client_setups(
    path: Path, agent: str, address: str, program: str = ""
) -> dict[str, str]:
    """A text to paste for each kind of client.

    Args:
        address: of the open door; empty while it is closed.
        program: what starts this program; without it, what does here.
    """
    command = ["mcp", "--store", str(path),
               *(["--agent", agent] if agent != USUAL_AGENT else [])]
    program = program or installed_command()
    server = {"command": program, "args": command}
    line = shlex.join(["claude", "mcp", "add", "memory", "--", program, *command])
    setups = {
        "Claude Desktop, Cursor, Cline": _json({"mcpServers": {"memory": server}}),
        "Claude Code": line,
        "VS Code": _json({"servers": {"memory": {"type": "stdio", **server}}}),
        "Codex": "\n".join(("[mcp_servers.memory]", f"command = {json.dumps(program)}",
                            f"args = {json.dumps(command)}")),
    }
    by_address = _json({"mcpServers": {"memory": {"type": "http", "url": address}}})
    return {"By address": by_address, **setups} if address else setups


def installed_command() -> str:
    """The command as a client finds it: by its name where that is this one, else its whole path."""
    beside = Path(sys.executable).with_name("constellation")
    by_name = shutil.which("constellation")
    if not beside.exists() or (by_name and Path(by_name).resolve() == beside.resolve()):
        return "constellation"
    return str(beside)


def _json(part: object) -> str:
    """Indented, with lists of words on one line."""
    text = json.dumps(part, indent=2, ensure_ascii=False)
    return re.sub(r"\[\s+([^\[\]{}]*?)\s+\]",
                  lambda found: f"[{re.sub(_BREAK, ', ', found[1])}]", text)
