"""Each kind of finding is found where it is, and only there, with the operation that mends it."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from weakref import WeakSet

import pytest

from core.errors import OperationError
from core.health import doubtful_values
from core.health.config import HealthSettings
from core.health.finding import Finding, Rules
from core.health.kinds import KINDS
from core.health.mend import mend
from core.health.report import Report, _counted, report
from core.ontology.operation_catalog import CATALOG
from core.transfer.mcp_import import import_mcp
from core.workspace import Workspace
from tests.core.graphs import Graph
from tests.core.transfer.imported import read_file

LONG_AGO = "2020-01-01T00:00:00.000Z"


def read(workspace: Workspace, *kinds: str, **health: object) -> Report:
    with workspace.read() as reader:
        return report(reader, Rules(health=HealthSettings(**health)), kinds=kinds)


def one(workspace: Workspace, kind: str, **health: object) -> Finding:
    [finding] = read(workspace, kind, **health).findings
    return finding


def texts(workspace: Workspace, kind: str, **health: object) -> list[str]:
    return [finding.text for finding in read(workspace, kind, **health).findings]


class _Found:
    """As much of a finding as counting needs."""

    def __init__(self, id: str) -> None:
        self.id = id


def test_findings_beyond_the_limit_are_counted_and_not_held() -> None:
    held, most = WeakSet[_Found](), list[int]()

    def find() -> Iterator[_Found]:
        for number in range(100):
            one = _Found(f"f{number}")
            held.add(one)
            most.append(len(held))
            yield one

    given, count, left = _counted(find(), 3, {"f1", "f90"})  # type: ignore[arg-type]
    assert [one.id for one in given] == ["f0", "f2", "f3"]
    assert (count, left) == (98, 2)
    assert max(most) <= 5


def known(g: Graph, name: str, entity_type: str = "project") -> str:
    """An entity of which a fact is known; returns the id of the fact's aspect."""
    aspect = g.aspect(g.entity(name, entity_type, mentions=3), "place")
    g.value(aspect, f"{name} stands in the old harbor", "place")
    return aspect


Make = Callable[..., Workspace]


def test_a_sound_graph_has_no_findings(graph: Make) -> None:
    workspace = graph(lambda g: [known(g, "Harbor Ledger"), known(g, "Tidewatch")])
    with workspace.read() as reader:
        result = report(reader, kinds=[kind for kind in KINDS if kind != "missing_source"])
    assert result.findings == ()
    assert not any(result.counts.values())


def test_a_general_word_is_no_name_and_is_archived(graph: Make) -> None:
    workspace = graph(lambda g: known(g, "The", "concept"))
    finding = one(workspace, "suspicious_name")
    assert finding.entity_name == "The"
    assert finding.fix is not None
    assert finding.fix.operation == "archive_entity"


def test_marks_of_formatting_are_taken_off_unless_the_name_is_taken(graph: Make) -> None:
    workspace = graph(lambda g: [known(g, "**Tidewatch**"), known(g, "`Ledger`"),
                                 known(g, "Ledger")])
    fixes = {finding.entity_name: finding.fix
             for finding in read(workspace, "suspicious_name").findings}
    assert fixes["`Ledger`"] is None
    assert fixes["**Tidewatch**"] is not None
    assert fixes["**Tidewatch**"].payload["new_name"] == "Tidewatch"


def test_a_pinned_name_is_a_persons_choice(graph: Make) -> None:
    workspace = graph(lambda g: g.entity("Notes", pinned=1))
    assert one(workspace, "suspicious_name").fix is None


def test_names_that_differ_in_punctuation_are_one_at_the_usual_strictness(graph: Make) -> None:
    def fill(g: Graph) -> None:
        g.entity("Harbor-Ledger", mentions=2)
        g.entity("harbor_ledger", mentions=9)
        g.entity("Harbor Light")

    finding = one(graph(fill), "duplicate_entities")
    assert finding.entity_name == "harbor_ledger", "the one that is mentioned most stays"
    assert "punctuation" in finding.text
    assert finding.fix is not None
    assert finding.fix.operation == "merge_entities"


