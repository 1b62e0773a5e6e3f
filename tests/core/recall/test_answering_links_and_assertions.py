"""What the graph itself says answers a question: links, assertions, and what entities are."""

import pytest

from core.model.recall import Recall
from core.model.vocabulary import NAMED_ONLY
from core.ontology import control
from core.recall.config import RecallSettings
from core.recall.filters import Filters
from core.review import inbox_acts
from core.session.start import start
from core.settings import Settings, changed
from core.store.reader_and_writer import Reader
from core.traversal.focal_signals import Signals
from core.workspace import Workspace
from tests.core.graphs import Graph
from tests.core.recalling import NOW, WordAxes, answer

AT = "2026-03-02T09:00:00.000Z"
SLOW = changed(changed(Settings(), "recall", deadline_ms=60_000), "traversal", timeout_ms=60_000)


def harbour(made: Graph) -> None:
    """A ferry's office: who does what with what, and what people say of it."""
    for name, kind in (("Tide Desk", "system"), ("Ilse", "person"), ("Bruno", "person"),
                       ("quartz", "tool"), ("parsley", "tool"), ("lantern", "tool"),
                       ("night ferry", "project"), ("No smoking below", "policy")):
        made.entity(name, kind, id=name)
    made.link("Tide Desk", "quartz", "uses", id="quartz-link", reason="Cron lines are read by it")
    made.link("Tide Desk", "parsley", "uses", id="parsley-link", reason="Reads the tables")
    made.link("night ferry", "Ilse", "owned_by", id="owner")
    made.link("night ferry", "Tide Desk", "depends_on", id="needs")
    made.link("Tide Desk", "lantern", "depends_on", id="lamp")
    made.link("Bruno", "Tide Desk", "built", id="built", reason="In one wet winter")
    said(made, "brass", "night ferry", "believes", "The brass bell will go again", "Ilse")
    said(made, "late", "night ferry", "denies", "The timetable is late", "Bruno")
    for n in range(6):
        made.memory(f"The Tide Desk was painted for the {n}th time", "Tide Desk")


def said(made: Graph, id: str, entity: str, predicate: str, content: str, speaker: str, **columns):
    made._insert("epistemic_assertions", id=id, subject_entity_id=entity, predicate=predicate,
                 content=content, normalized_content=content.lower(), speaker=speaker,
                 asserted_at=AT, evidence="[]", confidence=0.8,
                 **{"status": "active", "created_by": "operator", **columns})


@pytest.fixture
def office(graph) -> Workspace:
    return graph(harbour)


def first(result: Recall) -> str:
    return result.lines[0].marked_text


ASKED = {
    "Which library does the Tide Desk use for cron?":
        "Link: Tide Desk uses quartz: Cron lines are read by it",
    "Who owns the night ferry?": "Link: night ferry is owned by Ilse",
    "Who made the Tide Desk?": "Link: Bruno built Tide Desk: In one wet winter",
    "What depends on the Tide Desk?": "Link: night ferry depends on Tide Desk",
    "What does the Tide Desk depend on?": "Link: Tide Desk depends on lantern",
    "What does Ilse believe?":
        "Assertion: Ilse believes about night ferry (2026-03-02): The brass bell will go again",
    "Who denies that the timetable is late?":
        "Assertion: Bruno denies about night ferry (2026-03-02): The timetable is late",
    "Is smoking below allowed?": "Entity: No smoking below is a policy",
    "What is parsley?": "Entity: parsley is a tool",
}


@pytest.mark.parametrize("question", ASKED)
def test_a_link_an_assertion_or_a_name_that_answers_comes_first(office, question) -> None:
    result = answer(office, question, embedder=WordAxes())
    assert result.fits
    assert first(result) == ASKED[question]


def test_each_line_says_what_it_is_how_it_was_found_and_where_it_stands(office) -> None:
    result = answer(office, "Which library does the Tide Desk use for cron?")
    line = result.lines[0]
    assert (line.kind, line.id, line.when[:4]) == ("link", "quartz-link", line.when[:4])
    assert "cron" in line.why
    assert 0 < line.score <= 1
    assert result.statements[0].entity_ids == ("Tide Desk", "quartz")
    assert {each.kind for each in result.lines} == {"link", "memory"}
    assert all(hit.kind == "memory" for hit in result.hits)


def films(made: Graph) -> None:
    """What files say in words of their own, with ends that only a link names."""
    for name, kind in (("Alice", "person"), ("Acme", "company"), ("Quiet Harbour", "note"),
                       ("Ida Holm", "unknown"), ("Per Lund", "unknown")):
        made.entity(name, kind, id=name)
    for source, words, target in (("Alice", "works at", "Acme"),
                                  ("Quiet Harbour", "director", "Ida Holm"),
                                  ("Quiet Harbour", "cast", "Per Lund")):
        made.link(source, target, "related_to", reason=words, source_kind="mcp")
    made.memory("Alice likes tea", "Alice")
    made.memory("Quiet Harbour, properties: year: 1982", "Quiet Harbour")


