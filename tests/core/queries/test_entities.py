"""Lists, search, selectors and details of entities (upstream's list tests, native file)."""

import sqlite3

import pytest
from msgspec.structs import replace

from core.errors import OperationError
from core.model.vocabulary import NAMED_ONLY
from core.queries import entities, stats
from core.queries.entity_search import snippet
from core.queries.neighborhood import neighborhood
from core.review.proposal_queue import pending_of
from core.transfer.exported_graph import exported_graph
from core.workspace import Workspace
from tests.core.graphs import Graph, build


@pytest.fixture
def make(tmp_path):
    """Builds a graph and gives a Reader of it; `make(fill)`."""
    opened = []

    def run(fill, agent="default"):
        workspace = build(tmp_path / f"g{len(opened)}.db", fill, agent=agent)
        context = workspace.read()
        opened.append((workspace, context))
        return context.__enter__()

    yield run
    for workspace, context in opened:
        context.__exit__(None, None, None)
        workspace.close()


def names(reader, **filters):
    return [row.name for row in entities.list_entities(reader, **filters)]


def test_order_is_pinned_then_pin_time_then_mentions_then_change_then_name(make):
    def fill(graph):
        graph.entity("b", mentions=3, updated_at="2026-01-02")
        graph.entity("a", mentions=3, updated_at="2026-01-02")
        graph.entity("c", mentions=3, updated_at="2026-01-03")
        graph.entity("most", mentions=9)
        graph.entity("pinned early", pinned=1, pinned_at="2026-01-01")
        graph.entity("pinned late", pinned=1, pinned_at="2026-01-02")

    reader = make(fill)
    order = ["pinned late", "pinned early", "most", "c", "a", "b"]
    assert names(reader) == order
    assert names(reader, limit=2, offset=1) == order[1:3]
    assert [row.name for row in entities.pinned_entities(reader)] == order[:2]


def test_filters_by_type_status_and_pin_and_counts_agree(make):
    def fill(graph):
        graph.entity("a", "tool")
        graph.entity("b", "person", pinned=1, pinned_at="2026-01-01")
        graph.entity("c", "tool", status="archived")

    reader = make(fill)
    cases = [({}, ["b", "a"]), ({"types": ["tool"]}, ["a"]), ({"types": ["tool", "person"]},
             ["b", "a"]), ({"status": "archived"}, ["c"]), ({"status": "all"}, ["b", "a", "c"]),
             ({"pinned_only": True}, ["b"]), ({"types": ["nothing"]}, [])]
    for filters, expected in cases:
        assert names(reader, **filters) == expected, filters
        assert entities.count_entities(reader, **filters) == len(expected), filters
    assert stats.type_counts(reader) == {"person": 1, "tool": 1}


def test_another_agents_entities_are_never_seen(make, tmp_path):
    def fill(graph):
        graph.entity("mine")
        other = graph.entity("theirs", agent_id="atlas")
        graph.alias(other, "their alias", agent_id="atlas")
        aspect = graph.aspect(other, "x", agent_id="atlas")
        graph.value(aspect, "their fact", agent_id="atlas")

    reader = make(fill)
    theirs = reader.value("SELECT id FROM entities WHERE agent_id = 'atlas'")
    assert names(reader) == ["mine"]
    assert names(reader, text="their") == []
    assert entities.count_entities(reader, text="their") == 0
    assert entities.get_entity(reader, theirs) is None
    assert entities.entities_by_id(reader, [theirs]) == {}
    with pytest.raises(OperationError):
        entities.find_entity(reader, theirs)
    assert [(agent.id, agent.entities) for agent in stats.list_agents(reader)] == [
        ("atlas", 1), ("default", 1)]


@pytest.fixture
def library(make):
    def fill(graph):
        ledger = graph.entity("Harbor Ledger", mentions=9)
        plan = graph.entity("Ledger", mentions=1)
        run = graph.entity("Night Run", "workflow")
        graph.entity("Дежурство")
        graph.entity("名前のない当番")
        graph.entity("🚀 Launch_day 50%")
        graph.alias(plan, "Bookkeeping")
        graph.alias(run, "Old name", status="archived")
        aspect = graph.aspect(run, "schedule")
        graph.value(aspect, "Starts after the ledger was closed, at two in the morning")
        graph.value(aspect, "Formerly on Sundays", status="superseded")
        graph.value(aspect, "当番は毎週交代する")
        hidden = graph.aspect(ledger, "gone", status="archived")
        graph.value(hidden, "An unreachable fact")

    return make(fill)


