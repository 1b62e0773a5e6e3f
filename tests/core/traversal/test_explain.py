"""An explained walk says what let each thing in, and which rule kept out what nearly came."""

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.model.claims_and_assertions import Slot
from core.model.walk import MISS_RULES, Focal, FocalEntity, Miss, Walk
from core.traversal.config import TraversalSettings
from core.traversal.walk import walk
from core.traversal.walk_queries import read_last_branch
from core.workspace import Workspace
from tests.core.graphs import Asked, Graph, build
from tests.core.traversal.test_reading import wild

Fill = Callable[[Graph], object]
USUAL = TraversalSettings(timeout_ms=60_000)


@pytest.fixture
def explain(tmp_path: Path) -> Iterator[Callable[..., Walk]]:
    """`explain(fill, "e1")` is the explained walk from e1 in a new graph."""
    opened: list[Workspace] = []

    def make(fill: Fill, *ids: str, settings: TraversalSettings = USUAL, **asked: object) -> Walk:
        workspace = build(tmp_path / f"graph{len(opened)}.db", fill)
        opened.append(workspace)
        focal = Focal(tuple(FocalEntity(id, "", "", "asked") for id in ids))
        with workspace.read() as reader:
            return walk(reader, focal, settings, explain=True, **asked)  # type: ignore[arg-type]

    yield make
    for workspace in opened:
        workspace.close()


def miss(found: Walk, id: str) -> Miss:
    return next(miss for miss in found.misses or () if miss.id == id)


def linked(graph: Graph) -> None:
    """Alpha with two aspects, a link to Beta and one to each kind of reason not to follow."""
    graph.entity("Alpha", id="e1")
    graph.entity("Beta", id="e2")
    graph.link("e1", "e2", "uses", id="d2", confidence=0.9, strength=0.8)
    side = graph.aspect("e2", "Deployment", id="side")
    graph.memory("deploys at night", id="m1")
    graph.value(side, "deploys at night", "time", id="v1", group="schedule", memory_id="m1",
                importance=0.7)
    graph.value(side, "never on Friday", "day", id="rule", kind="constraint")
    for id, columns in {
        "unsure": {"confidence": 0.42}, "weak": {"strength": 0.2},
        "retired": {"status": "archived"},
    }.items():
        graph.entity(id, id=id)
        graph.link("e1", id, "uses", id=f"d-{id}", **{"confidence": 1.0, "strength": 1.0,
                                                     **columns})
    for id, columns in {"old": {"status": "archived"}, "quiet": {"muted": 1}}.items():
        graph.entity(id, id=id, **columns)
        graph.link("e1", id, "uses", id=f"d-{id}", confidence=1.0, strength=1.0)


def test_a_memory_tells_its_slot_and_the_numbers_that_let_it_in(explain) -> None:
    explained = explain(linked, "e1")
    memory = explained.memories[0]
    assert memory.slot == Slot("e2", "side", "attribute", "schedule", "time")
    assert [(g.rule, round(g.value, 2), g.limit, g.label) for g in memory.grounds] == [
        ("confidence", 0.9, 0.5, "uses → Beta"), ("strength", 0.72, 0.3, "uses → Beta"),
        ("strength rank", 1, 4, "uses → Beta"), ("weight rank", 1, 10, "Deployment"),
        ("importance rank", 1, 20, "Deployment"), ("budget", 1, 50, ""),
    ]
    assert [explained.labels[id] for id in (*memory.path.entity_ids, *memory.path.aspect_ids,
                                        *memory.path.dependency_ids)] == [
        "Alpha", "Beta", "Deployment", "uses"]


def test_a_constraint_tells_its_slot_and_the_link_that_led_to_it(explain) -> None:
    constraint = explain(linked, "e1").constraints[0]
    assert constraint.slot == Slot("e2", "side", "constraint", "general", "day")
    assert [ground.rule for ground in constraint.grounds] == [
        "confidence", "strength", "strength rank"]


def test_a_mention_tells_its_rank(explain) -> None:
    def fill(graph: Graph) -> None:
        graph.memory("said", graph.entity("Alpha", id="e1"), id="m1")

    memory = explain(fill, "e1").memories[0]
    assert memory.slot is None
    assert [(g.rule, g.value, g.limit) for g in memory.grounds] == [
        ("mention rank", 1, 20), ("budget", 1, 50)]