def test_another_attribute_of_the_same_place_yields_to_the_newer(graph: Make) -> None:
    def fill(g: Graph) -> None:
        aspect = g.aspect(g.entity("Tidewatch"), "release")
        g.value(aspect, "Version 2 is out", "version", created_at=LONG_AGO, id="old")
        g.value(aspect, "Version 3 is out", "version", id="new")

    finding = one(graph(fill), "two_values")
    assert finding.fix is not None
    assert finding.fix.payload["attribute_id"] == "old"
    assert finding.fix.payload["superseded_by"] == "new"


def test_an_attribute_yields_to_the_constraint_beside_it(graph: Make) -> None:
    def fill(g: Graph) -> None:
        aspect = g.aspect(g.entity("Tidewatch"), "release")
        g.value(aspect, "Never release on Fridays", "window", id="rule", kind="constraint",
                created_at=LONG_AGO)
        g.value(aspect, "Releases go out any day", "Window", id="fact")

    workspace = graph(fill)
    finding = one(workspace, "two_values")
    assert "constraint" in finding.text
    workspace.write("mend", lambda writer: mend(writer, [finding]))
    with workspace.read() as reader:
        assert reader.rows("SELECT id FROM entity_attributes WHERE status = 'active'"
                           " AND agent_id = :agent")[0]["id"] == "rule"
    assert texts(workspace, "two_values") == []


def test_a_contradiction_by_words_is_found_with_what_replaces_it(graph: Make) -> None:
    def fill(g: Graph) -> None:
        aspect = g.aspect(g.entity("Tidewatch"), "deploy")
        g.value(aspect, "Deploys run on Kubernetes", "where", created_at=LONG_AGO)
        g.value(aspect, "Deploys no longer run on Kubernetes", "where")

    workspace = graph(fill)
    finding = one(workspace, "contradiction")
    assert finding.severity == "error"
    assert finding.fix is not None
    assert finding.fix.operation == "supersede_claim_value"
    assert texts(workspace, "two_values") == [], "nothing is told twice"


def test_a_value_that_is_there_twice_is_told_once(graph: Make) -> None:
    def fill(g: Graph) -> None:
        aspect = g.aspect(g.entity("Tidewatch"), "crew")
        for _ in range(3):
            g.value(aspect, "Mara keeps the watch")

    workspace = graph(fill)
    findings = read(workspace, "duplicate_values").findings
    assert len(findings) == 2
    assert "3 times" in findings[0].text


def test_an_entity_nothing_leads_to_can_go_and_one_that_is_used_stays(graph: Make) -> None:
    def fill(g: Graph) -> None:
        g.entity("Husk")
        g.entity("Pinned husk", pinned=1)
        g.entity("Chapter 3", "source_document")
        g.entity("Write the log", "task")
        linked, other = g.entity("Linked"), g.entity("Mentioned")
        known_aspect = known(g, "Tidewatch")
        assert known_aspect
        g.link(linked, other)

    fixes = {finding.entity_name: finding.fix for finding in
             read(graph(fill), "no_facts").findings}
    assert set(fixes) == {"Husk", "Linked", "Mentioned"}
    assert fixes["Husk"] is not None
    assert fixes["Husk"].operation == "archive_entity"
    assert fixes["Linked"] is None


def test_a_catch_all_aspect_is_named(graph: Make) -> None:
    def fill(g: Graph) -> None:
        owner = g.entity("Tidewatch")
        g.aspect(owner, "General")
        g.value(g.aspect(owner, "crew"), "Mara keeps the watch")

    finding = one(graph(fill), "generic_aspect")
    assert finding.fix is not None
    assert finding.fix.operation == "archive_aspect"