@pytest.mark.parametrize(("question", "told"), [
    ("Where does Alice work?", "Link: Alice works at Acme"),
    ("Who is Alice's employer?", "Link: Alice works at Acme"),
    ("Who directed Quiet Harbour?", "Link: Quiet Harbour director Ida Holm"),
    ("Who starred in Quiet Harbour?", "Link: Quiet Harbour cast Per Lund"),
])
def test_a_link_in_the_words_of_a_file_answers_those_who_ask_in_others(
    graph, question: str, told: str
) -> None:
    result = answer(graph(films), question, embedder=WordAxes())
    assert (result.fits, first(result)) == (True, told)


@pytest.mark.parametrize("question", ["Where does Alice live?", "Who built Quiet Harbour?"])
def test_a_link_in_the_words_of_a_file_is_no_answer_to_all(graph, question: str) -> None:
    result = answer(graph(films), question, embedder=WordAxes())
    assert all(line.kind != "link" for line in result.lines)


@pytest.mark.parametrize("question", ["Who is Alice?", "Tell me about Alice"])
def test_who_somebody_is_is_told_by_links_in_the_words_of_a_file(graph, question: str) -> None:
    result = answer(graph(films), question)
    assert {line.marked_text for line in result.lines} == {
        "Entity: Alice is a person", "Link: Alice works at Acme", "Alice likes tea"}


def test_links_in_words_of_their_own_are_one_line_only_with_the_same_words(graph) -> None:
    def fill(made: Graph) -> None:
        for name in ("Quiet Harbour", "Ida", "Per", "Bo", "Mia"):
            made.entity(name, "unknown", id=name)
        for words, target in (("cast", "Ida"), ("cast", "Per"), ("cast", "Bo"), ("genre", "Mia")):
            made.link("Quiet Harbour", target, "related_to", reason=words, source_kind="mcp")

    result = answer(graph(fill), "Tell me about Quiet Harbour")
    cast, genre = sorted(line.marked_text for line in result.lines)
    assert sorted(cast.removeprefix("Link: Quiet Harbour cast ").split(", ")) == [
        "Bo", "Ida", "Per"]
    assert genre == "Link: Quiet Harbour genre Mia"


def test_links_that_nothing_tells_apart_are_one_line(graph) -> None:
    def fill(made: Graph) -> None:
        made.entity("Tide Desk", "system", id="desk")
        for name in ("quartz", "parsley", "lantern"):
            made.entity(name, "tool", id=name)
            made.link("desk", name, "uses", id=f"uses {name}")

    [line] = answer(graph(fill), "Which tools does the Tide Desk use?").statements
    assert line.text.startswith("Tide Desk uses ")
    assert set(line.text.removeprefix("Tide Desk uses ").split(", ")) == {
        "quartz", "parsley", "lantern"}
    assert set(line.ids) == {"uses quartz", "uses parsley", "uses lantern"}


GONE = {
    "the link": ("entity_dependencies", "quartz-link", {"status": "archived"}),
    "its end": ("entities", "quartz", {"status": "archived"}),
    "its other end": ("entities", "Tide Desk", {"status": "archived"}),
}


@pytest.mark.parametrize("what", GONE)
def test_a_link_that_no_longer_holds_is_not_told(office, what) -> None:
    table, id, columns = GONE[what]
    office.write("archive", lambda writer: writer.update(table, id, **columns))
    result = answer(office, "Which library does the Tide Desk use for cron?")
    assert "quartz-link" not in [id for each in result.statements for id in each.ids]


@pytest.mark.parametrize("status", ["archived", "superseded"])
def test_an_assertion_that_is_no_longer_held_is_not_told(office, status) -> None:
    office.write("end", lambda writer: writer.update(
        "epistemic_assertions", "brass", status=status))
    for question in ("What does Ilse believe?", "What did Ilse believe before?"):
        assert "brass" not in [each.id for each in answer(office, question).statements]


def test_another_agents_links_and_assertions_are_not_told(office, tmp_path) -> None:
    office.write("theirs", lambda writer: [
        writer.update("entity_dependencies", "quartz-link", agent_id="other"),
        writer.update("epistemic_assertions", "brass", agent_id="other")])
    asked = [answer(office, question) for question in ASKED]
    assert not {"quartz-link", "brass"} & {
        id for result in asked for each in result.statements for id in each.ids}


