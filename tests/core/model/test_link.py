"""A link is said in the words of its type, or of the file that it came from."""

from core.model.link import link_in_words, own_sentence, own_words

LONG = "the old owner has left it to her"


def test_a_link_is_called_by_few_words_and_said_in_more() -> None:
    assert own_words("related_to", "works_at", "mcp") == "works at"
    assert own_sentence("related_to", "works_at", "mcp") == ""
    assert own_words("related_to", LONG, "mcp") == ""
    assert own_sentence("related_to", LONG, "mcp") == LONG


def test_what_a_person_or_an_agent_gave_as_a_reason_is_no_name_of_a_link() -> None:
    assert own_words("related_to", "works at", None) == own_sentence("uses", LONG, "mcp") == ""


def test_a_sentence_of_both_ends_stands_alone() -> None:
    assert link_in_words("Ann", "works at", "Mill", "since May") == "Ann works at Mill: since May"
    assert link_in_words("Ann", "is related to", "Mill", "", LONG) == (
        f"Ann is related to Mill: {LONG}")
    assert link_in_words("Ann", "is related to", "Mill", "", "ann has left the mill") == (
        "ann has left the mill")


def test_no_part_of_a_word_is_a_name_and_no_reason_takes_the_place_of_the_type() -> None:
    annual = "an annual plan was milled here"
    assert link_in_words("Ann", "is related to", "Mill", "", annual) == (
        f"Ann is related to Mill: {annual}")
    assert link_in_words("Ann", "owns", "Mill", "Ann bought the Mill") == (
        "Ann owns Mill: Ann bought the Mill")
