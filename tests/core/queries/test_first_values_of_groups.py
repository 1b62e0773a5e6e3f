"""Of thousands of values under an entity the first ones are read, whole claims, and all counted."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.model.claims_and_assertions import Aspect, Claim, Slot
from core.queries.knowledge import aspects_of
from core.store.reader_and_writer import Reader
from tests.core.graphs import Asked, Graph, build


def _fill(graph: Graph) -> None:
    hub = graph.entity("Hub", id="hub")
    wide, small = graph.aspect(hub, "wide", 0.9, id="wide"), graph.aspect(hub, "small", id="small")
    for n in range(40):
        weight = (n * 7 % 40) / 40
        graph.value(wide, f"value {n}", f"claim {n}", importance=weight)
        graph.value(wide, f"in a group {n}", f"claim {n}", group="Night shift", importance=weight)
        graph.value(wide, f"never {n}", f"rule {n}", kind="constraint", importance=weight)
    graph.history(wide, "claim_told", "first", "second", "third", importance=0.95)
    graph.value(wide, "beside it", "Claim Told", importance=0.01, group="General")
    graph.value(wide, "gone", "claim_told", status="deleted", importance=0.01)
    graph.value(wide, "nameless", importance=0.99)
    graph.value(small, "one", "only")


@pytest.fixture
def reader(tmp_path: Path) -> Iterator[Reader]:
    workspace = build(tmp_path / "graph.db", _fill)
    with workspace.read() as found:
        yield found
    workspace.close()


def _claims(tree: tuple[Aspect, ...]) -> dict[tuple[str, str, bool], list[Claim]]:
    """The claims of each aspect and group, those that bind and the others, in their order."""
    found: dict[tuple[str, str, bool], list[Claim]] = {}
    for aspect in tree:
        for group in aspect.groups:
            for claim in group.claims:
                found.setdefault((aspect.id, group.key, claim.kind == "constraint"), []).append(
                    claim)
    return found


@pytest.mark.parametrize("archived", [False, True])
@pytest.mark.parametrize("most", [1, 3, 41, 44, 1000])
def test_the_first_claims_are_those_of_the_whole_tree(
    reader: Reader, most: int, archived: bool
) -> None:
    whole = aspects_of(reader, "hub", archived=archived)
    first = aspects_of(reader, "hub", archived=archived, most=lambda *_: most)
    every, read = _claims(whole), _claims(first)
    assert read.keys() == every.keys()
    for part, claims in every.items():
        here = read[part]
        lines = [value for claim in claims for value in claim.values]
        assert here == claims[:len(here)], part
        assert sum(len(claim.values) for claim in here) >= min(most, len(lines))
        assert len(here) <= most
    for one, other in zip(whole, first, strict=True):
        assert (one.attributes, one.constraints) == (other.attributes, other.constraints)
        for group, counted in zip(one.groups, other.groups, strict=True):
            assert (group.attributes, group.constraints) == (
                counted.attributes, counted.constraints)
            assert group.unread == 0 or counted.unread
            assert counted.unread == sum(len(claim.values) for claim in group.claims) - sum(
                len(claim.values) for claim in counted.claims)


def test_one_large_group_is_read_without_looking_at_the_others(reader: Reader) -> None:
    def most(aspect: str, group: str, binds: bool) -> int:
        return 2 if (aspect, group, binds) == ("wide", "general", False) else 1000

    read, every = (_claims(aspects_of(reader, "hub", most=limit)) for limit in (most, None))
    large = "wide", "general", False
    assert read.pop(large) == every.pop(large)[:2]
    assert read == every


def test_claims_that_are_asked_for_are_read_wherever_they_stand(reader: Reader) -> None:
    def keys(**asked: object) -> list[str | None]:
        tree = aspects_of(reader, "hub", most=lambda *_: 1, **asked)  # type: ignore[arg-type]
        return [claim.claim_key for claim in _claims(tree)["wide", "general", False]]

    assert keys() == [None]
    last = Slot("hub", "wide", "attribute", "general", "claim 0")
    assert keys(also=[last]) == [None, "claim 0"]
    assert keys(pending={("wide", "general", "claim_0"): 1}) == [None, "claim 0"]


def test_the_first_values_take_few_statements_however_many_there_are(reader: Reader) -> None:
    for most in (1, 2, 41):
        asked = Asked(reader)
        aspects_of(reader, "hub", most=lambda *_, most=most: most)
        reader.rows = asked._rows  # type: ignore[method-assign]
        assert len(asked.statements) < 12
