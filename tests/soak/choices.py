"""Random payloads that mostly fit: for every operation, from the rows that a graph has now."""

import random
from collections.abc import Callable
from typing import Any

from core.store.reader_and_writer import Reader

Payload = dict[str, Any]


class Choices:
    """Chooses rows and words; the same seed chooses the same of the same rows."""

    def __init__(self, reader: Reader, chance: random.Random, number: int) -> None:
        self._reader, self._chance, self._number = reader, chance, number

    def row(self, table: str, condition: str = "1") -> Payload:
        """Any row of this agent's, preferably one that fulfils the condition."""
        known = self._reader.columns(table)
        for sql in (condition if condition.split()[0] in known else "1", "1"):
            own = "" if table == "memories" else "agent_id = :agent AND "
            rows = self._reader.rows(f"SELECT * FROM {table} WHERE {own}{sql} ORDER BY rowid")
            if rows:
                return dict(self._chance.choice(rows))
        return {}

    def entity(self, condition: str = "1") -> str:
        return str(self.row("entities", condition).get("name", "Nobody"))

    def muted(self) -> str:
        if self._reader.has_column("entities", "muted"):
            return self.entity("muted = 1")
        rows = self._reader.rows("SELECT entity_id FROM side.muted_entities ORDER BY rowid")
        return str(self._chance.choice(rows)["entity_id"]) if rows else "none"

    def word(self) -> str:
        return f"{self._chance.choice(['tide', 'ferry', 'quay', 'mast'])} {self._number}"

    def aspect(self, condition: str = "1") -> Payload:
        """An aspect with its entity."""
        row = self.row("entity_aspects", condition)
        return {"entity": row.get("entity_id", ""), "aspect": row.get("name", "")}

    def value(self, condition: str = "1") -> Payload:
        return self.row("entity_attributes", condition)

    def slot(self) -> Payload:
        """A claim: one that has a value, or a new one."""
        if self._chance.random() < 0.3:
            return {"entity": self.entity(), "aspect": "harbour", "group_key": "general",
                    "claim_key": self._chance.choice(["berth", "depth"])}
        value = self.value("status = 'active' AND claim_key IS NOT NULL"
                           if self._reader.has_column("entity_attributes", "claim_key") else HERE)
        aspect = self._reader.rows("SELECT * FROM entity_aspects WHERE agent_id = :agent "
                                   "AND id = :id", id=value.get("aspect_id", ""))
        if not aspect:
            return {"entity": self.entity(), "aspect": "harbour", "group_key": "general",
                    "claim_key": "berth"}
        return {"entity": aspect[0]["entity_id"], "aspect": aspect[0]["name"],
                "group_key": value.get("group_key"), "claim_key": value.get("claim_key"),
                "old_value": value["content"]}

    def share(self) -> float:
        return round(self._chance.random(), 2)

    def assertion(self, condition: str = "1") -> Payload:
        known = self._reader.has_table("epistemic_assertions")
        return {"id": self.row("epistemic_assertions", condition).get("id", "none")
                if known else "none"}

    def link(self, condition: str = "1") -> Payload:
        return {"id": self.row("entity_dependencies", condition).get("id", "none")}


def new_value(choices: Choices) -> Payload:
    """A value for a claim."""
    slot = choices.slot()
    slot.pop("old_value", None)
    return {**slot, "value": choices.word(), "confidence": choices.share(), "force": True}


