"""German questions on German facts, and questions about families by their links."""

import pytest

from core.model.link_and_type_synonyms import asked_for_kin
from core.model.search_words import genitives, names_by_capital
from tests.core.graphs import Graph
from tests.core.recalling import WordAxes, answer, texts

ANNA, CATS = "Anna, Geburt: Geboren am 3. Mai 1990", "Anna, Tiere: Hat zwei Katzen"
RENT, CAR = "Wohnung, Kosten: Miete 1.200 Euro im Monat", "Lukas, Auto: Fährt einen VW Golf"
DENTIST = "Zahnarzt, Termine: Nächster Termin am 16. Dezember 2026"
MILA, EMIL = "Mila, identity: Born on 9 June 2015", "Emil, identity: Born on 4 March 2019"
OTHERS = ("Anna, Beruf: Arbeitet in Köln", "Lukas, Essen: Mag keine Pilze",
          "Rosa, home: Lives in Bath", "Tim, Schule: Geht in die dritte Klasse",
          "Nora, work: Works as a nurse", "Ben, work: Works as a teacher",
          "Weiss, practice: At Mill Lane 3", "Wohnung, Lage: Liegt in Nippes")


def household(g: Graph) -> None:
    people: dict[str, str] = {}
    for text in (ANNA, CATS, RENT, CAR, DENTIST, MILA, EMIL, *OTHERS):
        name = text.split(",", maxsplit=1)[0]
        people[name] = people.get(name) or g.entity(name, "person")
        g.memory(text, people[name])
    for source, kind, target in (
        ("Anna", "mother_of", "Tim"), ("Rosa", "grandmother_of", "Mila"),
        ("Nora", "parent_of", "Mila"), ("Nora", "parent_of", "Emil"), ("Ben", "married_to", "Nora"),
    ):
        g.link(people[source], people[target], kind)
    g.link(people["Weiss"], g.entity("The children", "group"), "treats")


@pytest.mark.parametrize(("question", "facts"), [
    ("Wie alt ist Anna?", {ANNA}), ("Wann hat Anna Geburtstag?", {ANNA}),
    ("When is Mila's birthday?", {MILA}), ("Wie viele Katzen hat Anna?", {CATS}),
    ("Wie viel kostet die Wohnung?", {RENT}), ("Wann ist der nächste Zahnarzttermin?", {DENTIST}),
    ("Wann ist der nächste Termin beim Zahnarzt?", {DENTIST}),
    ("Welches Auto fährt Lukas?", {CAR}), ("Who is older, Mila or Emil?", {MILA, EMIL}),
    ("Wer ist älter, Mila oder Emil?", {MILA, EMIL}),
])
def test_a_fact_in_other_words_of_the_same_kind_answers(graph, question: str, facts: set[str]
                                                        ) -> None:
    brought = answer(graph(household), question, embedder=WordAxes(dimensions=4_096))
    assert brought.fits
    assert set(texts(brought)[:len(facts)]) == facts


@pytest.mark.parametrize(("question", "links"), [
    ("Wer ist Tims Mutter?", {"Anna mother of Tim"}),
    ("Wer ist die Mutter von Tim?", {"Anna mother of Tim"}),
    ("Wie heißt Tims Mutter?", {"Anna mother of Tim"}),
    ("Who is Mila's grandmother?", {"Rosa grandmother of Mila"}),
    ("Who is Nora's husband?", {"Ben married to Nora"}),
    ("Who are Nora's children?", {"Nora parent of Mila", "Nora parent of Emil"}),
    ("Who treats the children?", {"Weiss treats The children"}),
    ("Who is the children's doctor?", {"Weiss treats The children"}),
])
def test_a_link_answers_who_somebody_is_to_another(graph, question: str, links: set[str]) -> None:
    brought = answer(graph(household), question, embedder=WordAxes(dimensions=4_096))
    assert brought.fits
    assert links == {each.text for each in brought.statements}


@pytest.mark.parametrize(("kind", "of_source", "asked"), [
    ("mother of", False, "mutter"), ("mother of", True, "child"), ("has mother", True, "mutter"),
    ("has mother", False, "child"), ("child", True, "tochter"), ("treats", False, "doctor"),
    ("married to", True, "husband"), ("married to", False, "husband")])
def test_what_a_link_calls_its_beginning_or_its_end_is_known_by_its_words(
    kind: str, of_source: bool, asked: str
) -> None:
    assert asked in asked_for_kin(kind, of_source=of_source)


@pytest.mark.parametrize("question", [
    "Wie groß ist Anna?", "Welche Schuhgröße hat Anna?", "Wie viele Hunde hat Anna?",
    "Wann ist der nächste Friseurtermin?", "Wie viel kostet das Auto?", "Wie alt ist Lukas?",
    "Wann hat Lukas Geburtstag?", "Wer ist Tims Vater?", "Wer ist Annas Bruder?",
    "Who is Emil's grandmother?", "Who is Anna's mother?", "Wer ist Annas Mutter?",
    "Who are Ben's children?", "Who are Emil's children?",
    "When is Nora's birthday?", "Who is taller, Mila or Emil?", "Who teaches the children?"])
def test_what_is_not_known_fits_nothing(graph, question: str) -> None:
    brought = answer(graph(household), question, embedder=WordAxes(dimensions=4_096))
    assert not brought.fits or not (brought.hits or brought.statements)


@pytest.mark.parametrize(("question", "names"), [
    ("Wie viele Katzen hat Anna?", {"anna"}), ("Wann ist der nächste Termin bei Lukas?", {"lukas"}),
    ("Wer ist Tims Mutter?", {"tims"}), ("Wo arbeitet Petra?", {"petra"})])
def test_german_nouns_are_no_names(question: str, names: set[str]) -> None:
    assert names_by_capital(question) == names


def test_whose_something_is_is_named_in_a_german_question_only() -> None:
    assert genitives("Wer ist Tims Mutter?") == ("tim",)
    assert genitives("Who is Tims Mutter?") == ()
