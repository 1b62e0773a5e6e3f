"""Each near miss has a way in that works, or says why there is none."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.ontology import control
from core.settings import Settings
from core.traversal.focal_signals import Signals
from core.workspace import Workspace
from tests.core.graphs import Graph, build
from ui.models.agent_view import Sight, see
from ui.models.near_miss_fixes import NearMiss
from ui.models.what_if import Thing, rehearsed

SETTINGS = Settings()
LONG_AGO = "2011-01-01T10:00:00.000Z"
Make = Callable[[Callable[[Graph], object]], Workspace]
NEW, OLD, ALONE = "starts at 03:30", "starts at 02:00", "nobody ever said this"


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    opened: list[Workspace] = []

    def run(fill: Callable[[Graph], object]) -> Workspace:
        opened.append(build(tmp_path / "graph.db", fill))
        return opened[-1]

    yield run
    for workspace in opened:
        workspace.close()


def seen(workspace: Workspace, settings: Settings = SETTINGS) -> Sight:
    with workspace.read() as reader:
        return see(reader, Signals(entity_ids=("job",)), settings, None)


def missed(workspace: Workspace, label: str, settings: Settings = SETTINGS) -> NearMiss:
    return next(one for one in seen(workspace, settings).misses if label in one.name)


def told_if(workspace: Workspace, thing: Thing) -> tuple[bool, str]:
    """Whether it holds now, and the injected text of the other case."""
    holds, other = rehearsed(workspace, thing, lambda reader: see(
        reader, Signals(entity_ids=("job",)), SETTINGS, None))
    return holds, other.started.text


def two_versions(graph: Graph) -> None:
    job = graph.entity("settlement job", "system", id="job")
    aspect = graph.aspect(job, "schedule", id="schedule")
    ids = graph.history(aspect, "start", OLD, NEW)
    for id, content in zip(ids, (OLD, NEW), strict=True):
        graph.writer.update("entity_attributes", id, memory_id=graph.memory(
            content, created_at=LONG_AGO, importance=0.0))
    graph.value(aspect, ALONE, "window")


def test_an_old_version_is_restored_and_the_present_one_put_back(make: Make) -> None:
    workspace = make(two_versions)
    near = missed(workspace, OLD)
    way = near.ways[0]
    assert way.make.words == "Restore this version"
    assert near.slot is not None
    assert near.slot.claim_key == "start"
    holds, text = told_if(workspace, way)
    assert not holds
    assert OLD in text
    assert way.make is not None
    workspace.write("restore", lambda w: control.apply(w, way.make.operation, way.make.payload))
    holds, text = told_if(workspace, way)
    assert holds
    assert NEW in text, "the rehearsal of the other case puts the new version back"
    workspace.undo()
    assert missed(workspace, OLD).ways, "undone"


def test_an_archived_value_comes_back_and_is_archived_again(make: Make) -> None:
    def fill(graph: Graph) -> None:
        two_versions(graph)
        graph.value("schedule", "archived long ago", "zone", id="gone", status="deleted",
                    memory_id=graph.memory("archived long ago", created_at=LONG_AGO,
                                                            importance=0.0))

    workspace = make(fill)
    way = missed(workspace, "archived long ago").ways[0]
    assert told_if(workspace, way)[0] is False
    workspace.write("restore", lambda w: control.apply(w, way.make.operation, way.make.payload))
    holds, text = told_if(workspace, way)
    assert holds
    assert "archived long ago" not in text


def test_what_is_told_by_another_way_has_not_been_missed(make: Make) -> None:
    def fill(graph: Graph) -> None:
        two_versions(graph)
        memory = graph.memory("the memory behind it, which is told for its age")
        graph.value("schedule", "so old", "zone", status="superseded", memory_id=memory)
        graph.value("schedule", "the memory behind it", "place", memory_id=memory)

    assert "so old" not in [one.name for one in seen(make(fill)).misses]


THEIRS = "nobody here may read why"


def test_a_value_whose_memory_cannot_be_read_says_so_and_leads_to_its_history(make: Make) -> None:
    def fill(graph: Graph) -> None:
        two_versions(graph)
        graph.value("schedule", THEIRS, "owner", memory_id=graph.memory(
            "what another agent keeps for itself", agent_id="other", visibility="private"))

    near = missed(make(fill), THEIRS)
    assert near.ways == ()
    assert near.why == "This value has no memory, so it can't be injected"
    assert near.slot is not None
    assert not near.limited


def test_where_only_a_setting_helps_the_setting_is_offered(make: Make) -> None:
    def fill(graph: Graph) -> None:
        graph.entity("settlement job", "system", id="job", pinned=1)
        aspect = graph.aspect("job", "notes")
        for number in range(3):
            graph.value(aspect, f"note {number}", memory_id=graph.memory(
                f"note {number} of the job", created_at=LONG_AGO))

    settings = SETTINGS.model_copy(update={"traversal": SETTINGS.traversal.model_copy(
        update={"max_traversal_paths": 2})})
    near = missed(make(fill), "of the job", settings)
    assert (near.miss.rule, near.ways, near.limited) == ("budget", (), True)
    assert near.why == "The walk's limit of memories was reached"


def test_the_eleventh_aspect_of_ten_full_ones_can_not_be_heavier(make: Make) -> None:
    def fill(graph: Graph) -> None:
        graph.entity("settlement job", "system", id="job")
        for number in range(11):
            graph.aspect("job", f"aspect {number}", 1.0 if number else 0.4)

    near = missed(make(fill), "aspect 0")
    assert near.ways == ()
    assert near.why == "The aspects ranked above it already have full weight"


def test_a_restored_aspect_can_be_compared_with_its_archive(make: Make) -> None:
    def fill(graph: Graph) -> None:
        job = graph.entity("settlement job", "system", id="job")
        aspect = graph.aspect(job, "rules", id="rules", status="archived")
        graph.value(aspect, "Never settle twice", kind="constraint")

    workspace = make(fill)
    way = missed(workspace, "rules").ways[0]
    assert "Never settle twice" in told_if(workspace, way)[1]
    workspace.write("restore", lambda w: control.apply(w, way.make.operation, way.make.payload))
    holds, text = told_if(workspace, way)
    assert holds
    assert "Never settle twice" not in text


def test_a_weak_link_is_named_from_end_to_end_unless_its_end_came_along_anyway(
    make: Make
) -> None:
    def fill(graph: Graph) -> None:
        job = graph.entity("settlement job", "system", id="job")
        ledger = graph.entity("Harbor Ledger", id="ledger", pinned=1)
        board = graph.entity("Grafana", "tool", id="board")
        for target in (ledger, board):
            graph.link(job, target, id=f"to {target}", strength=0.4, confidence=0.6)

    near = [one for one in seen(make(fill)).misses if one.miss.kind == "link"]
    assert [one.miss.id for one in near] == ["to board"]
    assert near[0].name.replace("\u2068", "").replace("\u2069", "") == (
        "Grafana ← settlement job")