def test_what_has_more_parts_than_it_may_is_told_with_its_number(graph: Make) -> None:
    def fill(g: Graph) -> None:
        full, lean = g.entity("Full"), g.entity("Lean")
        for number in range(11):
            g.aspect(full, f"side {number}")
        aspect = g.aspect(lean, "log")
        for number in range(27):
            g.value(aspect, f"Entry number {number} of the log", importance=number / 100)

    workspace = graph(fill)
    assert "11 aspects" in one(workspace, "aspect_over_cap").text
    values = texts(workspace, "attribute_over_cap")
    assert len(values) == 2
    assert "27 values" in values[0]
    assert any("number 0 " in text for text in values), "the least important are named"


def test_related_to_is_reported_where_it_is_weak_or_gives_no_reason(graph: Make) -> None:
    def fill(g: Graph) -> None:
        one, other, third = g.entity("Alpha"), g.entity("Beta"), g.entity("Gamma")
        g.link(one, other, "related_to", strength=0.2, reason="met once")
        g.link(one, third, "related_to", strength=0.9, reason="met often")
        g.link(other, third, "uses", strength=0.1)

    workspace = graph(fill)
    finding = one(workspace, "weak_related_to")
    assert "Beta" in finding.text
    assert finding.fix is not None
    assert finding.fix.operation == "archive_link"
    assert texts(workspace, "unexplained_related_to") == []


def test_an_open_task_past_its_date_is_over(graph: Make) -> None:
    def fill(g: Graph) -> None:
        for name, status, due in (("Paint the boat", "open", LONG_AGO),
                                  ("Sell the boat", "done", LONG_AGO),
                                  ("Buy a boat", "open", "2999-01-01T00:00:00.000Z")):
            task = g.entity(name, "task")
            g.writer.insert("task_meta", entity_id=task, agent_id=g.writer.agent, status=status,
                            expires_at=due, updated_at=g.at)

    assert one(graph(fill), "expired_task").entity_name == "Paint the boat"


def test_only_an_unsure_value_grows_stale(graph: Make) -> None:
    def fill(g: Graph) -> None:
        aspect = g.aspect(g.entity("Tidewatch"), "crew")
        g.value(aspect, "Perhaps Mara", confidence=0.2, updated_at=LONG_AGO)
        g.value(aspect, "Surely Ilan", confidence=0.9, updated_at=LONG_AGO)
        g.value(aspect, "Perhaps Noa", confidence=0.2)

    assert "Perhaps Mara" in one(graph(fill), "stale_value").text


def test_values_without_group_claim_or_source_are_counted(graph: Make) -> None:
    def fill(g: Graph) -> None:
        aspect = g.aspect(g.entity("Tidewatch"), "crew")
        memory = g.memory("Mara keeps the watch")
        g.value(aspect, "Mara keeps the watch", "watch", memory_id=memory)
        g.value(aspect, "Ilan keeps the log", "", group="", memory_id=memory)
        g.value(aspect, "Noa keeps the keys", "keys")

    workspace = graph(fill)
    lacking = [one(workspace, kind) for kind in ("missing_group", "missing_claim")]
    assert all("Ilan" in finding.text for finding in lacking)
    workspace.write("mend", lambda writer: mend(writer, lacking))
    assert texts(workspace, "missing_group") == texts(workspace, "missing_claim") == []
    with workspace.read() as reader:
        assert reader.value("SELECT claim_key FROM entity_attributes WHERE agent_id = :agent"
                            " AND content LIKE 'Ilan%'") == "ilan_keeps_the_log"
    assert "Noa" in one(workspace, "missing_source").text


