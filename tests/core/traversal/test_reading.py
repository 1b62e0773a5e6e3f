"""The walk brings what a plain reading of the rules brings, on random graphs and real files."""

import os
import random
import sqlite3
from pathlib import Path

import pytest

from core.model.walk import Focal, FocalEntity, Walk
from core.traversal.config import TraversalSettings
from core.traversal.focal import Signals, resolve
from core.traversal.walk import walk
from core.workspace import Workspace
from tests.core.graphs import Graph, build
from tests.core.slow_walk import REFERENCE, SlowWalk

PATIENT = TraversalSettings(timeout_ms=60_000)
"""A slow machine must not cut a walk that is compared."""


def from_ids(*ids: str) -> Focal:
    return Focal(tuple(FocalEntity(id, "", "", "asked") for id in ids))


def wild(graph: Graph, chance: random.Random, entities: int) -> None:
    """Archived, muted, weak, tied, bare and deleted things, and another agent's."""

    def some(share: float) -> bool:
        return chance.random() < share

    def step() -> float:
        return chance.randrange(6) / 5

    ids = [graph.entity(f"Thing {n}", chance.choice(("project", "tool")), muted=int(some(0.1)),
                        status="archived" if some(0.1) else "active", mentions=chance.randrange(9))
           for n in range(entities)]
    other = graph.entity("Theirs", agent_id="other")
    memories = [graph.memory(f"memory {n}", *chance.sample(ids, chance.randrange(4)),
                             importance=step(), is_deleted=int(some(0.1)),
                             agent_id="other" if some(0.1) else "default",
                             visibility=chance.choice(("global", "private", "archived")))
                for n in range(entities * 12)]
    for id in [*ids, other]:
        agent = "other" if id == other else "default"
        for number in range(chance.choice((1, 3, 13))):
            aspect = graph.aspect(id, f"side {number}", step(), agent_id=agent,
                                  status="archived" if some(0.1) else "active")
            for value in range(chance.choice((0, 2, 6, 26))):
                graph.value(aspect, f"value {value % 5} of {number}", agent_id=agent,
                            kind="constraint" if some(0.15) else "attribute", importance=step(),
                            memory_id=chance.choice(memories) if some(0.8) else None,
                            status=chance.choice(("active",) * 4 + ("superseded", "deleted")))
    for source in ids:
        for target in chance.sample([*ids, other], chance.choice((0, 2, 7))):
            graph.link(source, target, strength=step(), confidence=step(),
                       status="archived" if some(0.1) else "active")


@pytest.mark.parametrize("seed", range(12))
def test_a_walk_is_what_the_rules_say_read_one_by_one(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    workspace = build(tmp_path / "graph.db", lambda graph: wild(graph, chance, 14))
    connection = sqlite3.connect(workspace.path)
    muted = [id for (id,) in connection.execute("SELECT id FROM entities WHERE muted = 1")]
    ids = [id for (id,) in connection.execute("SELECT id FROM entities ORDER BY rowid")]
    for count in (1, 2, 5):
        focal = chance.sample(ids, count)
        slow = SlowWalk(connection, muted=muted).walk(focal)
        with workspace.read() as reader:
            result = walk(reader, from_ids(*focal), PATIENT)
        assert result.entity_ids == tuple(slow.entities)
        assert {(c.entity_name, c.content) for c in result.constraints} == slow.constraints
        assert {m.id: m.score for m in result.memories} == pytest.approx(slow.memories)
    connection.close()
    workspace.close()


QUESTIONS = (
    "daemon", "dashboard", "memory pipeline", "session hooks", "signet core", "desktop tray",
    "ka-6 predictive scorer", "connector codex openclaw", "documentation build", "rust parity",
)
FOLDERS = (
    "/srv/nicholai/signet/signetai", "/srv/nicholai/signet/daemon", "C:\\code\\signetai",
    "/srv/nothing/here",
)


def signals(entities: list[str]) -> list[Signals]:
    """Twenty: questions, folders, a folder that fails before a question, entities by id."""
    return [*(Signals(query=query) for query in QUESTIONS),
            *(Signals(project=folder) for folder in FOLDERS),
            Signals(project="/srv/nothing/here", query="dashboard"), Signals(),
            *(Signals(entity_ids=tuple(entities[n::40][:3]), pinned=False) for n in range(4))]


REAL = sorted(Path(os.environ.get("CONSTELLATION_REAL_FILES", "/nowhere")).glob("*.db"))


@pytest.mark.skipif(not REAL, reason="CONSTELLATION_REAL_FILES names no folder of Signet files")
@pytest.mark.parametrize("path", REAL, ids=lambda path: path.stem)
def test_real_files_give_what_the_reference_gives(
    tmp_path: Path, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    workspace = Workspace.open(path, data_dir=tmp_path)
    connection = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
    ids = [id for (id,) in connection.execute(
        "SELECT id FROM entities WHERE agent_id = 'default' ORDER BY mentions DESC, id")]
    tally: dict[str, int] = {}
    for given in signals(ids):
        with workspace.read() as reader:
            focal = resolve(reader, given, PATIENT)
            walked = walk(reader, focal, PATIENT, explain=True)
        slow = SlowWalk(connection, rules=REFERENCE)
        start = list(given.entity_ids) or slow.focal(given.project, given.query)
        result = slow.walk(start)
        assert set(focal.ids) == set(start)
        assert set(walked.entity_ids) == set(result.entities)
        assert {(c.entity_name, c.content) for c in walked.constraints} == result.constraints
        for reason in differences(walked, result.memories, result.full, slow):
            tally[reason] = tally.get(reason, 0) + 1
    with capsys.disabled():
        print(f"\n{path.stem}: {tally}")  # noqa: T201 - the report of the comparison
    connection.close()
    workspace.close()


def differences(found: Walk, told: dict[str, float], full: bool, slow: SlowWalk) -> list[str]:
    """Each memory that only one of them has, by the rule of the design that explains it."""
    mine = {memory.id: memory for memory in found.memories}
    kept_out = {miss.id: miss.rule for miss in found.misses or () if miss.kind == "memory"}
    reasons = ["the same" for id in told if id in mine]
    for id in told.keys() - mine.keys():
        if not slow._alive(id):
            reasons.append("deleted means deleted")
        else:
            assert len(mine) == PATIENT.max_traversal_paths, "room was left"
            assert kept_out.get(id, "budget") == "budget"
            reasons.append("no entity takes all: room went to others")
    for id in mine.keys() - told.keys():
        if mine[id].attribute_id == id:
            reasons.append("a value without a memory tells itself")
            continue
        assert slow._alive(id)
        if full:
            reasons.append("no entity takes all: others came first")
        elif mine[id].via == "mention":
            reasons.append("50 in all: mentions fill what is left")
        else:
            reasons.append("20 attributes: rows without a memory take no place")
    return reasons
