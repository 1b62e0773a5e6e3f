"""Which memories an agent reads: its own, and of others what its read policy allows.

Over every policy, three agents and every way in which memories are told, on a native file and on
two generations of Signet's.
"""

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from core.constellation.sky_rows import sky
from core.errors import OperationError
from core.past.compared_states import compare_agents
from core.queries.embedding_texts import memory_texts, texts_by_id
from core.queries.evidence_as_text import resolve as evidence_of
from core.queries.memories import get_memory, memories_of
from core.recall.hybrid import recall
from core.session.start import start
from core.settings import Settings
from core.store.reader_and_writer import Reader
from core.traversal.focal import resolve
from core.traversal.focal_signals import Signals
from core.traversal.walk import walk
from core.workspace import Workspace
from tests.contracts.files import OLD, _fill, add_later

GROUPS = {"default": "crew", "mate": "crew", "stranger": "others"}
"""The agents, each with its group."""
POLICIES = ("isolated", "shared", "group", "no row")
VISIBILITIES = ("global", "private", "archived")
KINDS = ("native", "signet-030", "signet-080")
AT = datetime.now(UTC).isoformat()
"""So new that importance alone brings a memory into a session."""
QUESTION = "Where is the lighthouse keeper?"
PAST = "Where was the lighthouse keeper before?"
OWNED = """
ALTER TABLE memories ADD COLUMN agent_id TEXT DEFAULT 'default';
ALTER TABLE memories ADD COLUMN visibility TEXT DEFAULT 'global';
CREATE TABLE agents (id TEXT PRIMARY KEY, name TEXT, read_policy TEXT NOT NULL DEFAULT 'isolated',
    policy_group TEXT, created_at TEXT NOT NULL, updated_at TEXT NOT NULL);
"""
"""What migration 043 added."""
Told = frozenset[str]


def build(kind: str, folder: Path, reader: str, policy: str) -> Workspace:
    """A file in which each agent's entity and values lead to all memories of all agents."""
    path = folder / "graph.db"
    if kind == "native":
        Workspace.open(path, data_dir=folder, create=True).close()
    connection = sqlite3.connect(path)
    with connection:
        if kind != "native":
            connection.executescript(OLD)
        if kind == "signet-080":
            add_later(connection)
            connection.executescript(OWNED)
        if kind != "signet-030":
            connection.execute("DELETE FROM agents")
        for table, rows in _world(reader, policy).items():
            _fill(connection, table, rows)
    connection.close()
    return Workspace.open(path, data_dir=folder, agent=reader)


def _world(reader: str, policy: str) -> dict[str, list[dict[str, object]]]:
    times = {"created_at": AT, "updated_at": AT}
    memories = [(owner, seen) for owner in GROUPS for seen in VISIBILITIES]
    policies = dict.fromkeys(GROUPS, "isolated") | {reader: policy}
    return {
        "agents": [{"id": agent, "read_policy": policies[agent], "policy_group": group, **times}
                   for agent, group in GROUPS.items() if policies[agent] != "no row"],
        "memories": [{"id": f"{owner} {seen}", "content": f"The lighthouse keeper noted {owner}"
                      f" {seen}", "agent_id": owner, "visibility": seen, "importance": 0.8, **times}
                     for owner, seen in memories],
        "entities": [{"id": f"e {agent}", "name": f"Lighthouse of {agent}", "agent_id": agent,
                      "canonical_name": f"lighthouse of {agent}", "entity_type": "project",
                      "mentions": 3, **times} for agent in GROUPS],
        "entity_aspects": [{"id": f"a {agent}", "entity_id": f"e {agent}", "name": "notes",
                            "canonical_name": "notes", "agent_id": agent, **times}
                           for agent in GROUPS],
        "entity_attributes": [
            {"id": f"v {agent} {owner} {seen}", "aspect_id": f"a {agent}", "agent_id": agent,
             "memory_id": f"{owner} {seen}", "kind": "attribute", "content": f"{owner} {seen}",
             "normalized_content": f"{owner} {seen}", "importance": 0.9, **times}
            for agent in GROUPS for owner, seen in memories],
        "memory_entity_mentions": [
            {"memory_id": f"{owner} {seen}", "entity_id": f"e {agent}", "confidence": 0.9,
             "created_at": AT} for agent in GROUPS for owner, seen in memories],
    }


def among(texts: Iterable[str]) -> Told:
    """The memories whose text is in these lines."""
    lines = set(texts)
    return frozenset(f"{owner} {seen}" for owner in GROUPS for seen in VISIBILITIES
                     if any(f"lighthouse keeper noted {owner} {seen}" in line for line in lines))


class Alike:
    """An embedder to which all texts mean the same."""

    name, dimensions = "alike", 2

    def embed(self, texts: list[str]) -> np.ndarray:
        return np.ones((len(texts), 2), np.float32)


def _walk(reader: Reader) -> Told:
    settings = Settings().traversal
    focal = resolve(reader, Signals(entity_ids=(f"e {reader.agent}",)), settings)
    walked = walk(reader, focal, settings, explain=True)
    misses = [miss.label for miss in walked.misses or ()]
    return among([*(each.content for each in walked.memories), *misses])


def _recall(reader: Reader) -> Told:
    hits = recall(reader, QUESTION, embedder=Alike()).hits
    return among(hit.memory.content for hit in hits)


def _past(reader: Reader) -> Told:
    hits = recall(reader, PAST).hits
    return among(hit.memory.content for hit in hits)


def _session(reader: Reader) -> Told:
    settings = Settings()
    signals = Signals(query=QUESTION, entity_ids=(f"e {reader.agent}",))
    began = start(reader, signals, settings, Alike())
    return among([*began.text.splitlines(), *(each.content for each in began.candidates)])