@pytest.mark.parametrize(("link", "rule", "value", "limit"), [
    ("d-unsure", "confidence", 0.42, 0.5), ("d-weak", "strength", 0.2, 0.3),
    ("d-retired", "archived", None, None), ("d-old", "archived", None, None),
    ("d-quiet", "muted", None, None),
])
def test_a_link_that_was_not_followed_tells_the_rule(
    explain, link: str, rule: str, value: float | None, limit: float | None
) -> None:
    missed = miss(explain(linked, "e1"), link)
    assert (missed.kind, missed.rule, missed.value, missed.limit, missed.entity_id) == (
        "link", rule, value, limit, "e1")


def test_the_fifth_link_tells_its_rank(explain) -> None:
    def fill(graph: Graph) -> None:
        graph.entity("Alpha", id="e1")
        for n in range(6):
            graph.entity(f"b{n}", id=f"b{n}")
            graph.link("e1", f"b{n}", id=f"d{n}", confidence=1.0, strength=1 - n / 10)

    explained = explain(fill, "e1")
    assert [(m.id, m.rule, m.value, m.limit) for m in explained.misses or ()] == [
        ("d4", "strength rank", 5, 4), ("d5", "strength rank", 6, 4)]
    capped = explain(fill, "e1", settings=USUAL.model_copy(update={"max_dependency_hops": 2}))
    assert {(m.id, m.rule) for m in capped.misses or ()} >= {("d2", "links in all"),
                                                            ("d3", "links in all")}


def test_the_last_link_that_is_followed_is_read_alone_however_many_there_are(
    tmp_path: Path,
) -> None:
    def fill(graph: Graph) -> None:
        for n in range(9):
            graph.entity(f"b{n}", id=f"b{n}", muted=int(n == 1))
            graph.link("b0", f"b{n}", id=f"d{n}", confidence=1.0, strength=1 - n / 10)

    workspace = build(tmp_path / "hub.db", fill)
    with workspace.read() as reader:
        asked = Asked(reader)
        assert read_last_branch(reader, "b0", USUAL) == pytest.approx(0.6), "the muted one is none"
        assert read_last_branch(reader, "b1", USUAL) == 0.0
        assert not any("TEMP B-TREE" in step for step in asked.plans())
    workspace.close()


def test_the_eleventh_aspect_tells_its_rank(explain) -> None:
    def fill(graph: Graph) -> None:
        graph.entity("Alpha", id="e1")
        for n in range(11):
            graph.aspect("e1", f"side {n}", 1 - n / 20, id=f"s{n}")
        graph.aspect("e1", "former", 0.9, id="former", status="archived")

    explained = explain(fill, "e1")
    missed = miss(explained, "s10")
    assert (missed.label, missed.rule, missed.value, missed.limit) == (
        "side 10", "weight rank", 11, 10)
    assert miss(explained, "former").rule == "archived"


def test_an_aspect_outside_the_filter_says_so(explain) -> None:
    def fill(graph: Graph) -> None:
        graph.entity("Alpha", id="e1")
        graph.aspect("e1", "Work", id="work")
        graph.aspect("e1", "Home", id="home")

    explained = explain(fill, "e1", aspect_filter="work")
    assert [(m.id, m.rule) for m in explained.misses or ()] == [("home", "aspect filter")]


def test_an_attribute_that_brought_nothing_tells_why(explain) -> None:
    def fill(graph: Graph) -> None:
        aspect = graph.aspect(graph.entity("Alpha", id="e1"), "general")
        for n in range(21):
            graph.memory(f"m{n}", id=f"m{n}", scope="team")
            graph.value(aspect, f"m{n}", id=f"v{n}", memory_id=f"m{n}", importance=0.9 - n / 100)
        graph.memory("deleted", id="dead", is_deleted=1)
        graph.memory("elsewhere", id="far", scope="other")
        graph.memory("theirs", id="theirs", agent_id="other", visibility="private")
        for id, columns in {
            "bare": {}, "dead": {"memory_id": "dead"}, "far": {"memory_id": "far"},
            "theirs": {"memory_id": "theirs"}, "was": {"status": "superseded"},
            "gone": {"status": "deleted"},
        }.items():
            graph.value(aspect, f"value {id}", id=id, importance=1.0, **columns)

    explained = explain(fill, "e1", scope="team")
    assert {id: miss(explained, id).rule for id in ("bare", "dead", "far", "theirs", "was", "gone")
            } == {"bare": "no memory", "dead": "deleted", "far": "scope", "theirs": "no memory",
                  "was": "superseded", "gone": "archived"}
    last = miss(explained, "v20")
    assert (last.rule, last.value, last.limit) == ("importance rank", 21, 20)


