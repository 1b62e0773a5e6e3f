"""The words of a question, in any script, and the English endings that do not matter."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.model.search_words import (
    STOP_WORDS,
    cores,
    fold,
    forms,
    spelling_twins,
    stem,
    telling,
    terms,
    words,
)


@pytest.mark.parametrize(("family", "stranger"), [
    ("paint paints painted painting paintings", "pain"),
    ("study studies studied studying", "student"),
    ("stop stops stopped stopping", "stoop"),
    ("make makes making", "mak"),
    ("use uses used using", "us"),
    ("box boxes boxed boxing", "bo"),
    ("city cities", "citizen"),
    ("class classes", "clas"),
    ("hope hopes hoped hoping", "hop"),
    ("tie ties tied", "tide"),
    ("run runs running", "rung"),
])
def test_all_forms_of_a_word_have_one_stem(family: str, stranger: str) -> None:
    every = family.split()
    assert len({stem(word) for word in every}) == 1
    assert stem(stranger) != stem(every[0])
    for word in every:
        assert set(every) <= set(forms(word))


@pytest.mark.parametrize("word", ["king", "ring", "bus", "this", "seed", "need", "gas", "2023",
                                  "über", "Москва", "id"])
def test_what_only_looks_like_an_ending_is_none(word: str) -> None:
    assert stem(word) == word


@given(st.from_regex(r"[a-z]{1,12}", fullmatch=True))
def test_a_word_is_among_its_own_forms_and_all_of_them_have_its_stem(word: str) -> None:
    known_forms = forms(word)
    assert word in known_forms
    assert {stem(form) for form in known_forms} <= {stem(word), stem(known_forms[0])}


def test_stop_words_are_left_out_unless_there_is_nothing_else() -> None:
    assert [term.word for term in terms("What is the name of her dog?")] == ["name", "dog"]
    assert [term.word for term in terms("Who is he?")] == ["who", "is", "he"]
    assert telling("Where did the ship go in the end?") == "ship go end"
    assert "the" in STOP_WORDS


@pytest.mark.parametrize(("question", "told"), [
    ("Wer ist mein Tierarzt für den Hund?", ["tierarzt", "hund"]),
    ("Wann läuft die Garantie der Waschmaschine ab?", ["läuft", "garantie", "waschmaschine"]),
    ("Who cast the die with a hat on?", ["cast", "die", "hat"]),
    ("Was war Lena for?", ["war", "lena"])])
def test_german_stop_words_are_left_out_of_german_questions_only(
    question: str, told: list[str]
) -> None:
    assert [term.word for term in terms(question)] == told
    assert telling(question) == " ".join(map(fold, told))


def test_a_thing_asked_twice_in_two_forms_is_looked_for_once() -> None:
    assert [term.word for term in terms("paint painting Paints")] == ["paint"]


def test_scripts_without_spaces_are_looked_for_in_short_pieces_anywhere() -> None:
    looked_for = terms("東京タワー iPhone15を ภาษาไทย")
    anywhere = [term.word for term in looked_for if term.anywhere]
    assert anywhere[:4] == ["東京", "京タ", "タワ", "ワー"]
    assert "ภาษ" in [term.word for term in looked_for if term.anywhere]
    assert "iphone15" in [term.word for term in looked_for if not term.anywhere]


def test_words_of_every_script_and_emoji_are_words() -> None:
    assert words("Привет, мир! हिन्दी שלום 🎉x") == ["привет", "мир", "हिन्दी", "שלום", "🎉", "x"]
    assert [t.anywhere for t in terms("🎉 party")] == [True, False]


def test_a_word_is_looked_for_as_full_text_holds_it() -> None:
    assert {"чёрный", "черный"} <= set(terms("чёрный")[0].forms) & set(terms("черный")[0].forms)
    assert "чай" in terms("ЧАЙ")[0].forms
    assert terms("чай")[0].word == "чай"
    assert "قهوة" in terms("والقهوة")[0].forms


def test_a_korean_word_is_found_with_any_particle() -> None:
    assert terms("서울에서")[0] == terms("서울")[0]


def test_the_cores_of_a_word_are_held_by_every_form() -> None:
    for word in ("studies", "чёрный", "قهوة", "harbor"):
        known = terms(word)[0].forms
        assert all(any(core in form for core in cores(known)) for form in known)
    assert cores(("harbors", "harbor", "harbored")) == ("harbor",)


def test_accents_and_capitals_do_not_matter() -> None:
    assert fold("Ça Été") == "ca ete"
    assert terms("Müllers")[0].forms[0] == terms("mullers")[0].forms[0]


@given(st.text(max_size=80))
def test_any_text_can_be_asked(text: str) -> None:
    for term in terms(text):
        assert term.forms
        assert term.word
    assert isinstance(telling(text), str)


@pytest.mark.parametrize(("word", "twin"), [
    ("licence", "license"), ("colours", "colors"), ("organise", "organize"), ("center", "centre"),
    ("catalog", "catalogue")])
def test_an_english_word_is_found_in_its_other_spelling(word: str, twin: str) -> None:
    assert twin in spelling_twins(word)
    (term,) = terms(word)
    assert twin in term.forms


@pytest.mark.parametrize("word", ["four", "your", "日本", "größe", "table"])
def test_short_and_other_words_have_no_other_spelling(word: str) -> None:
    assert spelling_twins(word) == ()


def test_irregular_forms_of_a_word_are_one_word() -> None:
    for several in (("build", "built", "building"), ("go", "went"), ("child", "children")):
        keys = {forms(word)[0] for word in several}
        assert len(keys) == 1, several
        assert all(set(several[:2]) <= set(forms(word)) for word in several)
