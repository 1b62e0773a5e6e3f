"""Now and then a session start tries a link of low confidence, and what comes of it counts."""

import pytest
from msgspec.structs import replace

from core.model.session_start_and_end import EXPLORATION, SessionStart
from core.queries.sessions import session_memories
from core.session.explore_uncertain_link import is_due
from core.session.start_record import record
from core.traversal.focal_signals import Signals
from tests.core.graphs import Graph
from tests.core.session.test_end import everything
from tests.core.sessions import PROJECT, begun, ended, hit, opened, recorded, usual, value, vega

ALWAYS = usual(session={"exploration_rate": 1.0})


def guess(graph: Graph) -> None:
    """Vega, and a link of it that nobody is sure of."""
    vega(graph)
    graph.entity("Lyra", "tool", id="e3")
    graph.aspect("e3", "sound", id="a3")
    graph.memory("Lyra plays the alarm", id="m3", importance=0.05)
    graph.value("a3", "plays the alarm", id="v-m3", memory_id="m3")
    graph.link("e1", "e3", id="d3", strength=0.8, confidence=0.3, reason="llm-uncertain")


def session(key: str = "s1") -> Signals:
    return Signals(project=PROJECT, session_key=key)


def link_tried(start: SessionStart) -> str:
    return start.tried.id if start.tried else ""


def test_a_session_with_a_key_tries_a_link_of_low_confidence(tmp_path):
    with opened(tmp_path, guess) as workspace:
        start = begun(workspace, session(), ALWAYS)
        sure = begun(workspace, session(), usual(session={"exploration_rate": 0.0}))
    assert start.tried is not None
    assert (start.tried.id, start.tried.sentence) == ("d3", "Vega uses Lyra")
    assert start.text.count("\n## Possibly Related\n\nTried because it is not certain: Vega uses"
                            " Lyra (confidence 0.30).\n\n- Lyra plays the alarm\n") == 1
    assert (sure.tried, sure.text) == (None, start.text.replace(
        start.text[start.text.index("\n## Poss"):start.text.index("\n## Active")], ""))


def test_without_a_key_nothing_is_tried(tmp_path):
    with opened(tmp_path, guess) as workspace:
        assert begun(workspace, Signals(project=PROJECT), ALWAYS).tried is None


def test_the_same_session_tries_the_same_link_and_each_its_own(tmp_path):
    def fill(graph: Graph) -> None:
        guess(graph)
        for number in range(4, 12):
            graph.entity(f"Star {number}", id=f"e{number}")
            graph.memory(f"about star {number}", f"e{number}", id=f"m{number}", importance=0.05)
            graph.link("e1", f"e{number}", id=f"d{number}", strength=0.5, confidence=0.2)

    with opened(tmp_path, fill) as workspace:
        tried = [link_tried(begun(workspace, session(str(n)), ALWAYS)) for n in range(40)]
        again = [link_tried(begun(workspace, session(str(n)), ALWAYS)) for n in range(40)]
    assert tried == again
    assert len(set(tried)) > 4, "other sessions try other links"


def test_about_the_set_share_of_sessions_tries(tmp_path):
    due = [is_due("default", f"session {number}", 0.1) for number in range(2000)]
    assert 150 < sum(due) < 250
    assert not is_due("default", "  ", 1.0)
    assert is_due("default", "s", 1.0)
    assert not is_due("default", "s", 0.0)


def test_a_preview_writes_nothing_and_a_record_holds_the_source(tmp_path):
    with opened(tmp_path, guess) as workspace:
        before = everything(workspace)
        start = begun(workspace, session(), ALWAYS)
        assert everything(workspace) == before
        workspace.write("begin", lambda writer: record(writer, start))
        with workspace.read() as reader:
            rows = {each.memory_id: each for each in session_memories(reader, "s1")}
    assert (rows["m3"].source, rows["m3"].injected) == (EXPLORATION, True)
    assert rows["m3"].path is not None
    assert rows["m3"].path.dependency_ids == ("d3",)
    assert rows["m1"].source != EXPLORATION


