"""The small world with a second agent in it, all of whose texts are secrets of its own.

Its rows hang on the first agent's entities, too, and its names are near to theirs.
"""

import sqlite3
from contextlib import closing
from pathlib import Path

from core.ontology import control
from core.workspace import Workspace
from tests.contracts.files import ISO, _aspect, _entity, _fill, _link, _value, make

ROWS = {
    "entities": (
        _entity("e-rival-3", "Harbor Lodger Rivalcopy", "rivaltype", agent_id="rival"),
    ),
    "memories": (
        {"id": "m-rival", "content": "The run starts at Rivalwhisper", "agent_id": "rival",
         "visibility": "private", "type": "rivalkind", "created_at": ISO, "updated_at": ISO},
    ),
    "entity_aspects": (
        _aspect("a-rival-2", "e-harbor", "Rivalaspect", agent_id="rival"),
    ),
    "entity_attributes": (
        _value("v-rival-2", "a-rival-2", "Rivalvalue of a harbor", group_key="Rivalgroup",
               claim_key="Rivalclaim", agent_id="rival", memory_id="m-rival"),
        _value("v-rival-3", "a-schedule", "Rivalvalue of the schedule", group_key="nightly",
               claim_key="start_time", agent_id="rival"),
        _value("v-rival-4", "a-rival", "Never tell Rivalrule", kind="constraint",
               agent_id="rival"),
    ),
    "entity_dependencies": (
        _link("d-rival-2", "e-harbor", "requires", "e-rival", agent_id="rival",
              reason="Rivalreason"),
    ),
    "memory_entity_mentions": (
        {"memory_id": "m-rival", "entity_id": "e-harbor", "mention_text": "Rivalmention",
         "confidence": 0.9, "created_at": ISO},
        {"memory_id": "m-rival", "entity_id": "e-rival", "mention_text": "Rivalmention",
         "confidence": 0.9, "created_at": ISO},
    ),
    "ontology_proposals": (
        {"id": "p-rival-2", "operation": "set_claim_value", "status": "pending",
         "payload": '{"entity":"Harbor Ledger","aspect":"Schedule","group_key":"nightly",'
                    '"claim_key":"start_time","value":"Rivalproposal"}',
         "rationale": "Rivalrationale", "created_at": ISO, "updated_at": ISO,
         "agent_id": "rival"},
    ),
}
SECRETS = (
    "Rival Secret", "Rival Tool", "Rival plan", "rival value", "Rivalcopy", "rivaltype",
    "Rivalwhisper", "rivalkind", "Rivalaspect", "Rivalvalue", "Rivalgroup", "Rivalclaim",
    "Rivalrule", "Rivalreason", "Rivalmention", "Rivalproposal", "Rivalrationale", "Rivalstep",
    "Rivalmorning",
    *(f"{letter}-rival" for letter in "eavdmp"),
)
"""What only the second agent may read: its texts, and how its ids begin."""
OF_COMMANDS = ("Rivalmorning",)
"""What of them only commands write: a session."""
TYPED = ("e-rival", "v-rival", "d-rival", "m-rival", "p-rival", "a-rival", "e-riva", "v-riva",
         "d-riva", "m-riva", "p-riva", "Rvial Secret", "Rivl Tool", "Harbor Lodger Rivlcopy",
         "Rivlmorning")
"""What the first agent may type: the other's ids, their beginnings, names that are near to its."""


def rival_world(path: Path, folder: Path) -> None:
    """Make the file: with steps, a step taken back and a session of the second agent."""
    make("native", path, folder).close()
    with closing(sqlite3.connect(path)) as connection, connection:
        for table, rows in ROWS.items():
            _fill(connection, table, rows)
    workspace = Workspace.open(path, data_dir=folder, agent="rival")
    for name in ("Rivalstep one", "Rivalstep two"):
        payload = {"name": name, "entity_type": "tool"}
        workspace.write(f"Create {name}",
                        lambda w, p=payload: control.apply(w, "create_entity", p))
    workspace.undo()
    workspace.write("Mute", lambda w: control.apply(w, "mute_entity", {"entity": "e-rival"}))
    workspace.close()


def leaks(text: str, given: str = "") -> list[str]:
    """The secrets in a text, but for what was typed itself."""
    for part in sorted(filter(None, given.split("\n")), key=len, reverse=True):
        text = text.replace(part, "")
    return [secret for secret in SECRETS if secret in text]