def _quiet_session(reader: Reader) -> Told:
    return among(start(reader, Signals(), Settings()).text.splitlines())


TOLD: dict[str, Callable[[Reader], Told]] = {
    "walk": _walk, "recall": _recall, "recall of the past": _past, "session start": _session,
    "session without a topic": _quiet_session,
}
"""What the agent is told: nothing archived, not even its own."""


def _ids(reader: Reader) -> list[str]:
    return [f"{owner} {seen}" for owner in GROUPS for seen in VISIBILITIES]


def _mentions(reader: Reader) -> Told:
    return among(each.content for each in memories_of(reader, f"e {reader.agent}"))


def _by_id(reader: Reader) -> Told:
    return among(each.content for id in _ids(reader) if (each := get_memory(reader, id)))


def _evidence(reader: Reader) -> Told:
    items = [{"memory_id": id, "quote": "keeper"} for id in _ids(reader)]
    return among(each.text for each in evidence_of(reader, items))


def _dots(reader: Reader) -> Told:
    return frozenset(id for id in sky(reader).memory_ids if id in _ids(reader))


def _texts(reader: Reader) -> Told:
    ids = _ids(reader)
    return among([*memory_texts(reader, ids).values(), *texts_by_id(reader, ids).values()])


SHOWN: dict[str, Callable[[Reader], Told]] = {
    "mentions": _mentions, "by id": _by_id, "evidence": _evidence, "sky": _dots, "texts": _texts,
}
"""What a person is shown of the agent's memories: also what it has archived itself."""
WAYS = {**TOLD, **SHOWN}


def expected(kind: str, reader: str, policy: str, way: str) -> Told:
    """The memories that may come."""
    if kind == "signet-030":
        return frozenset(_ids_of(GROUPS, VISIBILITIES))  # It does not tell whose a memory is.
    own = VISIBILITIES if way in SHOWN else VISIBILITIES[:2]
    if policy == "no row":
        policy = "shared" if reader == "default" else "isolated"
    others = {"isolated": [], "shared": list(GROUPS),
              "group": [agent for agent in GROUPS if GROUPS[agent] == GROUPS[reader]]}[policy]
    return frozenset((*_ids_of([reader], own), *_ids_of(others, ["global"])))


def _ids_of(owners: Iterable[str], visibilities: Iterable[str]) -> Iterator[str]:
    return (f"{owner} {seen}" for owner, seen in product(owners, visibilities))


def measured(kind: str, folder: Path, reader: str, policy: str) -> dict[str, Told]:
    """What comes by each way."""
    workspace = build(kind, folder, reader, policy)
    try:
        with workspace.read() as file:
            return {way: read(file) for way, read in WAYS.items()}
    finally:
        workspace.close()


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("reader", GROUPS)
@pytest.mark.parametrize("kind", KINDS)
def test_an_agent_is_told_what_its_read_policy_allows(
    tmp_path: Path, kind: str, reader: str, policy: str
) -> None:
    for way, memories in measured(kind, tmp_path, reader, policy).items():
        assert memories == expected(kind, reader, policy, way), way


@pytest.mark.parametrize("kind", ["native", "signet-080"])
def test_what_another_agent_has_superseded_is_not_told_of_it(tmp_path: Path, kind: str) -> None:
    workspace = build(kind, tmp_path, "default", "shared")
    with sqlite3.connect(tmp_path / "graph.db") as connection:
        connection.execute("DELETE FROM entity_attributes WHERE memory_id = 'mate global'"
                           " AND agent_id <> 'mate'")
        connection.execute("UPDATE entity_attributes SET status = 'superseded'"
                           " WHERE memory_id = 'mate global'")
    connection.close()
    try:
        with workspace.read() as reader:
            for way in ("walk", "recall", "session start", "session without a topic"):
                assert "mate global" not in TOLD[way](reader), way
                assert "stranger global" in TOLD[way](reader), way
            hits = {hit.memory.id: hit for hit in recall(reader, PAST).hits}
            assert hits["mate global"].past
            assert not hits["stranger global"].past
    finally:
        workspace.close()


def test_agents_without_a_group_are_no_group(tmp_path: Path) -> None:
    workspace = build("native", tmp_path, "default", "group")
    with sqlite3.connect(tmp_path / "graph.db") as connection:
        for nothing in ("''", "NULL"):
            connection.execute(f"UPDATE agents SET policy_group = {nothing}")
            connection.commit()
            with workspace.read() as reader:
                assert _recall(reader) == {"default global", "default private"}
    connection.close()
    workspace.close()


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("kind", KINDS)
def test_an_agent_compares_itself_with_another_as_far_as_its_policy_goes(
    tmp_path: Path, kind: str, policy: str
) -> None:
    workspace = build(kind, tmp_path, "mate", policy)
    told_apart = kind != "signet-030"
    open_to = {"shared": {"default", "stranger"}, "group": {"default"}}.get(policy, set())
    for other in ("default", "stranger"):
        by_person = compare_agents(workspace, other).items
        if told_apart and other not in open_to:
            with pytest.raises(OperationError, match="read policy") as refused:
                compare_agents(workspace, other, by_policy=True)
            assert refused.value.status == 403
            continue
        items = compare_agents(workspace, other, by_policy=True).items
        private = {one for one in by_person if one.change == "added" and one.what == "claim"
                   and one.after in (f"{other} private", f"{other} archived")}
        assert private
        assert set(items) == set(by_person) - (private if told_apart else set())
    with pytest.raises(OperationError) as refused:
        compare_agents(workspace, "nobody", by_policy=True)
    assert refused.value.status == (404 if policy == "shared" or not told_apart else 403)
    workspace.close()