@pytest.mark.parametrize(("rating", "moved"), [(1.0, 1), (-1.0, -1), (0.0, 0)])
def test_a_rating_of_what_was_tried_moves_the_link(tmp_path, rating, moved):
    with opened(tmp_path, guess) as workspace:
        recorded(workspace, "s1", settings=ALWAYS)
        ended(workspace, "s1", ratings={"m3": rating})
        sure = value(workspace, "SELECT confidence FROM entity_dependencies WHERE id = 'd3'")
        strong = value(workspace, "SELECT strength FROM entity_dependencies WHERE id = 'd3'")
        assert isinstance(sure, float)
        assert isinstance(strong, float)
        assert ((sure > 0.3) - (sure < 0.3), (strong > 0.8) - (strong < 0.8)) == (moved, moved)
        if moved > 0:
            after = begun(workspace, session("s2"), ALWAYS)
            assert "e3" in after.walk.entity_ids, "the link is walked from now on"
            assert after.tried is None


def test_a_hit_of_what_was_tried_confirms_the_link(tmp_path):
    with opened(tmp_path, guess) as workspace:
        recorded(workspace, "s1", settings=ALWAYS)
        hit(workspace, "s1", "m3")
        ended(workspace, "s1")
        assert value(workspace, "SELECT confidence FROM entity_dependencies WHERE id='d3'") == 0.7


def test_what_was_tried_does_not_stop_the_comparison_of_rankings(tmp_path):
    with opened(tmp_path, guess) as workspace:
        for number in range(8):
            recorded(workspace, f"s{number}", settings=ALWAYS)
            hit(workspace, f"s{number}", "m1")
            last = ended(workspace, f"s{number}")
    assert last.scorer


@pytest.mark.parametrize("change", [
    "UPDATE entities SET muted = 1 WHERE id = 'e3'",
    "UPDATE entities SET status = 'archived' WHERE id = 'e3'",
    "UPDATE entity_dependencies SET status = 'archived' WHERE id = 'd3'",
    "UPDATE entity_dependencies SET agent_id = 'other' WHERE id = 'd3'",
    "UPDATE entities SET agent_id = 'other' WHERE id = 'e3'",
    "UPDATE memories SET agent_id = 'other', visibility = 'private' WHERE id = 'm3'",
    "UPDATE memories SET visibility = 'archived' WHERE id = 'm3'",
    "UPDATE memories SET is_deleted = 1 WHERE id = 'm3'",
    "UPDATE entity_attributes SET status = 'superseded' WHERE id = 'v-m3'",
    "UPDATE entity_dependencies SET confidence = 0.8, strength = 0.2 WHERE id = 'd3'",
])
def test_nothing_muted_archived_unreadable_or_certain_is_tried(tmp_path, change):
    def fill(graph: Graph) -> None:
        guess(graph)
        graph.writer.connection.execute(change)

    with opened(tmp_path, fill) as workspace:
        assert begun(workspace, session(), ALWAYS).tried is None


def test_what_is_tried_never_takes_the_room_of_a_constraint_or_a_memory(tmp_path):
    def fill(graph: Graph) -> None:
        guess(graph)
        for number in range(6):
            graph.value("a1", f"{number} " + "never do this " * 9, kind="constraint")

    off = usual(session={"exploration_rate": 0.0})
    with opened(tmp_path, fill) as workspace:
        for most in range(500, 2400, 50):
            tight = replace_session(ALWAYS, max_inject_chars=most)
            start = begun(workspace, session(), tight)
            without = begun(workspace, session(), replace_session(off, max_inject_chars=most))
            assert start.constraint_lines == without.constraint_lines
            assert start.told_ids == without.told_ids
            assert len(start.text) <= most
    assert start.tried is not None


def replace_session(settings, **values):
    return settings.model_copy(update={
        "session": settings.session.model_copy(update=values)})


def test_a_constraint_of_a_tried_entity_is_no_memory(tmp_path):
    def fill(graph: Graph) -> None:
        guess(graph)
        graph.value("a3", "never at night", kind="constraint", id="c3")

    with opened(tmp_path, fill) as workspace:
        start = begun(workspace, replace(session(), query="Vega"), ALWAYS)
    assert [each.id for each in start.trial] == ["m3"]
    assert "never at night" not in start.text