@pytest.mark.parametrize(("text", "expected"), [
    ("ledger", ["Ledger", "Harbor Ledger", "Night Run"]),
    ("LEDG", ["Harbor Ledger", "Ledger", "Night Run"]),
    ("harb led", ["Harbor Ledger"]),
    ("edger", []),
    ("bookk", ["Ledger"]),
    ("old name", []),
    ("morning starts", ["Night Run"]),
    ("sundays", []),
    ("unreachable", []),
    ("деж", ["Дежурство"]),
    ("ДЕЖУР", ["Дежурство"]),
    ("当番", ["名前のない当番", "Night Run"]),
    ("🚀", ["🚀 Launch_day 50%"]),
    ("50%", ["🚀 Launch_day 50%"]),
    ("%", ["🚀 Launch_day 50%"]),
    ("Launch_d", ["🚀 Launch_day 50%"]),
    ("Lau_ch", []),
    ('har"bor OR NEAR(', []),
    ("*", []),
    ("name:harbor", []),
    ("\0", ["Harbor Ledger", "Ledger", "Night Run", "Дежурство", "名前のない当番",
            "🚀 Launch_day 50%"]),
])
def test_search_finds_the_words_in_names_aliases_and_facts(library, text, expected):
    assert names(library, text=text) == expected
    assert entities.count_entities(library, text=text) == len(expected)


def test_search_pages_go_on_from_names_to_facts(library):
    every = names(library, text="ledger")
    pages = [names(library, text="ledger", limit=1, offset=n) for n in range(4)]
    assert [name for page in pages for name in page] == every
    assert names(library, text="ledger", limit=2, offset=1) == every[1:3]
    assert names(library, text="ledger", types=["workflow"]) == ["Night Run"]


def test_the_matched_fact_is_told_only_where_no_name_matched(library):
    found = {row.name: row.fact for row in entities.list_entities(library, text="ledger")}
    assert found["Harbor Ledger"] == found["Ledger"] == ""
    assert "ledger was closed" in found["Night Run"]


def test_a_snippet_shows_the_match_within_a_long_text():
    long = "word " * 5000 + "needle in the hay " + "word " * 5000
    found = snippet(long, ("needle",))
    assert "needle" in found
    assert found.startswith("…")
    assert found.endswith("…")
    assert len(found) < 160
    assert snippet("two\nlines", ("x",)) == "two lines"


def test_a_snippet_shows_the_place_where_most_of_the_words_stand():
    long = "the bank " + "word " * 500 + "a bank that settles at night " + "word " * 500
    assert "a bank that settles at night" in snippet(long, ("bank", "settles", "night"))
    assert snippet(long, ("bank", "zzz")).startswith("the bank")


def test_what_is_typed_is_never_query_syntax(library):
    for text in ('a"b', "NOT", "-- NOT", "a OR b", "harbor NEAR(", "{name}: x", "a AND"):
        assert names(library, text=text) == []


def test_a_selector_is_an_id_or_a_name_and_never_a_guess(make):
    def fill(graph):
        first = graph.entity("First  Thing")
        graph.entity(first)  # An entity that is named like the id of another one.
        graph.entity("Gone", status="archived")
        return first

    reader = make(fill)
    first = reader.value("SELECT id FROM entities WHERE canonical_name = 'first thing'")
    assert entities.find_entity(reader, " FIRST thing ").id == first
    with pytest.raises(OperationError) as ambiguous:
        entities.find_entity(reader, first)
    assert ambiguous.value.status == 409
    with pytest.raises(OperationError) as missing:
        entities.find_entity(reader, "Gone")
    assert missing.value.status == 404
    assert entities.find_entity(reader, "gone", archived=True).name == "Gone"


def test_what_only_links_name_has_no_description(make):
    def fill(graph):
        bee = graph.entity("Bee", description=NAMED_ONLY)
        graph.value(graph.aspect(bee, "home"), "Lives in the blue hive")

    reader = make(fill)
    bee = entities.find_entity(reader, "Bee")
    assert entities.get_entity(reader, bee.id).description == ""
    assert neighborhood(reader, bee.id).nodes[0].notes == "Lives in the blue hive"
    assert exported_graph(reader).entities[0].description == ""


