"""What a session that begins with the walk must do, from remembering to the injected text."""

import json
from datetime import UTC, datetime, timedelta

from msgspec.structs import replace

from core.ingest.payload import read_many
from core.ingest.remember import remember
from core.queries import sessions
from core.store.reader_and_writer import stamp
from core.traversal.walk import walk
from tests.core.sessions import opened, recorded, value, vega

LONG_AGO = stamp(datetime.now(UTC) - timedelta(days=90))


def test_a_walk_that_runs_out_of_time_does_not_stop_a_session(tmp_path, monkeypatch):
    def out_of_time(reader, focal, settings, **told):
        return replace(walk(reader, focal, settings, **told), memories=(), timed_out=True)

    monkeypatch.setattr("core.session.start.walk", out_of_time)
    with opened(tmp_path, vega) as workspace:
        session = recorded(workspace, "s1")
        told = value(workspace, "SELECT metadata FROM automatic_changes")
    assert [each.source for each in session.candidates] == ["effective", "effective"]
    assert "- [Vega] never push to main" in session.text
    assert "ran out of time" in session.notes[0]
    assert json.loads(str(told))["traversal_timed_out"] is True


def test_facts_remembered_about_a_project_and_its_rules_come_into_its_sessions(tmp_path):
    facts = [{"content": f"Vega fact {number}", "importance": 0.1,
              "created_at": LONG_AGO, "structured": {"aspects": [{
                  "entityName": "Vega", "entityType": "project", "aspect": "build",
                  "attributes": [{"content": f"fact {number}", "claimKey": f"k{number}"}]}]}}
             for number in range(3)]
    rule = {"content": "Decision: never push directly to main", "type": "decision", "structured": {
        "aspects": [{"entityName": "Vega", "entityType": "project", "aspect": "rules",
                     "attributes": [{"content": "never push directly to main"}]}]}}
    with opened(tmp_path, lambda graph: None) as workspace:
        workspace.write("remember", lambda w: [
            remember(w, told) for told in read_many([*facts, rule])])
        session = recorded(workspace, "s1")
        with workspace.read() as reader:
            sources = {each.content: each.source
                       for each in sessions.session_memories(reader, "s1")}
    assert "## Active Constraints" in session.text
    assert "- [Vega] never push directly to main" in session.text
    assert {sources[told["content"]] for told in facts} == {"ka_traversal"}
