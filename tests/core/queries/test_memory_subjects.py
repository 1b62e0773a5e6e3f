"""A line that is told says whose it is, unless its text does."""

from collections.abc import Callable

import pytest

from core.model.names import name_key
from core.queries.memory_subjects import MOST_NAMES, Owner, Said, only_of, owners, says_name
from core.workspace import Workspace
from tests.core.graphs import Graph


@pytest.fixture(name="graph")
def opened(graph: Callable[..., Workspace]) -> Workspace:
    """A new graph with nothing in it."""
    return graph(lambda made: None)


def owned(graph: Workspace, *memories: str) -> list[Owner]:
    with graph.read() as reader:
        texts = {id: str(reader.value("SELECT content FROM memories WHERE id = :id", id=id))
                 for id in memories}
        found = owners(reader, texts)
    return [found.get(id, Owner()) for id in memories]


def observed(graph: Graph, text: str, *names: str, aspect: str = "observations") -> str:
    """A memory with a value of each of the entities resting on it, as an import writes it."""
    entities = [graph.entity(name, "person") for name in names]
    memory = graph.memory(text, *entities)
    for entity in entities:
        graph.value(graph.aspect(entity, aspect), text, memory_id=memory)
    return memory


def made(graph: Workspace, *given: str, **more: str) -> Owner:
    memory = graph.write("observe", lambda writer: observed(Graph(writer), *given, **more)).result
    return owned(graph, memory)[0]


def test_an_observation_is_told_with_its_entity(graph: Workspace) -> None:
    assert made(graph, "Lives in Leipzig", "Mia") == Owner("Mia", "Mia")


def test_a_text_that_names_its_entity_stays_as_it_is(graph: Workspace) -> None:
    assert made(graph, "Mia likes tea", "Mia") == Owner("Mia")


def test_a_text_that_names_its_entity_by_an_alias_stays_as_it_is(graph: Workspace) -> None:
    def observe(writer) -> str:
        made = Graph(writer)
        memory = observed(made, "Ina has the keys", "Ines Duarte")
        made.alias(writer.value("SELECT id FROM entities"), "Ina")
        return memory

    assert owned(graph, graph.write("observe", observe).result) == [Owner("Ines Duarte")]


def test_a_person_is_named_by_one_of_their_names(graph: Workspace) -> None:
    assert made(graph, "Ines rotates the key", "Ines Duarte") == Owner("Ines Duarte")


@pytest.mark.parametrize(("name", "text"), [
    ("Ana Paris", "Moved to Paris in 2020"), ("Lina Chess", "Plays chess on Thursdays"),
    ("Rose Hill", "Grows a rose on the balcony"), ("Will Okafor", "Will be away in May"),
    ("Dr. Ada Stone", "Collects stone and Stone Age tools")])
def test_a_word_that_a_name_has_too_does_not_name_a_person(
    graph: Workspace, name: str, text: str
) -> None:
    assert made(graph, text, name) == Owner(name, name)


@pytest.mark.parametrize(("name", "text"), [
    ("Ana Paris", "In 2020 Ana Paris moved"), ("Rose Hill", "A car that is Rose's"),
    ("Dr. Osei", "Questions go to Osei"), ("ines duarte", "Ines rotates the key")])
def test_a_whole_name_or_a_first_name_names_a_person(
    graph: Workspace, name: str, text: str
) -> None:
    assert made(graph, text, name) == Owner(name)


def test_what_is_told_of_a_value_with_a_word_of_the_name_says_whose_it_is(
    graph: Workspace
) -> None:
    def fill(writer) -> dict[str, Said]:
        made = Graph(writer)
        life = made.aspect(made.entity("Ana Paris", "person"), "life")
        return {made.value(life, text): Said("e", "Ana Paris", "person")
                for text in ("Moved to Paris", "Ana likes tea")}

    of_ana = graph.write("fill", fill).result
    texts = dict(zip(of_ana, ("Moved to Paris", "Ana likes tea"), strict=True))
    with graph.read() as reader:
        found = owners(reader, texts, of_ana)
    assert [bool(found[id].before) for id in of_ana] == [True, False]


def test_a_text_that_names_another_entity_is_told_with_its_own(graph: Workspace) -> None:
    assert made(graph, "Reports to Ines", "Mia").before == "Mia"


def test_a_fact_of_several_entities_names_them_all(graph: Workspace) -> None:
    assert made(graph, "Written in Kotlin", "Ferry", "Harbor").before == "Ferry and Harbor"


def test_a_fact_of_many_entities_names_some(graph: Workspace) -> None:
    names = [f"Pier {letter}" for letter in "ABCDEFGHIJ"]
    assert made(graph, "Written in Kotlin", *names).before == (
        f"{', '.join(names[:MOST_NAMES])} and others")


def test_a_value_is_told_with_its_aspect_as_in_its_own_memory(graph: Workspace) -> None:
    assert made(graph, "Chess", "Mia", aspect="hobbies").before == "Mia, hobbies"


