"""What to paste into a client of the Model Context Protocol so that it uses a graph."""

import json
import re
import shlex
from pathlib import Path

USUAL_AGENT = "default"
_BREAK = r",\n\s+"


def client_setups(path: Path, agent: str, address: str) -> dict[str, str]:
    """A text to paste for each kind of client.

    Args:
        address: of the open door; empty while it is closed.
    """
    command = ["mcp", "--store", str(path),
               *(["--agent", agent] if agent != USUAL_AGENT else [])]
    server = {"command": "constellation", "args": command}
    line = shlex.join(["claude", "mcp", "add", "memory", "--", "constellation", *command])
    setups = {
        "Claude Desktop, Cursor, Cline": _json({"mcpServers": {"memory": server}}),
        "Claude Code": line,
        "VS Code": _json({"servers": {"memory": {"type": "stdio", **server}}}),
        "Codex": "\n".join(("[mcp_servers.memory]", 'command = "constellation"',
                            f"args = {json.dumps(command)}")),
    }
    by_address = _json({"mcpServers": {"memory": {"type": "http", "url": address}}})
    return {"By address": by_address, **setups} if address else setups


def _json(part: object) -> str:
    """Indented, with lists of words on one line."""
    text = json.dumps(part, indent=2, ensure_ascii=False)
    return re.sub(r"\[\s+([^\[\]{}]*?)\s+\]",
                  lambda found: f"[{re.sub(_BREAK, ', ', found[1])}]", text)