def test_details_count_active_rows_and_hide_links_to_archived_ends(make):
    ids = {}

    def fill(graph):
        hub, other = graph.entity("Hub", "task", mentions=2), graph.entity("Other")
        gone = graph.entity("Gone", status="archived")
        ids["hub"] = hub
        aspect = graph.aspect(hub, "a")
        graph.aspect(hub, "b", status="archived")
        graph.history(aspect, "claim", "one", "two")
        graph.value(aspect, "rule", kind="constraint")
        graph.link(hub, other)
        graph.link(other, hub, "informs")
        graph.link(hub, gone)
        graph.link(hub, other, "blocks", status="archived")
        graph.memory("about the hub", hub)
        graph.memory("deleted", hub, is_deleted=1)
        graph.alias(hub, "Centre")
        graph.task(hub, "blocked")
        graph.proposal("rename_entity", {"entity": "hub", "new_name": "Core"})
        graph.proposal("create_link", {"source_entity": "Other", "target_entity": "HUB",
                                       "link_type": "uses"})
        graph.proposal("rename_entity", {"entity": "hub", "new_name": "X"}, status="rejected")

    reader = make(fill)
    hub = entities.get_entity(reader, ids["hub"])
    assert (hub.aspects, hub.attributes, hub.constraints) == (1, 1, 1)
    assert (hub.links_out, hub.links_in, hub.memories) == (1, 1, 1)
    assert len(pending_of(reader, ids["hub"])) == 2
    assert hub.aliases == ("Centre",)
    assert hub.task.status == "blocked"


def test_counts_are_of_active_rows_of_the_agent(make):
    def fill(graph):
        a, b = graph.entity("a", pinned=1), graph.entity("b", muted=1)
        graph.entity("c", status="archived")
        graph.entity("theirs", agent_id="atlas")
        aspect = graph.aspect(a, "x")
        graph.history(aspect, "k", "1", "2")
        graph.value(aspect, "r", kind="constraint")
        graph.link(a, b)
        graph.memory("shared", agent_id="atlas")
        graph.memory("hidden", agent_id="atlas", visibility="private")
        graph.proposal("archive_entity", {"entity": "a"})
        graph.assertion(a, "says")
        graph.task(b)

    counts = stats.counts(make(fill))
    assert (counts.entities, counts.archived, counts.pinned, counts.muted) == (2, 1, 1, 1)
    assert (counts.aspects, counts.attributes, counts.constraints) == (1, 1, 1)
    assert (counts.dependencies, counts.memories, counts.pending) == (1, 1, 1)
    assert (counts.assertions, counts.tasks) == (1, 1)


def test_values_of_what_is_archived_or_gone_are_not_counted(make):
    def fill(graph):
        for status in ("active", "archived"):
            entity = graph.entity(status, status=status)
            for name in ("active", "archived"):
                aspect = graph.aspect(entity, name, status=name)
                graph.history(aspect, "k", "1", "2")
                graph.value(aspect, "r", kind="constraint")

    reader = make(fill)
    counts = stats.counts(reader)
    assert (counts.aspects, counts.attributes, counts.constraints) == (2, 1, 1)
    before = replace(counts, attributes=7, pinned=7)
    assert stats.counts(reader, before, {"entity_dependencies"}) == before
    assert stats.counts(reader, before, {"entities"}) == counts


