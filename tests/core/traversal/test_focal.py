"""Where a walk starts: which signal decides, its limits and order, what never becomes focal."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from core.model.walk import Focal
from core.ontology.control import apply
from core.traversal.config import TraversalSettings
from core.traversal.focal import Signals, resolve
from core.workspace import Workspace
from tests.contracts.files import make
from tests.core.graphs import Graph

Fill = Callable[[Graph], object]
USUAL = TraversalSettings()
AFTER, BEFORE = "2026-05-02T00:00:00.000Z", "2026-05-01T00:00:00.000Z"


def focal(workspace: Workspace, *, explain: bool = False, agent: str = "default",
          settings: TraversalSettings = USUAL, **signals: object) -> Focal:
    with workspace.read() as reader:
        reader.agent = agent
        return resolve(reader, Signals(**signals), settings, explain=explain)  # type: ignore[arg-type]


def alpha_and_pins(graph: Graph) -> None:
    graph.entity("Alpha", id="alpha")
    graph.entity("First pin", "tool", id="pin1", pinned=1, pinned_at=BEFORE)
    graph.entity("Second pin", "tool", id="pin2", pinned=1, pinned_at=AFTER)


def test_pinned_entities_come_first_the_last_pinned_leading(graph) -> None:
    resolved = focal(graph(alpha_and_pins), project="/Users/me/code/alpha")
    assert resolved.ids == ("pin2", "pin1", "alpha")
    assert resolved.pinned_ids == ("pin2", "pin1")
    assert resolved.source == "project"


def test_pinned_entities_are_left_out_when_asked_off(graph) -> None:
    workspace = graph(alpha_and_pins)
    assert focal(workspace, query="alpha", pinned=False).ids == ("alpha",)
    off = TraversalSettings(include_pinned=False)
    assert focal(workspace, query="alpha", settings=off).ids == ("alpha",)


def test_checkpoint_project_and_question_gather_in_this_order(graph) -> None:
    def fill(graph: Graph) -> None:
        alpha_and_pins(graph)
        graph.entity("Beta", id="beta")
        graph.entity("Gamma", "tool", id="gamma")

    resolved = focal(graph(fill), checkpoint_ids=("alpha",), project="/x/beta",
                     query="gamma and beta", pinned=False)
    assert [(each.id, each.reason) for each in resolved.entities] == [
        ("alpha", "checkpoint"), ("beta", "project"), ("gamma", "query")]
    assert resolved.source == "checkpoint", "the first that found any"


def test_another_agents_entity_of_a_checkpoint_keeps_its_id_and_hides_its_name(graph) -> None:
    workspace = graph(lambda g: (g.entity("Mine", id="mine"),
                                 g.entity("Secret", id="theirs", agent_id="other")))
    resolved = focal(workspace, checkpoint_ids=("mine", "theirs", "", "mine"))
    assert resolved.ids == ("mine", "theirs")
    assert resolved.names == ("Mine",)
    assert "Secret" not in repr(resolved)


@pytest.mark.parametrize("path", ["/srv/nicholai/signet/signetai", "C:\\code\\signet\\signetai\\"])
def test_a_project_is_found_by_the_last_two_folders(graph, path: str) -> None:
    def fill(graph: Graph) -> None:
        graph.entity("Signet", id="signet", mentions=1)
        graph.entity("SignetAI", id="signetai", mentions=5)
        graph.entity("nicholai", id="owner")
        graph.entity("signet tool", "tool", id="tool", mentions=99)

    resolved = focal(graph(fill), project=path)
    assert resolved.ids == ("signetai", "signet"), "by mentions, of type project only"
    assert resolved.source == "project"
    assert {each.reason for each in resolved.entities} == {"project"}


def test_at_most_five_projects_match_a_path(graph) -> None:
    workspace = graph(lambda g: [g.entity(f"orion {n}", id=f"p{n}", mentions=n) for n in range(9)])
    resolved = focal(workspace, project="/x/orion", explain=True)
    assert resolved.ids == ("p8", "p7", "p6", "p5", "p4")
    beyond = [(m.id, m.rule, m.value, m.limit) for m in resolved.misses or ()]
    assert beyond[0] == ("p3", "match rank", 6, 5)


@pytest.mark.parametrize("path", ["/srv/alpha/b", "/srv/alpha/!!/b/", "alpha", "/ALPHA/alpha"])
def test_folders_of_one_sign_or_none_do_not_count_among_the_two(graph, path: str) -> None:
    workspace = graph(lambda g: (g.entity("Alpha", id="alpha"), g.entity("b", id="b")))
    assert focal(workspace, project=path).ids == ("alpha",)


def test_an_empty_checkpoint_leaves_the_project_to_decide(graph) -> None:
    resolved = focal(graph(alpha_and_pins), checkpoint_ids=(), project="/x/alpha", pinned=False)
    assert (resolved.ids, resolved.source) == (("alpha",), "project")


def test_names_come_in_the_order_of_the_ids_and_missing_ones_are_left_out(graph) -> None:
    workspace = graph(lambda g: (g.entity("Alpha", id="a"), g.entity("Beta", id="b")))
    resolved = focal(workspace, checkpoint_ids=("b", "nowhere", "a"))
    assert (resolved.ids, resolved.names) == (("b", "nowhere", "a"), ("Beta", "Alpha"))


def test_like_wildcards_of_a_path_are_taken_literally(graph) -> None:
    workspace = graph(lambda g: (g.entity("myXapp", id="wrong"), g.entity("my_app", id="right")))
    assert focal(workspace, project="/src/my_app").ids == ("right",)
    assert focal(workspace, project="/src/%%").ids == ()


@pytest.mark.parametrize("folder", ["harbor-ledger", "harbor_ledger", "harbor ledger"])
def test_a_folder_finds_its_project_however_its_words_are_joined(graph, folder: str) -> None:
    names = {"spaced": "Harbor Ledger", "hyphened": "harbor-ledger", "low": "harbor_ledger"}
    workspace = graph(lambda g: [g.entity(name, id=id) for id, name in names.items()]
                      + [g.entity("Harbor", id="half"), g.entity("Ledger", id="rest")])
    assert set(focal(workspace, project=f"/src/{folder}").ids) == set(names)


def test_a_folder_with_dots_finds_its_project(graph) -> None:
    workspace = graph(lambda g: (g.entity("my.app", id="dotted"), g.entity("myapp", id="plain")))
    assert set(focal(workspace, project="/src/my.app").ids) == {"dotted", "plain"}


def test_the_entities_of_the_question_join_those_of_the_project(graph) -> None:
    def fill(graph: Graph) -> None:
        graph.entity("Alpha", id="alpha")
        graph.entity("Beta", "tool", id="beta")

    workspace = graph(fill)
    resolved = focal(workspace, project="/x/alpha", query="beta", explain=True)
    assert (resolved.ids, resolved.source) == (("alpha", "beta"), "project")
    resolved = focal(workspace, project="/x/nothing", query="beta")
    assert (resolved.ids, resolved.source) == (("beta",), "query")


def test_a_pinned_entity_that_is_asked_for_says_both(graph) -> None:
    resolved = focal(graph(alpha_and_pins), query="the second one")
    assert [(e.id, e.reason, e.also) for e in resolved.entities] == [
        ("pin2", "pinned", "query"), ("pin1", "pinned", "")]
    assert resolved.asked_ids == {"pin2"}


def test_a_question_means_at_most_twenty_entities_of_any_type(graph) -> None:
    def fill(graph: Graph) -> None:
        for n in range(30):
            graph.entity(f"orion{n}", ("tool", "person")[n % 2], id=f"o{n}")

    every = " and ".join(f"orion{n}" for n in range(30))
    resolved = focal(graph(fill), query=f"what about {every}?", explain=True)
    assert len(resolved.entities) == 20
    assert sum(m.rule == "match rank" for m in resolved.misses or ()) == 10


def test_words_are_found_whole_by_full_text_best_match_first(graph) -> None:
    def fill(graph: Graph) -> None:
        graph.entity("Memory pipeline", "system", id="both")
        graph.entity("Memory", "concept", id="one")
        graph.entity("Memorial", "event", id="part")

    resolved = focal(graph(fill), query="the pipeline of memory")
    assert set(resolved.ids) == {"both", "one"}
    assert "part" not in resolved.ids


def test_part_of_a_word_is_found_where_full_text_finds_nothing(graph) -> None:
    workspace = graph(lambda g: g.entity("Kubernetes", "tool", id="k8s"))
    assert focal(workspace, query="kubern").ids == ("k8s",)


def test_a_file_without_full_text_is_searched_by_like(graph, tmp_path: Path) -> None:
    graph(lambda g: g.entity("Memory pipeline", "system", id="both")).close()
    connection = sqlite3.connect(tmp_path / "graph0.db")
    names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger' AND sql LIKE "
                               "'%entities_fts%'").fetchall()
    for (name,) in names:
        connection.execute(f"DROP TRIGGER {name}")
    connection.execute("DROP TABLE entities_fts")
    connection.commit()
    connection.close()
    workspace = Workspace.open(tmp_path / "graph0.db", data_dir=tmp_path / "data")
    assert focal(workspace, query="how does the pipeline work").ids == ("both",)
    workspace.close()


@pytest.mark.parametrize("query", [
    'near OR NOT "', "ka-6*", "(", "name:alpha", "^alpha", "%", "_", "\\", "a\0b", "{alpha}", "'",
])
def test_signs_of_query_languages_are_only_signs(graph, query: str) -> None:
    workspace = graph(lambda g: (g.entity("near", id="near"), g.entity("Bystander", id="other")))
    assert "other" not in focal(workspace, query=query).ids


@pytest.mark.parametrize(("name", "query"), [
    ("東京", "東京について教えて"), ("Москва", "Расскажи про Москва."), ("서울", "서울은 어때?"),
    ("مشروع", "ما هو مشروع هذا"), ("ka-6", "what is ka-6 about"), ("C++", "is C++ used?"),
    ("@signet/core", "who owns @signet/core?"), ("Alice", "where does Alice's cat live"),
    ("Straße", "die straße"), ("Straße", "WO IST DIE STRASSE"), ("東京タワー", "東京"),
])
def test_names_in_any_script_are_found(graph, name: str, query: str) -> None:
    workspace = graph(lambda g: (g.entity(name, id="it"), g.entity("Bystander", id="other")))
    assert focal(workspace, query=query).ids == ("it",)


def test_function_words_mean_no_entity_unless_nothing_else_is_said(graph) -> None:
    workspace = graph(lambda g: (g.entity("The Who", id="band"), g.entity("Plan", id="plan")))
    assert focal(workspace, query="what is the plan").ids == ("plan",)
    assert focal(workspace, query="the who").ids == ("band",)


def test_aliases_resolve_in_questions_and_paths(graph) -> None:
    def fill(graph: Graph) -> None:
        graph.alias(graph.entity("New York City", "place", id="city"), "NYC")
        graph.alias(graph.entity("Signet", id="signet"), "agent home")
        graph.alias(graph.entity("Gone", id="gone"), "ghost", status="archived")

    workspace = graph(fill)
    resolved = focal(workspace, query="flats in nyc")
    assert [(each.id, each.detail) for each in resolved.entities] == [("city", "NYC")]
    assert focal(workspace, project="/x/agent home").ids == ("signet",)
    assert focal(workspace, query="ghost").ids == ()


def test_the_session_is_the_source_where_nothing_else_resolves(graph) -> None:
    resolved = focal(graph(alpha_and_pins), project="/x/unknown", session_key="s1")
    assert (resolved.ids, resolved.source) == (("pin2", "pin1"), "session_key")


def test_a_session_goes_on_where_its_last_checkpoint_stood(graph) -> None:
    def fill(graph: Graph) -> None:
        graph.entity("Alpha", id="alpha")
        graph.entity("Beta", id="beta")
        for when, ids in ((BEFORE, '["beta"]'), (AFTER, '["alpha", 7, "gone"]')):
            graph.writer.insert("session_checkpoints", id=when, session_key="s1", harness="h",
                                trigger="t", digest="d", prompt_count=1, created_at=when,
                                focal_entity_ids=ids)

    workspace = graph(fill)
    resolved = focal(workspace, session_key="s1")
    assert (resolved.ids, resolved.source) == (("alpha",), "session_key")
    resolved = focal(workspace, session_key="s1", query="beta", explain=True)
    assert resolved.ids == ("beta",)
    assert [(m.id, m.rule) for m in resolved.misses or ()] == [("alpha", "not asked")]
    assert focal(workspace, session_key="s2").ids == ()


def test_what_is_muted_beside_a_file_is_known_at_once_and_no_longer_once_that_is_undone(
    tmp_path: Path,
) -> None:
    workspace = make("signet-030", tmp_path / "memories.db", tmp_path / "data")
    asked = {"query": "what about harbor", "pinned": False}
    with workspace.read() as reader:
        assert not reader.has_column("entities", "muted")
    assert focal(workspace, **asked).ids == ("e-harbor",)
    workspace.write("Mute", lambda writer: apply(writer, "mute_entity", {"entity": "e-harbor"}))
    assert focal(workspace, **asked).ids == ()
    workspace.undo()
    assert focal(workspace, **asked).ids == ("e-harbor",)
    workspace.close()


def test_muted_entities_become_focal_only_when_they_are_named(graph) -> None:
    def fill(graph: Graph) -> None:
        graph.alias(graph.entity("Noise maker", id="noise", muted=1, pinned=1, pinned_at=AFTER),
                    "the racket")

    workspace = graph(fill)
    assert focal(workspace, query="noise", project="/x/noise", checkpoint_ids=("noise",),
                 session_key="s").ids == ()
    for name in ("What does the noise maker do?", "Who hears the racket?"):
        assert focal(workspace, query=name).ids == ("noise",)
    resolved = focal(workspace, entity_ids=("noise",))
    assert (resolved.ids, resolved.source) == (("noise",), "asked")
    missed = focal(workspace, query="noise", explain=True).misses or ()
    assert [(m.id, m.rule) for m in missed] == [("noise", "muted over pinned")]
    missed = focal(workspace, query="noise", pinned=False, explain=True).misses or ()
    assert [(m.id, m.rule) for m in missed] == [("noise", "muted")]


def test_archived_entities_never_become_focal(graph) -> None:
    def fill(graph: Graph) -> None:
        graph.entity("Old", id="old", status="archived", pinned=1, pinned_at=AFTER)

    workspace = graph(fill)
    resolved = focal(workspace, query="old", project="/x/old", checkpoint_ids=("old",),
                  entity_ids=("old",), explain=True)
    assert resolved.ids == ()
    assert {(m.id, m.rule) for m in resolved.misses or ()} == {("old", "archived")}


def test_named_entities_join_what_another_signal_finds(graph) -> None:
    def fill(graph: Graph) -> None:
        alpha_and_pins(graph)
        graph.entity("Beta", id="beta")

    resolved = focal(graph(fill), entity_ids=("beta",), query="alpha")
    assert resolved.ids == ("pin2", "pin1", "beta", "alpha")
    assert resolved.source == "query"


def test_another_agents_entities_are_never_found(graph) -> None:
    def fill(graph: Graph) -> None:
        graph.entity("Secret", id="theirs", agent_id="other", pinned=1, pinned_at=AFTER)
        graph.alias(graph.entity("Hidden", id="hidden", agent_id="other"), "codename",
                    agent_id="other")

    workspace = graph(fill)
    for signals in ({"query": "secret codename"}, {"project": "/x/secret"},
                    {"entity_ids": ("theirs",)}):
        resolved = focal(workspace, explain=True, **signals)
        assert resolved.ids == ()
        assert "Secret" not in repr(resolved)
    assert focal(workspace, agent="other").ids == ("theirs",)


def test_an_explanation_changes_nothing_about_what_is_focal(graph) -> None:
    def fill(graph: Graph) -> None:
        alpha_and_pins(graph)
        for n in range(40):
            graph.entity(f"alpha {n}", id=f"a{n}", mentions=n % 7, muted=n % 2,
                         status="archived" if n % 5 == 0 else "active")

    workspace = graph(fill)
    for signals in ({"query": "alpha"}, {"project": "/x/alpha"}):
        plain = focal(workspace, **signals)
        assert plain.misses is None
        assert focal(workspace, explain=True, **signals).entities == plain.entities


def test_nothing_said_means_nothing_but_the_pins(graph) -> None:
    workspace = graph(lambda g: g.entity("Alpha"))
    resolved = focal(workspace)
    assert (resolved.entities, resolved.source, resolved.timed_out) == ((), "query", False)