def test_what_is_muted_is_told_only_when_it_is_named(office) -> None:
    office.write("mute", lambda w: control.apply(w, "mute_entity", {"entity": "quartz"}))
    told = answer(office, "Which library does the Tide Desk use for cron?").statements
    assert "quartz-link" not in [id for each in told for id in each.ids]
    told = answer(office, "What uses quartz for cron?").statements
    assert "quartz-link" in [id for each in told for id in each.ids]


def test_what_a_hand_asserts_that_is_held_back_waits_for_a_person(office) -> None:
    question = "What does Bruno think of the anchor?"
    office.write("look", inbox_acts.keep_all)
    office.write("say", lambda writer: said(
        Graph(writer, "2099-01-01T10:00:00.000Z"), "rust", "night ferry", "believes",
        "The anchor rusts", "Bruno", created_by="claude via MCP"))
    assert [each.id for each in answer(office, question).statements] == ["rust"]
    office.write("hold", lambda writer: inbox_acts.hold(writer, "Claude"))
    assert answer(office, question).statements == ()


def test_a_link_of_somebody_is_no_answer_to_each_question_about_them(office) -> None:
    result = answer(office, "Which shoe size has Bruno?", embedder=WordAxes())
    assert result.statements == ()
    assert not result.fits


def test_what_may_be_one_word_away_is_no_answer_to_when_and_where(office) -> None:
    assert answer(office, "When was the Tide Desk made?").statements == ()


def test_a_filter_of_memories_asks_for_no_links(office) -> None:
    result = answer(office, "Who owns the night ferry?", filters=Filters(types=("fact",)))
    assert result.statements == ()


def test_a_link_of_low_confidence_says_so(office) -> None:
    office.write("doubt", lambda w: w.update("entity_dependencies", "owner", confidence=0.3))
    assert first(answer(office, "Who owns the night ferry?")).startswith("Link (confidence 0.30):")


def test_the_memories_come_in_their_own_number_beside_them(office) -> None:
    asked = "Which library does the Tide Desk use for cron, and was it painted?"
    result = answer(office, asked, RecallSettings(deadline_ms=60_000, limit=3))
    assert len(result.hits) == 3
    assert result.considered == 6


def test_a_session_that_asks_is_told_the_link_that_answers(office) -> None:
    with office.read() as reader:
        text = started(reader, "Who owns the night ferry?")
        other = started(reader, "Which shoe size has Bruno?")
    assert "- Link: night ferry is owned by Ilse" in text
    assert "Link:" not in other


def started(reader: Reader, question: str) -> str:
    return start(reader, Signals(question), SLOW, WordAxes(), now=NOW).text


@pytest.mark.parametrize(("words", "told"), [
    ("works at", "Ann works at Mill"),
    ("Ann has run the Mill by the river", "Ann has run the Mill by the river"),
    ("the old owner has left it to her in May",
     "Ann is related to Mill: the old owner has left it to her in May"),
])
def test_a_link_that_a_file_calls_by_a_sentence_is_told_as_one(
    graph, words: str, told: str
) -> None:
    def fill(made: Graph) -> None:
        made.link(made.entity("Ann", "person"), made.entity("Mill"), "related_to", reason=words,
                  source_kind="mcp")
    [statement] = [each for each in answer(graph(fill), "Ann").statements if each.kind == "link"]
    assert statement.text == told


@pytest.mark.parametrize("question", [
    "kubectl", "What is kubectl?", "What do you know about kubectl?", "Describe kubectl"])
def test_of_what_only_links_know_all_links_are_told(graph, question: str) -> None:
    def fill(made: Graph) -> None:
        script = made.entity("provision.sh", "script")
        made.link(script, made.entity("kubectl", "unknown", description=NAMED_ONLY), "uses")
        made.link(script, made.entity("Helm", "tool"), "uses")
        made.memory("provision.sh runs every night", script)
        made.memory("Helm was painted", script)
    workspace = graph(fill)
    found = answer(workspace, question)
    assert found.fits
    assert [each.text for each in found.statements] == ["provision.sh uses kubectl"]
    assert found.about == ()
    assert not [each for each in answer(workspace, "provision.sh").statements
                if each.kind == "link"]


@pytest.mark.parametrize("kind", [" ", "\t", "_"])
def test_a_link_whose_type_has_no_words_is_told_as_related(graph, kind: str) -> None:
    def fill(made: Graph) -> None:
        made.entity("Vega", "project", id="Vega")
        made.entity("Deneb", "tool", id="Deneb")
        made.link("Vega", "Deneb", kind, id="odd")

    result = answer(graph(fill), "What do you know about Vega?")
    assert [line.marked_text for line in result.lines if "Link" in line.marked_text] == [
        "Link: Vega is related to Deneb"]
