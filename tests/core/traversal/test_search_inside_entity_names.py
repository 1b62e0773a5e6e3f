"""Parts of words are found in a list of names that follows every change of the file."""

from core.traversal.search_inside_entity_names import NameList, name_list
from core.workspace import Workspace
from tests.contracts.files import make
from tests.core.graphs import Graph


def places(workspace: Workspace, *words: str, kind: str = "TRUE") -> list[str]:
    """The names of the entities that hold one of the words, and the alias by which they do."""
    with workspace.read() as reader:
        names = {row["place"]: row["name"] for row in reader.rows(
            "SELECT e.rowid AS place, e.name FROM entities e WHERE e.agent_id = :agent")}
        held = name_list(reader, kind).holding(words, 100)
        return [names[place] + (f" by {alias}" if alias else "")
                for place, alias in zip(held.places, held.aliases, strict=True)]


def fill(graph: Graph) -> None:
    graph.alias(graph.entity("Harbor Ledger", mentions=2), "Old Quay")
    graph.entity("The Harbormaster", "person", mentions=9)
    graph.entity("Archarbor", mentions=2)
    graph.entity("Harbor of old", status="archived", mentions=50)


def test_what_is_mentioned_most_comes_first_and_names_decide_among_equals(graph) -> None:
    graph = graph(fill)
    assert places(graph, "arbor") == ["The Harbormaster", "Archarbor", "Harbor Ledger"]
    assert places(graph, "master", "ledger") == ["The Harbormaster", "Harbor Ledger"]
    assert places(graph, "arbor", kind="n.entity_type = 'person'") == ["The Harbormaster"]
    assert places(graph, "quay") == ["Harbor Ledger by Old Quay"]
    assert places(graph, "nowhere") == []


def test_a_change_of_the_file_is_followed(graph) -> None:
    graph = graph(lambda _: None)
    assert places(graph, "arbor") == []
    graph.write("Fill", lambda writer: fill(Graph(writer)))
    assert len(places(graph, "arbor")) == 3
    graph.undo()
    assert places(graph, "arbor") == []


def test_a_name_that_signet_spells_otherwise_is_found_as_names_are_compared(tmp_path) -> None:
    for stored in (None, "ＨＡＲＢＯＲ ledger", "Harbor Ledger"):
        workspace = make("signet-071", tmp_path / f"{stored}.db", tmp_path / "data")
        workspace.write("Spell", lambda writer, stored=stored: writer.update(
            "entities", "e-harbor", name="Ｈarbor Ledger", canonical_name=stored))
        assert places(workspace, "harbor led") == ["Ｈarbor Ledger"], stored
        workspace.close()


def test_of_words_that_are_unlike_in_number_the_first_names_come(graph) -> None:
    def fill(graph: Graph) -> None:
        for n in range(40):
            words = ("quay", "mole", "pier")[n % 7 == 0 or 2 * (n > 30)]
            graph.entity(f"{words} {n}", mentions=100 - n)

    with graph(fill).read() as reader:
        names = name_list(reader)
        every = names.holding(["quay", "mole", "pier"], 100).names
        for words in (["quay", "mole"], ["pier", "quay"], ["mole", "pier", "quay"], ["mole"]):
            wanted = [name for name in every if any(word in name for word in words)]
            for most in (1, 2, 5, 30, 39, 40, 41):
                fresh = NameList(*_parts(names))
                assert fresh.holding(words, most).names == wanted[:most], (words, most)


def _parts(names: NameList) -> tuple[str, str, tuple[()]]:
    return ",".join(map(str, names.places)), "\n".join(names.holding([" "], 100).names), ()