def test_a_memory_that_says_more_than_its_value_is_told_with_its_entity(graph: Workspace) -> None:
    def observe(writer) -> str:
        made = Graph(writer)
        memory = made.memory("Moved to Leipzig in May and plays chess")
        made.value(made.aspect(made.entity("Mia"), "hobbies"), "plays chess", memory_id=memory)
        return memory

    assert owned(graph, graph.write("observe", observe).result)[0].before == "Mia"


def test_a_memory_without_values_is_of_the_only_entity_that_it_mentions(graph: Workspace) -> None:
    def observe(writer) -> tuple[str, ...]:
        made = Graph(writer)
        mia, lena = made.entity("Mia"), made.entity("Lena")
        said = made.memory("The accountant called", mia)
        writer.update_where("memory_entity_mentions", "memory_id = :id",
                            {"mention_text": "the accountant"}, id=said)
        return made.memory("Plays chess", mia), made.memory("Met for lunch", mia, lena), said

    assert owned(graph, *graph.write("observe", observe).result) == [
        Owner("Mia", "Mia"), Owner(), Owner("Mia")]


def test_nothing_is_said_to_be_of_an_archived_entity(graph: Workspace) -> None:
    def observe(writer) -> str:
        memory = observed(Graph(writer), "Lives in Leipzig", "Mia")
        writer.update_where("entities", "name = 'Mia'", {"status": "archived"})
        return memory

    assert owned(graph, graph.write("observe", observe).result) == [Owner()]


def test_a_muted_entity_is_not_named_beside_another(graph: Workspace) -> None:
    def observe(writer) -> str:
        memory = observed(Graph(writer), "Written in Kotlin", "Ferry", "Harbor")
        writer.update_where("entities", "name = 'Ferry'", {"muted": 1})
        return memory

    assert owned(graph, graph.write("observe", observe).result)[0].before == "Harbor"


def test_only_the_memory_of_a_value_of_which_nothing_more_is_known_is_of_its_entity_alone(
    graph: Workspace
) -> None:
    def fill(writer) -> dict[str, Said]:
        made = Graph(writer)
        mia = made.entity("Mia")
        hobbies = made.aspect(mia, "hobbies")
        return {made.value(hobbies, text): Said(mia, "Mia", "person")
                for text in ("chess", "tea", "judo")}

    def say_more(writer) -> None:
        made = Graph(writer)
        ines = made.entity("Ines")
        made.value(made.aspect(ines, "hobbies"), "chess", memory_id=chess)
        writer.insert("memory_entity_mentions", memory_id=tea, entity_id=ines)

    of_mia = graph.write("fill", fill).result
    chess, tea, judo = of_mia
    graph.write("say more", say_more)
    texts = {chess: "Mia, hobbies: chess", tea: "Mia, hobbies: tea", judo: "Mia, hobbies: judo"}
    with graph.read() as reader:
        only = only_of(reader, of_mia)
        assert list(only) == [judo]
        assert owners(reader, texts, only) == owners(reader, texts) == {
            chess: Owner("Mia and Ines"), tea: Owner("Mia"), judo: Owner("Mia")}


@pytest.mark.parametrize(("text", "name", "says"), [
    ("Mia's flat", "Mia", True), ("Mias Wohnung", "Mia", True), ("Visits Miami", "Mia", False),
    ("Written in C++", "C++", True), ("STRASSE", "Straße", False), ("東京に住む", "東京", True),
    ("서울에서 일한다", "서울", True), ("the harbor  ledger runs", "Harbor Ledger", True),
    ("anything", "", False)])
def test_a_name_is_found_as_a_word_of_its_own(text: str, name: str, says: bool) -> None:
    assert says_name(name_key(text), name) is says


@pytest.mark.parametrize(("text", "name", "said"), [
    ("the mias and mia", "Mia", True), ("miami", "Mia", False), ("mia's dog", "Mia", True),
    ("mia’s", "mia", True), ("mias", "mia", True), ("amia mia_ mia-b", "mia", True),
    ("amia mia_", "mia", False), ("aa aaa", "aa", True), ("aaa", "aa", False), ("x", "", False),
    ("我在北京", "北京", True)])
def test_a_name_is_said_where_it_is_a_word_of_its_own(text: str, name: str, said: bool) -> None:
    assert says_name(text, name) is said


def test_whose_a_memory_is_follows_a_change_at_once(graph: Workspace) -> None:
    memory = graph.write("remember", lambda writer: observed(
        Graph(writer), "Lives in Leipzig", "Mia")).result
    assert [each.entity for each in owned(graph, memory)] == ["Mia"]
    graph.write("rename", lambda writer: writer.update_where(
        "entities", "name = :was", {"name": "Lena"}, was="Mia"))
    assert [each.entity for each in owned(graph, memory)] == ["Lena"]
