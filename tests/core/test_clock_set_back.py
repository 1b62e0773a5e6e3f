"""A clock that ran ahead and was set back: what was written meanwhile has times yet to come."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from core.ingest.payload import Remembered
from core.ingest.remember import remember
from core.model.claims_and_assertions import Slot
from core.model.times import later
from core.past.compared_states import last_visit, note_visit
from core.queries.claims import versions
from core.review.inbox_acts import hold, keep_all
from core.review.unseen_writes_inbox import inbox
from core.session.servers_and_clients import visits
from core.store import asked_log_and_visits, reader_and_writer
from core.store.reader_and_writer import Writer, stamp
from core.workspace import Workspace
from tests.contracts.files import make

AHEAD = stamp(datetime.now(UTC) + timedelta(days=400))

TIDE = Remembered.read({"content": "The tide turns at two"})


def say(value: str) -> dict[str, object]:
    return {"content": f"Harbor Ledger starts at {value}", "structured": {"aspects": [{
        "entityName": "Harbor Ledger", "aspect": "Schedule", "attributes": [
            {"groupKey": "nightly", "claimKey": "start_time", "content": value}]}]}}


@pytest.fixture(params=["native", "signet-071"])
def workspace(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Workspace]:
    made = make(request.param, tmp_path / "graph.db", tmp_path / "data")
    yield made
    made.close()


def ahead(writer: Writer) -> None:
    writer.update("entity_attributes", "v-seven", created_at=AHEAD, updated_at=AHEAD)


def test_what_is_said_now_holds_though_the_value_before_it_is_dated_later(
    workspace: Workspace
) -> None:
    workspace.write("Set", ahead)
    workspace.write("Remember", lambda w: remember(w, Remembered.read(say("nine"))))
    with workspace.read() as reader:
        in_force = reader.rows("SELECT content FROM entity_attributes WHERE status = 'active'"
                               " AND claim_key = 'start_time' AND agent_id = :agent")
        assert [row["content"] for row in in_force] == ["nine"]
        slot = Slot("e-harbor", "a-schedule", "attribute", "nightly", "start_time")
        spans = [span for one in versions(reader, slot) for span in one.spans if span.until]
        assert spans
        assert not any(later(span.since, span.until) for span in spans)


@pytest.mark.parametrize("values", [("nine", "ten"), ("eight", "nine", "ten")])
def test_as_of_now_shows_one_value_in_force_though_others_are_dated_later(
    workspace: Workspace, values: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    *early, last = values
    with monkeypatch.context() as clock:
        clock.setattr(reader_and_writer, "stamp", lambda *_moment: AHEAD)
        for value in early:
            workspace.write("Remember", lambda w, v=value: remember(w, Remembered.read(say(v))))
    workspace.write("Remember", lambda w: remember(w, Remembered.read(say(last))))
    with workspace.read_as_of(datetime.now(UTC)) as reader:
        in_force = reader.rows("SELECT content FROM entity_attributes WHERE status = 'active'"
                               " AND claim_key = 'start_time' AND agent_id = :agent")
        assert [row["content"] for row in in_force] == [last]


def test_what_an_agent_writes_is_in_the_inbox_though_one_looked_at_a_later_time(
    workspace: Workspace
) -> None:
    workspace.write("Look", lambda w: w.insert("inbox_since", agent_id="default", since=AHEAD))
    workspace.write("Remember", lambda w: remember(w, TIDE), actor="claude-code")
    with workspace.read() as reader:
        assert [one.text for one in inbox(reader).items][:1] == ["The tide turns at two"]
    workspace.write("Hold", lambda w: hold(w, "claude-code"))
    with workspace.read() as reader:
        assert inbox(reader).items[0].waits
    workspace.write("Keep", keep_all)
    with workspace.read() as reader:
        assert inbox(reader).items == ()


def test_a_visit_and_an_open_door_of_a_later_time_are_none(workspace: Workspace) -> None:
    note_visit(workspace)
    workspace.sidecar.remember("visited by default", AHEAD)
    visited = last_visit(workspace)
    assert visited is not None
    assert visited <= datetime.now(UTC)
    asked_log_and_visits.put_visit(workspace.sidecar, "1-a", "default", AHEAD, ("", "MCP", ""))
    assert visits(workspace.sidecar) == ((), ())
