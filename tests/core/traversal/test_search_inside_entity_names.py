"""Parts of words are found in a list of names that follows every change of the file."""

from core.traversal import search_inside_entity_names
from core.traversal.search_inside_entity_names import NameList, name_list
from core.workspace import Workspace
from tests.contracts.files import make
from tests.core.graphs import Graph


def places(workspace: Workspace, *words: str, kind: str = "TRUE") -> list[str]:
    """The names of the entities that hold one of the words, and the alias by which they do."""
    with workspace.read() as reader:
        names = {row["place"]: row["name"] for row in reader.rows(
            "SELECT e.rowid AS place, e.name FROM entities e WHERE e.agent_id = :agent")}
        known = name_list(reader, kind)
        return [names[known.places[line]] + (f" by {alias}" if alias else "")
                for line in known.holding(words, 100) for alias in [known.alias(line, words)]]


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


def test_of_words_that_are_unlike_in_number_the_first_names_come() -> None:
    names = [f"{('quay', 'mole', 'pier')[n % 7 == 0 or 2 * (n > 30)]} {n}" for n in range(40)]
    for words in (["quay", "mole"], ["pier", "quay"], ["mole", "pier", "quay"], ["mole"]):
        wanted = [n for n, name in enumerate(names) if any(word in name for word in words)]
        for most in (1, 2, 5, 11, 30, 39, 40, 41):
            known = NameList(",".join(map(str, range(40))), "\n".join(names), ())
            assert known.holding(words, most) == wanted[:most], (words, most)
            assert known.holding(words, 50) == wanted, (words, most)


def test_a_name_shares_a_word_that_it_has_begins_or_writes_with_an_accent() -> None:
    names = ["archarbor", "the harbormaster", "archarbor harbor", "port\x1fharbor", "hárbor",
             "harbor_2", "ark"]
    known = NameList(",".join(map(str, range(7))), "\n".join(names), ())
    lines = known.holding(["harbor", "ark"], 10)
    assert lines == [0, 1, 2, 3, 5, 6]
    every = frozenset(range(7))
    assert known.sharing("harbor", frozenset(lines), held=True) == {1, 2, 5}
    assert known.sharing("harbor", every, held=True) == {1, 2, 4, 5}
    assert known.sharing("harbor", every, held=False) == {1, 2, 4, 5}
    assert known.sharing("ark", every, held=True) == {6}


def test_a_list_of_plain_names_is_judged_by_the_signs_around_a_word() -> None:
    names = ["harbor", "archarbor", "harbormaster", "arch harbor", "archarbor harbor", "ark",
             "barking ark", "arks", "ark_2"]
    known = NameList(",".join(map(str, range(9))), "\n".join(names), ())
    every = frozenset(known.holding(["harbor", "ark"], 10))
    assert every == frozenset(range(9))
    assert known.sharing("harbor", every, held=True) == {0, 2, 3, 4}
    assert known.sharing("ark", every, held=True) == {5, 6, 8}


def test_words_that_are_forgotten_are_looked_for_again(monkeypatch) -> None:
    monkeypatch.setattr(search_inside_entity_names, "_MOST_KNOWN", 2)
    known = NameList("0,1,2", "quay mole\npier\nquay", ())
    for words in (["quay", "mole", "pier"], ["pier", "quay"], ["mole"], ["quay", "mole", "pier"]):
        every = frozenset(known.holding(words, 10))
        assert [sorted(known.sharing(word, every, held=True)) for word in words] == [
            {"quay": [0, 2], "mole": [0], "pier": [1]}[word] for word in words]
        assert known.count("quay", 10) == 2
