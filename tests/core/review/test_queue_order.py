"""The order and the groups of what waits: what a decision is worth, and what belongs together."""

import pytest

from core.review.queue_order import in_groups, in_order, listing, waiting
from tests.core.graphs import build


def _fill(graph):
    hub, leaf = graph.entity("Hub", mentions=200), graph.entity("Leaf", mentions=1)
    pinned = graph.entity("Rules", mentions=1, pinned=1)
    for number in range(20):
        graph.value(graph.aspect(hub, f"side {number}"), "a fact", claim_key="k")
        graph.link(hub, graph.entity(f"n{number}"))

    def ask(words, entity, confidence, value="x", operation="set_claim_value", **more):
        graph.proposal(operation, {"entity": entity, "aspect": "plan", "claim_key": words,
                                   "value": value}, rationale=words, confidence=confidence,
                       created_at=f"2026-03-0{len(words) % 3 + 1}T10:00:00.000Z", **more)

    ask("busy", hub, 0.5)
    ask("quiet", leaf, 0.5)
    ask("pinned", pinned, 0.5)
    ask("sure", hub, 0.98)
    ask("risky", leaf, 0.98, risk="High ")
    ask("unsaid", leaf, 0)
    graph.proposal("archive_entity", {"entity": hub}, rationale="whole", confidence=0.5,
                   created_by="codex")


@pytest.fixture(name="weighed")
def _weighed(tmp_path):
    workspace = build(tmp_path / "g.db", _fill)
    with workspace.read() as reader:
        yield {item.proposal.rationale: item for item in waiting(reader)}
    workspace.close()


def test_worth_is_impact_times_uncertainty(weighed):
    worth = {words: item.worth for words, item in weighed.items()}
    assert worth["busy"] > worth["quiet"], "how often the entity comes up"
    assert worth["whole"] > worth["busy"], "a whole entity is more than one claim"
    every_session = pytest.approx(2 * worth["quiet"], abs=0.001)
    assert worth["pinned"] == every_session, "a session is told a pinned entity first"
    assert worth["busy"] > worth["sure"] > 0, "what is sure needs a person least"
    assert worth["risky"] == worth["unsaid"] == worth["quiet"], "as uncertain as one half"


def test_two_wishes_for_one_claim_are_uncertain_however_sure_each_is(tmp_path):
    def fill(graph):
        hub = graph.entity("Hub", mentions=5)
        for value, claim in (("a", "one"), ("b", "one"), ("a", "two"), ("A ", "two")):
            graph.proposal("set_claim_value", {"entity": hub, "aspect": "s", "claim_key": claim,
                                               "value": value}, rationale=claim, confidence=0.99)

    workspace = build(tmp_path / "g.db", fill)
    with workspace.read() as reader:
        worth = {item.proposal.rationale: item.worth for item in waiting(reader)}
    workspace.close()
    contested = pytest.approx(10 * worth["two"], abs=0.01)
    assert worth["one"] == contested, "the same words do not disagree"


def test_every_order_keeps_the_newest_first_among_equals(weighed):
    items = list(weighed.values())
    assert in_order(items, "newest") == items
    assert [item.worth for item in in_order(items, "worth")] == sorted(
        (item.worth for item in items), reverse=True)
    assert in_order(items, "risk")[0].proposal.rationale == "risky"
    assert in_order(items, "confidence")[0].proposal.rationale == "unsaid"


@pytest.mark.parametrize(("group", "names"), [
    ("entity", {"Hub", "Leaf", "Rules"}), ("kind", {"Set claim value", "Archive entity"}),
    ("actor", {"codex", "ontology-proposal"}), ("day", None), ("none", {""}),
])
def test_groups_are_in_the_order_of_their_first_and_lose_none(weighed, group, names):
    items = in_order(weighed.values(), "worth")
    groups = in_groups(items, group)
    assert names is None or set(groups) == names
    assert [members[0] for members in groups.values()] == sorted(
        (members[0] for members in groups.values()), key=items.index)
    assert sorted(item.proposal.id for members in groups.values() for item in members) == sorted(
        item.proposal.id for item in items)


def test_a_page_has_a_group_beside_each_other_and_counts_all(tmp_path):
    workspace = build(tmp_path / "g.db", _fill)
    with workspace.read() as reader:
        page = listing(reader, sort="worth", group="entity", limit=3, offset=1)
        whole = listing(reader, sort="worth", group="entity")
        none = listing(reader, sort="worth")
    workspace.close()
    assert (page.count, len(page.items), page.groups) == (7, 3, whole.groups)
    assert page.items == whole.items[1:4]
    assert [id for line in whole.groups for id in line.ids] == [
        item.proposal.id for item in whole.items]
    assert sum(line.count for line in whole.groups) == 7
    assert none.groups == ()