OLD = """
CREATE TABLE entities (id TEXT PRIMARY KEY, name TEXT, entity_type TEXT, description TEXT,
    created_at TEXT, updated_at TEXT, canonical_name TEXT, mentions INTEGER, embedding BLOB,
    agent_id TEXT DEFAULT 'default', pinned INTEGER, pinned_at TEXT);
CREATE TABLE entity_aspects (id TEXT PRIMARY KEY, entity_id TEXT, agent_id TEXT DEFAULT 'default',
    name TEXT, canonical_name TEXT, weight REAL, created_at TEXT, updated_at TEXT);
CREATE TABLE entity_attributes (id TEXT PRIMARY KEY, aspect_id TEXT, agent_id TEXT DEFAULT
    'default', memory_id TEXT, kind TEXT, content TEXT, normalized_content TEXT, confidence REAL,
    importance REAL, status TEXT, superseded_by TEXT, created_at TEXT, updated_at TEXT);
CREATE TABLE memories (id TEXT PRIMARY KEY, type TEXT, content TEXT, importance REAL, tags TEXT,
    created_at TEXT, updated_at TEXT, is_deleted INTEGER);
CREATE TABLE entity_dependencies (id TEXT PRIMARY KEY, source_entity_id TEXT,
    target_entity_id TEXT, agent_id TEXT DEFAULT 'default', aspect_id TEXT, dependency_type TEXT,
    strength REAL, created_at TEXT, updated_at TEXT);
INSERT INTO entities VALUES
    ('e1', 'Дежурство', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'default', NULL, NULL),
    ('e2', NULL, 'odd type', x'00ff', 'x', '2026-03-14 21:40:46', NULL, 'many', NULL, 'default',
     1, NULL),
    ('e3', 'Renamed', 'tool', NULL, 't', 't', 'former name', 1, NULL, 'default', 0, NULL);
INSERT INTO entity_aspects VALUES ('s1', 'e1', 'default', NULL, 'x', 'heavy', NULL, NULL),
    ('s2', 'nobody', 'default', 'lost', 'lost', 0.5, NULL, NULL);
INSERT INTO entity_attributes VALUES
    ('v1', 's1', 'default', 'm9', 'attribute', 'По очереди 100%', 'по очереди 100%', NULL, NULL,
     'active', 'v9', NULL, NULL),
    ('v2', NULL, 'default', NULL, 'strange', '', '', 0.5, 0.5, 'active', NULL, 't', 't');
INSERT INTO entity_dependencies VALUES
    ('d1', 'e1', 'nobody', 'default', NULL, 'befriends', NULL, NULL, NULL);
INSERT INTO memories VALUES ('m1', NULL, 'kept', NULL, '["a","b"]', NULL, NULL, NULL);
"""


@pytest.fixture
def old(tmp_path):
    """A file of an early generation with every odd thing that is found in them."""
    connection = sqlite3.connect(tmp_path / "memories.db")
    connection.executescript(OLD)
    connection.close()
    workspace = Workspace.open(tmp_path / "memories.db", data_dir=tmp_path / "data")
    with workspace.read() as reader:
        yield reader
    workspace.close()


def test_an_early_file_without_full_text_is_searched_all_the_same(old):
    assert not old.has_table("attributes_fts")
    assert names(old, text="Дежур") == ["Дежурство"]
    assert names(old, text="NAMED") == ["Renamed"]
    assert [(row.name, row.fact) for row in entities.list_entities(old, text="очереди 100%")] == [
        ("Дежурство", "По очереди 100%")]
    assert names(old, text="100_") == []


def test_odd_rows_are_read_and_never_raise(old):
    assert len(names(old)) == 3
    assert entities.get_entity(old, "e2").mentions == 0
    assert entities.get_entity(old, "e1").entity_type == "unknown"
    assert stats.counts(old).entities == 3


def test_a_stored_canonical_name_that_lags_behind_does_not_hide_the_name(old):
    assert entities.find_entity(old, "renamed").id == "e3"
    assert entities.find_entity(old, "former name").id == "e3"


def test_graph_builder_writes_what_it_says(make):
    def fill(graph: Graph):
        aspect = graph.aspect(graph.entity("a"), "x")
        graph.history(aspect, "k", "one", "two", "three")

    rows = make(fill).rows("SELECT * FROM entity_attributes ORDER BY version")
    assert [row["status"] for row in rows] == ["superseded", "superseded", "active"]
    assert rows[1]["previous_attribute_id"] == rows[0]["id"]
    assert rows[1]["superseded_by"] == rows[2]["id"]


def test_what_is_looked_at_first_is_pinned_or_has_most_links_and_is_never_muted(make):
    def fill(graph):
        ids = {name: graph.entity(name, mentions=mentions, muted=name == "quiet")
               for name, mentions in (("quiet", 90), ("hub", 1), ("leaf", 5), ("other", 2))}
        graph.link(ids["hub"], ids["leaf"])
        graph.link(ids["other"], ids["hub"])
        graph.link(ids["quiet"], ids["leaf"])
        graph.link(ids["quiet"], ids["hub"])

    def first(filled):
        reader = make(filled)
        chosen = entities.most_telling_entity(reader)
        return entities.find_entity(reader, chosen).name if chosen else ""

    assert first(fill) == "hub"

    def pinned_too(graph):
        fill(graph)
        graph.entity("kept", pinned=True, pinned_at="2026-01-02")

    assert first(pinned_too) == "kept"
    assert first(lambda graph: graph.entity("x", muted=True)) == ""