GONE, HERE = "status = 'archived'", "status = 'active'"
PAYLOADS: dict[str, Callable[[Choices], Payload]] = {
    "create_entity": lambda c: {"name": c.word(), "entity_type": "project"},
    "rename_entity": lambda c: {"entity": c.entity(HERE), "new_name": c.word()},
    "archive_entity": lambda c: {"entity": c.entity(HERE), "force": True},
    "restore_entity": lambda c: {"entity": c.entity(GONE)},
    "merge_entities": lambda c: {"target_entity": c.entity(HERE), "force": True,
                                 "source_entities": [c.entity(HERE)]},
    "split_entity": lambda c: {"entity": (part := c.aspect(HERE))["entity"],
                               "new_name": c.word(), "aspects": [part["aspect"]]},
    "pin_entity": lambda c: {"entity": c.entity("pinned = 0")},
    "unpin_entity": lambda c: {"entity": c.entity("pinned = 1")},
    "mute_entity": lambda c: {"entity": c.entity(HERE)},
    "unmute_entity": lambda c: {"entity": c.muted()},
    "create_aspect": lambda c: {"entity": c.entity(HERE), "name": c.word()},
    "rename_aspect": lambda c: {**c.aspect(HERE), "new_name": c.word()},
    "weigh_aspect": lambda c: {**c.aspect(HERE), "weight": c.share()},
    "archive_aspect": lambda c: {**c.aspect(HERE), "force": True},
    "restore_aspect": lambda c: c.aspect(GONE),
    "merge_aspects": lambda c: _merge_aspects(c),
    "add_claim_value": new_value,
    "set_claim_value": new_value,
    "supersede_claim_value": lambda c: {**c.slot(), "new_value": c.word(), "force": True},
    "archive_claim_value": lambda c: {"attribute_id": c.value(HERE).get("id", ""), "force": True},
    "restore_claim_version": lambda c: {
        "attribute_id": c.value("status = 'superseded'").get("id", "")},
    "create_link": lambda c: {"source_entity": c.entity(HERE), "target_entity": c.entity(HERE),
                              "link_type": "uses", "reason": c.word()},
    "update_link": lambda c: {**c.link(HERE), "strength": c.share()},
    "archive_link": lambda c: c.link(HERE),
    "restore_link": lambda c: c.link(GONE),
    "open_task": lambda c: {"name": c.word(), "expires_at": "2030-01-01"},
    "update_task": lambda c: {"entity": _task(c), "status": "done"},
    "create_policy": lambda c: {"entity": c.entity(HERE), "policy_kind": "backups",
                                "content": c.word()},
    "create_action_type": lambda c: {"name": c.word()},
    "create_interface": lambda c: {"name": c.word()},
    "attach_interface": lambda c: {"entity": c.entity(HERE), "interface": c.entity(HERE)},
    "create_alias": lambda c: {"entity": c.entity(HERE), "alias": c.word()},
    "archive_alias": lambda c: {
        "entity": (one := c.row("entity_aliases", HERE)).get("entity_id", "none"),
        "alias": one.get("alias", "none")},
    "move_claim": lambda c: {"attribute_id": c.value(HERE).get("id", ""), "aspect": c.word()},
    "detach_source": lambda c: {
        "attribute_id": (one := c.value("memory_id IS NOT NULL")).get("id", ""),
        "source": one.get("memory_id") or "none"},
    "weigh_claim": lambda c: {"attribute_id": c.value(HERE).get("id", ""),
                              "importance": c.share(), "confidence": c.share()},
    "set_review_date": lambda c: {"attribute_id": c.value(HERE).get("id", ""),
                                  "review_after": "2030-01-01"},
    "adopt_relations": lambda c: {"entity": c.entity(HERE)},
    "create_assertion": lambda c: {"entity": c.entity(HERE), "predicate": "observed",
                                   "content": c.word(), "evidence": [c.word()]},
    "link_assertion": lambda c: {**c.assertion(HERE),
                                 "attribute_id": c.value(HERE).get("id", "")},
    "supersede_assertion": lambda c: {**c.assertion(HERE), "content": c.word(),
                                      "evidence": [c.word()]},
    "archive_assertion": lambda c: c.assertion(HERE),
    "restore_assertion": lambda c: c.assertion("status <> 'active'"),
    "promote_assertion": lambda c: c.assertion("claim_attribute_id IS NOT NULL"),
    "weigh_assertion": lambda c: {**c.assertion(HERE), "confidence": c.share()},
    "link_memory": lambda c: {"memory_id": c.row("memories").get("id", "none"),
                              "entity": c.entity(HERE)},
    "forget_memory": lambda c: {"memory_id": c.row("memories").get("id", "none"), "force": True},
}
"""How the payload of each operation is chosen; `force`, so that little is refused."""


def _merge_aspects(choices: Choices) -> Payload:
    part = choices.aspect(HERE)
    other = choices.row("entity_aspects",
                        f"status = 'active' AND entity_id = '{part['entity']}' "
                        f"AND name <> '{part['aspect']}'")
    return {"entity": part["entity"], "target_aspect": part["aspect"],
            "source_aspects": [other.get("name", "")]}


def _task(choices: Choices) -> str:
    return str(choices.row("task_meta").get("entity_id", "none"))
