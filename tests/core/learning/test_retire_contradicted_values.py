"""Retroactive supersession (seed 000): four signals, inline and sweep, shadow mode, the record."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.ingest.payload import Remembered
from core.ingest.remember import remember
from core.learning import retire_contradicted_values
from core.learning.config import SupersessionSettings
from core.learning.detect_contradiction import detect
from core.model.claims_and_assertions import Slot
from core.model.contradiction import Superseding
from core.ontology import control
from core.queries import claims
from core.store.reader_and_writer import Reader, Writer
from core.workspace import Workspace
from tests.core.graphs import (
    Graph,
    empty_graph,  # noqa: F401 - the fixture `graph`
)

USUAL = SupersessionSettings()
EARLY, LATE = "2026-03-01T08:00:00.000Z", "2026-03-15 08:00:00"
Fill = Callable[..., list[str]]


@pytest.fixture
def fill(graph: Workspace) -> Fill:
    """Values of one aspect: (content, columns) each; returns their ids."""
    def run(*values: tuple[str, dict[str, Any]]) -> list[str]:
        def change(writer: Writer) -> list[str]:
            g = Graph(writer, EARLY)
            value = writer.value("SELECT id FROM entity_aspects WHERE agent_id = :agent")
            aspect = value or g.aspect(g.entity("Nora", "person"), "life")
            return [g.value(aspect, content, columns.pop("claim", None), **columns)
                    for content, columns in ((c, dict(k)) for c, k in values)]

        return graph.write("fill", change).result

    return run


def check(graph: Workspace, ids: list[str], settings: SupersessionSettings = USUAL) -> Superseding:
    return graph.write("Check", lambda w: retire_contradicted_values.check(w, ids, settings)).result


def sweep(graph: Workspace, settings: SupersessionSettings = USUAL, **more: Any) -> Superseding:
    with graph.read() as reader:
        contradictions = retire_contradicted_values.find_all(reader, settings, **more)
    return graph.write("Sweep", lambda w: retire_contradicted_values.apply(
        w, contradictions.sure, settings)).result


def status(graph: Workspace) -> dict[str, str]:
    with graph.read() as reader:
        return {row["content"]: row["status"] for row in reader.rows(
            "SELECT content, status FROM entity_attributes WHERE agent_id = :agent")}


def history(graph: Workspace) -> list[dict[str, Any]]:
    with graph.read() as reader:
        return [dict(row) for row in reader.rows("SELECT * FROM memory_history ORDER BY rowid")]


# -- the signals (reference n.2) ---------------------------------------------------------------


@pytest.mark.parametrize(("new", "old", "signal", "confidence"), [
    ("does not like spicy food", "likes spicy food", "negation", 0.85),
    ("doesn't like spicy food", "likes spicy food", "negation", 0.85),
    ("doesn’t like spicy food", "likes spicy food", "negation", 0.85),
    ("they are apart these days", "they are together these days", "antonym", 0.80),
    ("lives in boulder", "lives in denver", "value", 0.75),
])
def test_a_signal_fires_with_its_confidence(
    new: str, old: str, signal: str, confidence: float
) -> None:
    for same_slot in (True, False):
        verdict = detect(new, old, same_slot=same_slot)
        assert verdict is not None
        assert (verdict.signal, verdict.confidence, verdict.method) == (
            signal, confidence, "heuristic")
        assert verdict.reasoning


def test_words_of_change_count_after_a_day() -> None:
    new, old = "now plays the cello daily", "plays the violin daily"
    verdict = detect(new, old, LATE, EARLY, same_slot=False)
    assert verdict is not None
    assert (verdict.signal, verdict.confidence) == ("temporal", 0.70)
    assert "14d gap" in verdict.reasoning
    assert detect(new, old, "2026-03-02T08:00:00Z", EARLY) is None  # 24 hours exactly
    assert detect(new, old) is None  # unknown times
    assert detect(old, new, LATE, EARLY) is None  # no such word


def test_no_longer_is_one_word_of_change_and_a_negation() -> None:
    verdict = detect("no longer plays the violin", "plays the violin")
    assert verdict is not None
    assert verdict.signal == "negation"


@pytest.mark.parametrize(("new", "old"), [
    ("uses postgresql for the database", "the database has three replicas"),
    ("the sky is blue", "pizza is delicious"),
    ("", "anything at all"),
    ("the same words", "words the same"),
])
def test_facts_that_both_hold_are_left_alone(new: str, old: str) -> None:
    assert detect(new, old, LATE, EARLY, same_slot=True) is None


@pytest.mark.parametrize(("new", "old"), [
    ("api is written in go", "api is fast"),
    ("the api was written in go", "the api is fast"),
    ("the api does not cache responses", "the api is written in go"),
    ("ooIDE uses bun for builds", "ooIDE uses WorkOS for authentication"),
    ("@signet/native lives in platform/native", "@signet/daemon lives in platform/daemon"),
    ("Mara can't wait to show the violin to her sister in June, and was glad to hear of the school",
     "Mara bought a violin in June"),
    ("Lately Mara has moved the violin lessons and the school run, and her sister helps on Mondays",
     "Mara takes violin lessons with a teacher whom her sister found, near the old harbour"),
    ("Mara is off to the lake with her sister and the dog",
     "Mara spends most weekends on the lake, her sister writes novels in town"),
])
def test_outside_a_slot_two_facts_about_one_thing_are_no_contradiction(
    new: str, old: str
) -> None:
    assert detect(new, old, LATE, EARLY, same_slot=False) is None
    eager = SupersessionSettings(cautious=False)
    assert detect(new, old, LATE, EARLY, same_slot=False, settings=eager) is not None


def test_words_of_any_script_are_compared() -> None:
    verdict = detect("Мария now играет на флейте дома", "Мария играет на скрипке дома",
                     LATE, EARLY, same_slot=False)
    assert verdict is not None
    assert verdict.signal == "temporal"


@given(st.text(max_size=80), st.text(max_size=80))
def test_no_text_crashes_it_and_nothing_contradicts_itself(one: str, other: str) -> None:
    assert detect(one, one, LATE, EARLY) is None
    detect(one, other, LATE, EARLY, same_slot=False)


# -- inline ------------------------------------------------------------------------------------


def test_a_new_value_replaces_the_old_one_and_points_at_it(graph: Workspace, fill: Fill) -> None:
    old, new = fill(("lives in new york city", {}), ("lives in los angeles", {"created_at": LATE}))
    result = check(graph, [new])
    assert result.superseded == (old,)
    with graph.read() as reader:
        rows = {r["id"]: r for r in reader.rows(
            "SELECT * FROM entity_attributes WHERE agent_id = :agent")}
    assert (rows[old]["status"], rows[old]["superseded_by"]) == ("superseded", new)
    assert (rows[new]["status"], rows[new]["version"], rows[new]["previous_attribute_id"],
            rows[new]["version_root_id"]) == ("active", 2, old, old)


def test_the_newer_value_wins_whichever_was_looked_at(graph: Workspace, fill: Fill) -> None:
    late, early = fill(("lives in los angeles", {"created_at": LATE}), ("lives in new york", {}))
    assert check(graph, [early]).superseded == (early,)
    assert status(graph)["lives in los angeles"] == "active"
    assert late


def test_constraints_are_never_touched(graph: Workspace, fill: Fill) -> None:
    rule = {"kind": "constraint"}
    ids = fill(("always lives in denver", rule), ("lives in boulder", {"created_at": LATE}),
               ("never lives in boulder", {**rule, "created_at": LATE}))
    result = check(graph, ids)
    assert (result.superseded, result.skipped) == ((), 2)
    assert sweep(graph).superseded == ()


def test_values_of_different_claims_are_not_compared(graph: Workspace, fill: Fill) -> None:
    _, new = fill(("the house is in denver", {"claim": "home"}),
                  ("the house is in boulder", {"claim": "office", "created_at": LATE}))
    assert check(graph, [new]).superseded == ()
    _, mixed = fill(("the house is in aspen", {"claim": "home", "group": "winter"}),
                    ("the house is in vail", {"created_at": LATE}))
    assert check(graph, [mixed]).superseded == ()


def test_a_slot_is_the_same_however_its_key_is_written(graph: Workspace, fill: Fill) -> None:
    old, new = fill(("the house is in denver", {"claim": "Home Town", "group": None}),
                    ("the house is in boulder", {"claim": "home_town", "created_at": LATE}))
    assert check(graph, [new]).superseded == (old,)


def test_what_was_said_at_once_does_not_contradict_itself(graph: Workspace, fill: Fill) -> None:
    memory = graph.write("m", lambda w: Graph(w).memory("both")).result
    ids = fill(("likes spicy food", {"memory_id": memory}),
               ("does not like spicy food", {"memory_id": memory}))
    assert check(graph, ids).superseded == ()


def test_a_second_run_does_nothing(graph: Workspace, fill: Fill) -> None:
    ids = fill(("lives in denver", {}), ("lives in boulder", {"created_at": LATE}))
    check(graph, ids)
    before = history(graph)
    again = check(graph, ids)
    assert (again.superseded, again.skipped) == ((), 1)
    assert history(graph) == before


def test_it_can_be_switched_off_and_made_stricter(graph: Workspace, fill: Fill) -> None:
    ids = fill(("lives in denver", {}), ("lives in boulder", {"created_at": LATE}))
    for settings in (SupersessionSettings(enabled=False), SupersessionSettings(inline=False),
                     SupersessionSettings(min_confidence=0.8)):
        assert check(graph, ids, settings).superseded == ()


def test_another_agents_values_are_not_compared(graph: Workspace, fill: Fill) -> None:
    ids = fill(("lives in denver", {}), ("lives in boulder", {"created_at": LATE}))
    graph.with_agent("rival")
    assert check(graph, ids) == Superseding(skipped=2)
    assert sweep(graph) == Superseding()


def test_remembering_checks_what_it_wrote(graph: Workspace) -> None:
    def say(content: str, value: str) -> Any:
        read = Remembered.read({"content": content, "aspects": [{
            "entityName": "Nora", "entityType": "person", "aspect": "home", "attributes": [
                {"content": value}]}]})
        return graph.write("Remember", lambda w: remember(w, read)).result

    say("One", "lives in denver")
    assert say("Two", "lives in boulder").attributes_superseded == 1
    assert status(graph) == {"lives in denver": "superseded", "lives in boulder": "active"}
    graph.undo()
    assert status(graph) == {"lives in denver": "active"}


# -- the record --------------------------------------------------------------------------------


def test_the_record_says_everything(graph: Workspace, fill: Fill) -> None:
    memory = graph.write("m", lambda w: Graph(w).memory("Nora lives in denver", tags="home")).result
    old, new = fill(("lives in denver", {"memory_id": memory}),
                    ("lives in boulder", {"created_at": LATE}))
    check(graph, [new])
    (row,) = history(graph)
    assert (row["memory_id"], row["event"], row["old_content"], row["new_content"],
            row["changed_by"]) == (memory, "attribute_superseded", "lives in denver",
                                   "lives in boulder", "pipeline:supersession")
    metadata = json.loads(row["metadata"])
    assert metadata.keys() == {"old_attribute_id", "new_attribute_id", "aspect_id", "method",
                               "signal",
                           "confidence", "reasoning"}
    assert (metadata["old_attribute_id"], metadata["new_attribute_id"], metadata["method"]) == (
        old, new, "heuristic")
    with graph.read() as reader:
        cold = reader.row("SELECT * FROM memories_cold WHERE agent_id = :agent")
        assert cold is not None
        assert (cold["memory_id"], cold["archived_reason"], cold["tags"]) == (
            memory, "superseded", "home")
        assert reader.value("SELECT is_deleted FROM memories WHERE agent_id = :agent") == 0


def test_shadow_mode_notes_it_once_and_changes_nothing(graph: Workspace, fill: Fill) -> None:
    shadow = SupersessionSettings(shadow=True)
    _, new = fill(("lives in denver", {}), ("lives in boulder", {"created_at": LATE}))
    result = check(graph, [new], shadow)
    assert (result.superseded, result.proposed, len(result.found)) == ((), 1, 1)
    assert sweep(graph, shadow).proposed == 0
    assert [row["event"] for row in history(graph)] == ["supersession_proposal"]
    assert set(status(graph).values()) == {"active"}


def test_a_pass_can_be_seen_and_undone_and_is_not_done_again(graph: Workspace, fill: Fill) -> None:
    old, _ = fill(("lives in denver", {}), ("lives in boulder", {"created_at": LATE}))
    sweep(graph)
    entry = graph.history()[0]
    assert (entry.label, entry.state) == ("Sweep", "done")
    assert [change.after["status"] for change in graph.changes_of(entry.undo_id or 0)
            if change.key == (old,) and change.after] == ["superseded"]
    graph.undo()
    assert set(status(graph).values()) == {"active"}
    assert len(history(graph)) == 1  # the record of what was done stays
    assert sweep(graph).superseded == ()  # and what was taken back is not done again
    graph.redo()
    assert status(graph)["lives in denver"] == "superseded"


def test_what_a_person_restored_stays(graph: Workspace, fill: Fill) -> None:
    old, _ = fill(("lives in denver", {}), ("lives in boulder", {"created_at": LATE}))
    sweep(graph)
    graph.write("Restore", lambda w: control.apply(
        w, "restore_claim_version", {"attribute_id": old}))
    assert sweep(graph).superseded == ()
    assert status(graph) == {"lives in denver": "active", "lives in boulder": "superseded"}


# -- sweep -------------------------------------------------------------------------------------


def test_the_sweep_finds_what_was_there_before(graph: Workspace, fill: Fill) -> None:
    fill(("nora is dating someone", {}), ("nora is single now", {"created_at": LATE}))
    sweep(graph)
    assert status(graph) == {"nora is dating someone": "superseded", "nora is single now": "active"}


def test_a_disabled_sweep_does_nothing(graph: Workspace, fill: Fill) -> None:
    fill(("lives in denver", {}), ("lives in boulder", {"created_at": LATE}))
    assert sweep(graph, SupersessionSettings(sweep=False)) == Superseding()


def test_a_chain_keeps_its_order_and_versions(graph: Workspace, fill: Fill) -> None:
    places = ("denver", "boulder", "aspen", "vail")
    ids = fill(*((f"lives in {place}", {"created_at": f"2026-0{n + 1}-01T00:00:00Z"})
                 for n, place in enumerate(places)))
    assert set(sweep(graph).superseded) == set(ids[:3])
    with graph.read() as reader:
        rows = [reader.row("SELECT * FROM entity_attributes WHERE id = :id AND agent_id = :agent",
                           id=id) for id in ids]
        shown = claims.versions(reader, claims.slot_of(reader, ids[0]))
    assert [row["superseded_by"] for row in rows if row] == [*ids[1:], None]
    assert [row["version"] for row in rows if row] == [1, 2, 3, 4]
    assert {row["version_root_id"] for row in rows if row} == {ids[0]}
    assert [version.value.content for version in shown] == [
        f"lives in {place}" for place in reversed(places)]


def test_a_value_with_a_line_of_its_own_keeps_it(graph: Workspace, fill: Fill) -> None:
    fill(("lives in denver", {}))

    def versions(writer: Writer) -> list[str]:
        g = Graph(writer, LATE)
        aspect = writer.value("SELECT id FROM entity_aspects WHERE agent_id = :agent")
        return g.history(aspect, None, "lives by the lake", "lives in boulder")

    ids = graph.write("more", versions).result
    sweep(graph)
    with graph.read() as reader:
        row = reader.row("SELECT * FROM entity_attributes WHERE id = :id AND agent_id = :agent",
                         id=ids[1])
    assert row is not None
    assert (row["version"], row["previous_attribute_id"], row["version_root_id"]) == (
        2, ids[0], ids[0])


def test_only_places_that_were_touched_since_are_swept(graph: Workspace, fill: Fill) -> None:
    fill(("lives in denver", {}), ("lives in boulder", {"created_at": LATE}))
    assert sweep(graph, since="2026-03-02T00:00:00.000Z").superseded == ()
    assert len(sweep(graph, since="2026-02-01T00:00:00.000Z").superseded) == 1


def test_a_crowded_place_is_bounded_and_says_so(graph: Workspace, fill: Fill) -> None:
    fill(*((f"fact {n} of many", {}) for n in range(12)))
    with graph.read() as reader:
        contradictions = retire_contradicted_values.find_all(
            reader, SupersessionSettings(most_compared=10))
    assert contradictions.skipped == 2


def test_what_has_changed_since_it_was_found_is_left_alone(graph: Workspace, fill: Fill) -> None:
    old, new = fill(("lives in denver", {}), ("lives in boulder", {"created_at": LATE}))
    with graph.read() as reader:
        contradictions = retire_contradicted_values.find_all(reader, USUAL)
    graph.write("Archive", lambda w: control.apply(
        w, "archive_claim_value", {"attribute_id": new}))
    result = graph.write(
        "Apply", lambda w: retire_contradicted_values.apply(w, contradictions.sure, USUAL)).result
    assert result == Superseding()
    assert status(graph)["lives in denver"] == "active"
    assert old


def test_the_claim_history_shows_a_retired_value(graph: Workspace, fill: Fill) -> None:
    old, _ = fill(("the house is in denver", {"claim": "home"}),
                  ("the house is in boulder", {"claim": "home", "created_at": LATE}))
    sweep(graph)

    def shown(reader: Reader) -> list[tuple[int, str]]:
        slot: Slot = claims.slot_of(reader, old)
        return [(v.value.version, v.value.status) for v in claims.versions(reader, slot)]

    with graph.read() as reader:
        assert shown(reader) == [(2, "active"), (1, "superseded")]