def test_of_values_that_lack_something_only_those_given_are_made(
    graph: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A graph of 120,000 values without a source took 230 MB more while its report was made."""
    made: list[Finding] = []

    def noted(*given: Any) -> Finding:
        made.append(Finding(*given))
        return made[-1]

    def fill(g: Graph) -> None:
        aspect = g.aspect(g.entity("Tidewatch"), "crew")
        for number in range(9):
            g.value(aspect, f"Name {number}", f"name {number}")

    workspace = graph(fill)
    whole = read(workspace, "missing_source")
    assert whole.counts == {"missing_source": 9}
    monkeypatch.setattr(doubtful_values, "Finding", noted)
    with workspace.read() as reader:
        left = {"missing_source": {whole.findings[1].id, whole.findings[8].id}}
        some = report(reader, kinds=["missing_source"], limit=2, left=left)
    assert some.findings == (whole.findings[0], whole.findings[2]) == tuple(made)
    assert (some.counts, some.left) == ({"missing_source": 7}, 2)


def test_what_belongs_to_nothing_is_an_error(graph: Make) -> None:
    workspace = graph(lambda g: g.writer.insert(
        "entity_attributes", id="lost", agent_id="default", aspect_id=None, kind="attribute",
        content="Nobody knows whose", normalized_content="nobody knows whose", group_key="general",
        created_at=g.at, updated_at=g.at))
    finding = one(workspace, "dangling_id")
    assert finding.severity == "error"
    assert finding.fix is not None
    assert finding.fix.operation == "archive_claim_value"


def test_another_agents_rows_are_not_reported(graph: Make) -> None:
    workspace = graph(lambda g: [known(g, "The", "concept"), g.entity("Husk")], agent="ada")
    workspace.agent = "default"
    assert read(workspace).findings == ()


def test_what_is_cut_off_is_said_and_counted_whole(graph: Make) -> None:
    workspace = graph(lambda g: [g.entity(f"Husk {n}") for n in "abc"])
    with workspace.read() as reader:
        result = report(reader, kinds=["no_facts"], limit=2)
    assert (len(result.findings), result.counts, result.partial) == (
        2, {"no_facts": 3}, ("no_facts",))


def test_a_finding_left_as_it_is_is_not_reported_again(graph: Make) -> None:
    workspace = graph(lambda g: [g.entity("Husk a"), g.entity("Husk b")])
    first = read(workspace, "no_facts").findings[0]
    with workspace.read() as reader:
        rest = report(reader, kinds=["no_facts"], left={first.kind: {first.id}})
    assert [finding.entity_name for finding in rest.findings] == ["Husk b"]


def test_a_kind_that_there_is_not_is_refused_with_the_nearest(graph: Make) -> None:
    with graph(lambda g: None).read() as reader, pytest.raises(OperationError, match="no_fact"):
        report(reader, kinds=["no_fact"])


def test_every_fix_is_an_operation_of_the_catalogue(graph: Make) -> None:
    def fill(g: Graph) -> None:
        known(g, "The", "concept")
        known(g, "**Tidewatch**")
        known(g, "Tidewatch")
        g.entity("Husk")

    for finding in read(graph(fill)).findings:
        if finding.fix is not None:
            CATALOG[finding.fix.operation].fields.require_known(finding.fix.payload)


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_says_what_it_finds(kind: str) -> None:
    assert KINDS[kind].title[0].isupper()
    assert KINDS[kind].summary.endswith(".")


def test_a_memory_that_names_an_entity_can_be_linked_with_it(graph: Make) -> None:
    """Semantics of signet.md n.7.1: one candidate with its words, and nothing is written."""
    def fill(g: Graph) -> None:
        harbor = g.entity("Harbor Ledger")
        g.entity("Night")
        g.memory("The Harbor Ledger keeps its books by hand", id="said")
        g.memory("At night the harbor ledger rests", id="small")
        g.memory("Harbor Ledger was paid", harbor, id="linked")

    workspace = graph(fill)
    finding = one(workspace, "mention_candidate")
    assert finding.text == "“The Harbor Ledger keeps its books by hand” names “Harbor Ledger”"
    assert finding.fix is not None
    assert dict(finding.fix.payload) | {"entity": ""} == {
        "memory_id": "said", "entity": "", "mention_text": "Harbor Ledger"}
    workspace.write("mend", lambda writer: mend(writer, [finding]))
    assert texts(workspace, "mention_candidate") == []
    workspace.undo()
    assert texts(workspace, "mention_candidate") == [finding.text]


def test_a_first_name_that_several_have_is_no_certain_mention(graph: Make) -> None:
    def fill(made: Graph) -> None:
        made.entity("katrin", "person", id="short")
        made.entity("Katrin Brandt", "person", id="full")
        made.entity("vega", "project", id="vega")
        made.entity("Vega Dashboard", "project", id="dashboard")
        made.memory("Katrin's sister lives in Bonn")
        made.memory("Katrin likes the Olive Garden", "full")
        made.memory("Vega ships on Monday")

    workspace = graph(fill)
    findings = read(workspace, "mention_candidate").findings
    assert {(each.entity_id, each.fix is None) for each in findings} == {
        ("short", True), ("vega", False)}
    assert [each.text for each in findings if each.fix is None] == [
        "“Katrin's sister lives in Bonn” names “katrin” or “Katrin Brandt”"]


def test_a_name_that_a_note_writes_as_a_link_is_no_unlinked_mention(
    graph: Make, tmp_path: Path
) -> None:
    workspace = graph(lambda g: g.entity("Harbor Ledger"))
    note = tmp_path / "Mia.md"
    note.write_text("Mia opened the [[Harbor Ledger]].\n\n- Mia likes Tidewatch Station\n")
    (tmp_path / "Tidewatch Station.md").write_text("- is old\n")
    workspace.write("import", lambda writer: import_mcp(writer, read_file(tmp_path)))
    assert [each.split(" names ")[1] for each in texts(workspace, "mention_candidate")] == [
        "“Tidewatch Station”"]


def test_relations_are_offered_for_adoption_where_there_are_no_links(graph: Make) -> None:
    def fill(g: Graph) -> None:
        harbor = g.entity("Harbor Ledger")
        for number in range(12):
            g.writer.insert(
                "relations", id=f"r{number}", source_entity_id=harbor, created_at=g.at,
                target_entity_id=g.entity(f"Berth {number}"),
                relation_type="moors at" if number else "uses")

    workspace = graph(fill)
    finding = one(workspace, "unadopted_relations")
    assert finding.text.startswith("12 relations")
    workspace.write("mend", lambda writer: mend(writer, [finding]))
    with workspace.read() as reader:
        links = reader.rows("SELECT dependency_type, reason FROM entity_dependencies"
                            " WHERE agent_id = :agent")
    assert sorted(row["dependency_type"] for row in links) == ["related_to"] * 11 + ["uses"]
    assert all("moors at" in row["reason"] for row in links if row[0] == "related_to")
    assert texts(workspace, "unadopted_relations") == []
    workspace.undo()
    assert one(workspace, "unadopted_relations").id == finding.id


def test_memories_that_were_not_searched_are_said(graph: Make) -> None:
    workspace = graph(lambda g: [g.memory("One memory"), g.memory("Two memories")])
    assert read(workspace, "mention_candidate", memories=1).partial == ("mention_candidate",)
    assert read(workspace, "mention_candidate", memories=2).partial == ()


def test_names_are_found_in_each_of_many_memories_and_over_no_border(graph: Make) -> None:
    def fill(g: Graph) -> None:
        g.entity("Harbor Ledger")
        for number in range(45):
            g.memory(f"Ｎumber {number}: the Harbor Ledger" if number % 9 == 0 else
                     f"Ledger {number} at the Harbor", id=f"m{number:02}")

    findings = read(graph(fill), "mention_candidate").findings
    assert sorted(str(one.fix.payload["memory_id"]) for one in findings if one.fix) == [
        "m00", "m09", "m18", "m27", "m36"]
    assert all("Harbor Ledger" in one.text.split("names")[0] for one in findings)


def test_a_fact_whose_review_date_is_reached_is_to_be_confirmed(graph: Make) -> None:
    def fill(g: Graph) -> None:
        aspect = g.aspect(g.entity("Tidewatch"), "crew")
        for id, day in (("due", "2020-01-01"), ("later", "2999-01-01")):
            g.value(aspect, f"{id} keeps the watch", id, id=id)
            g.writer.insert("claim_reviews", id=id, agent_id="default", review_after=day,
                            set_by="you", updated_at=g.at)

    workspace = graph(fill)
    finding = one(workspace, "review_due")
    assert "1 Jan 2020" in finding.text
    workspace.write("mend", lambda writer: mend(writer, [finding]))
    assert texts(workspace, "review_due") == []
    workspace.undo()
    assert texts(workspace, "review_due") == [finding.text]


def test_observations_need_no_key(graph: Make) -> None:
    workspace = graph(lambda g: g.value(
        g.aspect(g.entity("Tidewatch"), "observations"), "Opens at eight"))
    assert texts(workspace, "missing_claim") == []


def test_what_is_pinned_or_of_another_type_is_said_before_it_is_merged(graph: Make) -> None:
    def fill(g: Graph) -> None:
        g.entity("Tide API", "tool", pinned=1, mentions=5)
        g.entity("tide-api", "project", pinned=1)

    workspace = graph(fill)
    finding = one(workspace, "duplicate_entities")
    assert "their types are project, tool" in finding.text
    assert "“tide-api” is pinned, too" in finding.text
    workspace.write("mend", lambda writer: mend(writer, [finding]))
    assert texts(workspace, "duplicate_entities") == []


@pytest.mark.parametrize(("older", "newer", "told"), [
    ("Daily meeting at 9:15", "Daily meeting at 9:30", True),
    ("Budget 380,000 euro", "Budget 420,000 euro", True),
    ("Deadline 15 March", "deadline: 20 April", True),
    ("Server on port 8080", "Server on port 9090", True),
    ("Team of 5 people", "Team of 7 people", True),
    ("Sprint 12 went well", "Sprint 13 went well", False),
    ("Uses Python 3.11 and Qt 6.8", "Uses Python 3.12 and Qt 6.9", False),
    ("Daily meeting at 9:15", "Weekly meeting at 9:30", False),
    ("Daily meeting at 9:15", "daily meeting, at 9:15", False),
])
def test_facts_that_differ_in_one_number_are_told_for_review(
    graph: Make, older: str, newer: str, told: bool
) -> None:
    def fill(g: Graph) -> None:
        about = g.aspect(g.entity("Tidewatch"), "observations")
        g.value(about, newer, None, id="new")
        g.value(about, older, None, id="old", created_at=LONG_AGO)

    workspace = graph(fill)
    assert [finding.rows for finding in read(workspace, "other_number").findings] == [
        ("old", "new")] * told
    if told:
        workspace.write("mend", lambda writer: mend(writer, [one(workspace, "other_number")]))
        assert texts(workspace, "other_number") == []


def test_a_series_of_numbers_and_values_of_claims_are_not_told(graph: Make) -> None:
    def fill(g: Graph) -> None:
        about = g.aspect(g.entity("Tidewatch"), "observations")
        for minute in (15, 30, 45):
            g.value(about, f"Restarted at 9:{minute}", None)
        for claim, time in (("start", "9:15"), ("end", "9:30")):
            g.value(about, f"Daily meeting at {time}", claim)
        other = g.aspect(g.entity("Ferry"), "observations")
        g.value(other, "Restarted at 9:15", None)

    assert texts(graph(fill), "other_number") == []


def test_umlauts_that_are_spelled_out_are_told_in_names_and_in_facts(graph: Make) -> None:
    def fill(g: Graph) -> None:
        for name in ("Jörg Weiß", "Joerg Weiss", "Jorge Weiss", "Josef Weiss"):
            g.aspect(g.entity(name, "person"), "about")
        about = g.aspect(g.entity("Mia"), "observations")
        for text in ("Wohnt in der Hauptstraße", "wohnt in der Hauptstrasse.",
                     "Wohnt in der Hauptstadt", "Übt C++", "Übt C", "Übt C#", "Übt bei -5 °C",
                     "Übt bei 5 °C"):
            g.value(about, text, None)

    workspace = graph(fill)
    assert [finding.text for finding in read(workspace, "duplicate_entities").findings] == [
        "“Jörg Weiß” and “Joerg Weiss” have the same words in another order, form or spelling"]
    assert texts(workspace, "other_spelling") == [
        "observations: “Wohnt in der Hauptstraße” and “wohnt in der Hauptstrasse.” say the same"]