def test_memories_without_room_tell_their_place(explain) -> None:
    def fill(graph: Graph) -> None:
        aspect = graph.aspect(graph.entity("Alpha", id="e1"), "general")
        for n in range(4):
            graph.memory(f"memory {n}", id=f"m{n}")
            graph.value(aspect, f"m{n}", memory_id=f"m{n}", importance=0.9 - n / 10)
        graph.memory("only mentioned", "e1", id="said")
        graph.entity("Beta", id="e2")
        graph.link("e1", "e2", confidence=1.0, strength=1.0)
        graph.memory("of the next", id="next")
        graph.value(graph.aspect("e2", "general"), "next", memory_id="next")

    two = USUAL.model_copy(update={"max_traversal_paths": 2})
    explained = explain(fill, "e1", settings=two)
    assert [memory.id for memory in explained.memories] == ["m0", "m1"]
    told = [(m.id, m.label, m.rule, m.value, m.limit, m.entity_id)
            for m in explained.misses or () if m.kind == "memory"]
    assert told == [("m2", "memory 2", "budget", 3, 2, "e1"), ("m3", "memory 3", "budget", 4, 2,
                    "e1"), ("said", "only mentioned", "budget", 5, 2, "e1"),
                    ("next", "of the next", "budget", 6, 2, "e2")]


def test_memories_that_mention_it_after_twenty_others_tell_their_rank(explain) -> None:
    def fill(graph: Graph) -> None:
        graph.entity("Alpha", id="e1")
        for n in range(23):
            graph.memory(f"said {n}", "e1", id=f"m{n}", importance=1 - n / 100)

    explained = explain(fill, "e1")
    assert len(explained.memories) == 20
    assert [(m.id, m.rule, m.value, m.limit, m.entity_id) for m in explained.misses or ()] == [
        (f"m{n}", "mention rank", n + 1, 20, "e1") for n in (20, 21, 22)]


def test_no_more_misses_are_told_than_the_settings_allow(explain) -> None:
    few = USUAL.model_copy(update={"max_misses": 8})
    explained = explain(lambda graph: wild(graph, random.Random(5), 12), *(), settings=few)
    assert explained.misses == ()


@pytest.mark.parametrize("seed", range(4))
def test_an_explanation_changes_nothing_about_the_walk(tmp_path: Path, seed: int) -> None:
    chance = random.Random(100 + seed)
    workspace = build(tmp_path / "graph.db", lambda graph: wild(graph, chance, 12))
    with workspace.read() as reader:
        focal = Focal(tuple(FocalEntity(row["id"], "", "", "asked") for row in reader.rows(
            "SELECT id FROM entities ORDER BY id LIMIT 4")))
        plain = walk(reader, focal, USUAL)
        result = walk(reader, focal, USUAL, explain=True)
        few = walk(reader, focal, USUAL.model_copy(update={"max_misses": 8}), explain=True)
    assert plain.misses is None
    assert [(m.id, m.score, m.path) for m in result.memories] == [
        (m.id, m.score, m.path) for m in plain.memories]
    assert [c.id for c in result.constraints] == [c.id for c in plain.constraints]
    assert all(m.grounds for m in result.memories)
    assert {m.rule for m in result.misses or ()} <= set(MISS_RULES)
    taken = {m.id for m in result.memories}
    assert not [m for m in result.misses or () if m.kind == "memory" and m.id in taken]
    assert len(few.misses or ()) <= 8
    workspace.close()


def test_explaining_costs_no_statement_when_not_asked_for(tmp_path: Path) -> None:
    workspace = build(tmp_path / "graph.db", linked)
    focal = Focal((FocalEntity("e1", "Alpha", "project", "asked"),))
    with workspace.read() as reader:
        asked = Asked(reader)
        walk(reader, focal, USUAL)
        plain = len(asked.statements)
        walk(reader, focal, USUAL, explain=True)
        assert plain <= 17
        assert len(asked.statements) > 2 * plain
    workspace.close()
