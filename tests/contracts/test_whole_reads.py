"""No statement of core reads a table through whose size nobody asked for, in any generation.

All that a person and an agent ask is asked, each operation is done and undone, and SQLite tells
how it would read for each statement on the way. Plans are looked at, nothing is timed.
"""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from core.store import compat_views
from core.traversal.config import TraversalSettings
from core.traversal.focal import resolve
from core.traversal.focal_signals import Signals
from core.workspace import Workspace
from tests.contracts.files import KINDS, make
from tests.core_questions import ask_everything
from tests.signet_shapes import add_indexes
from tests.statement_plans import Recorder, whole_reads

WHOLE = {
    "everything is counted, as was asked": (
        "queries.stats._numbers", "queries.stats._type_counts", "queries.stats.list_agents",
        "recall.filters.count", "review.proposal_queue.count_proposals"),
    "read once after each change of the file, then known": (
        "traversal.search_inside_entity_names._read", "queries.known_by_name.list_spellings",
        "queries.known_by_name.known_by", "queries.outdated_memories.read_outdated",
        "queries.muted_memories.read", "queries.spelling._read",
        "queries.disputes._beside_a_person"),
    "what waits for a person, tasks, sessions and aliases are few beside what is remembered": (
        "queries.disputes._read", "ontology.followed_names.given_up",
        "queries.outdated_memories.any_finished", "queries.sessions.list_sessions",
        "queries.sessions.sessions_of", "session.recurring_topic_memories._shared_words",
        "learning.session_candidate_scorer._sessions", "learning.path_feedback._used_before",
        "learning.retire_orphaned_values.orphans"),
    "full text can't find it: a script without spaces, or a file without full text": (
        "queries.entity_search._columns", "queries.entities.list_entities",
        "recall.keyword._scan", "queries.names_in_text._known_starts"),
    "the newest of all, where nothing but a filter is asked; one row of them": (
        "recall.candidates.latest", "recall.keyword._sound"),
    "the newest thousand by their number, and no more": (
        "recall.answering_links_and_assertions._links",
        "recall.answering_links_and_assertions._assertions"),
    "an explanation looks at what is hidden, too": ("traversal.focal_signals.hidden_holding",),
}
"""What may read a table through in any file, by the reason."""
WHOLE_OF_SIGNET = {
    "a change of a Signet file looks at all names: their spelling there has no index": (
        "queries.names_in_text._known", "queries.find_by_name_or_id.match_entities",
        "ingest.remember_state._lookup", "ontology.request_descriptions._entities"),
    "the same, of a Signet file alone": (
        "queries.values_of_memories.resting_on", "traversal.question_entities._named"),
    "other names and assertions are few; what Signet indexes of them begins with the agent": (
        "ontology.archive_and_promote_assertions.restore_assertion", "ontology.merges._move_all",
        "ontology.forget_and_link_memories.take_mentions"),
    "Signet has no index on what a value or a link rests on": (
        "learning.retire_orphaned_values.resting_on",
        "ontology.memory_for_every_value._touched_values", "ontology.merges._move_aspects",
        "ontology.splits._move_aspect", "ontology.claim_versions._chain"),
    "the small Signet files of the tests keep no hash of a memory": (
        "ingest.remember._by_content",),
}
"""The same for Signet's files alone."""


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Recorder]:
    """By generation what core sends while all is asked and done."""
    return {kind: _record(tmp_path_factory.mktemp(kind), kind) for kind in KINDS}


def _record(folder: Path, kind: str) -> Recorder:
    recorder, path = Recorder(), indexed(folder, kind)
    with recorder.recording(), closing(
            Workspace.open(path, data_dir=folder / "data")) as workspace:
        ask_everything(workspace, kind)
    return recorder


@pytest.mark.parametrize("kind", KINDS)
def test_no_statement_reads_a_table_whose_size_is_not_asked_for(
    recorded: dict[str, Recorder], kind: str
) -> None:
    assert len(recorded[kind].sent) > 500, "what is asked is asked here"
    reasons = WHOLE if kind == "native" else WHOLE | WHOLE_OF_SIGNET
    allowed = {place for places in reasons.values() for place in places}
    assert [str(read) for read in recorded[kind].reads if read.place not in allowed] == []


def test_each_reason_to_read_a_whole_table_is_still_one(recorded: dict[str, Recorder]) -> None:
    reasons = {place for places in (WHOLE | WHOLE_OF_SIGNET).values() for place in places}
    assert reasons - {read.place for each in recorded.values() for read in each.reads} == set()


def test_a_coalesce_that_hides_an_index_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for planted in (False, True):
        if planted:
            monkeypatch.setitem(
                compat_views.MEANINGS, ("entities", "pinned"), "COALESCE(({real}), 0)")
        folder = tmp_path / str(planted)
        folder.mkdir()
        path = indexed(folder, "signet-071")
        recorder = Recorder()
        with recorder.recording(), closing(
                Workspace.open(path, data_dir=folder / "data")) as workspace, \
                workspace.read() as reader:
            assert resolve(reader, Signals(), TraversalSettings()).ids == ("e-anna",)
        places = {read.place for read in recorder.reads}
        assert ("traversal.focal_signals.pinned" in places) == planted


def indexed(folder: Path, kind: str) -> Path:
    """The world in a file of a generation, with all the indexes that it has in use."""
    path = folder / "graph.db"
    make(kind, path, folder / "data").close()
    if kind != "native":
        with closing(sqlite3.connect(path)) as connection, connection:
            add_indexes(connection, later=kind == "signet-071")
    return path


@pytest.mark.parametrize(("plan", "whole"), [
    (["SCAN e"], True), (["SCAN e USING COVERING INDEX by_name"], True),
    (["SEARCH e USING INDEX by_agent (agent_id=?)"], True),
    (["SEARCH e USING INDEX by_agent (agent_id=?)", "USE TEMP B-TREE FOR ORDER BY"], True),
    (["SEARCH e USING AUTOMATIC COVERING INDEX (name=?)"], True),
    (["SEARCH e USING INDEX by_name (agent_id=? AND name=?)"], False),
    (["SEARCH e USING INDEX sqlite_autoindex_entities_1 (id=?)"], False),
    (["SEARCH e USING INTEGER PRIMARY KEY (rowid=?)"], False),
    (["CO-ROUTINE e", "SCAN e"], False), (["SCAN f VIRTUAL TABLE INDEX 1:"], False)])
def test_what_counts_as_reading_a_whole_table(plan: list[str], whole: bool) -> None:
    assert bool(list(whole_reads(plan, {"e": {"entities"}, "f": {"entities"}}))) == whole


def test_a_page_along_an_index_is_no_whole_read() -> None:
    page = ["SEARCH e USING INDEX in_order (agent_id=?)"]
    assert not list(whole_reads(page, {"e": {"entities"}, "LIMIT": {"LIMIT"}}))
