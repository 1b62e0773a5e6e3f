"""Text on one line, and how many there are of something."""

from core.model.text_formatting import clip, counted, one_line


def test_long_texts_are_cut_within_the_limit_and_say_so() -> None:
    assert clip("x" * 100_000, 4000) == "x" * 3999 + "…"
    assert clip("short", 5) == "short"
    assert one_line("a long   line", 7) == "a long…"
    assert one_line("a long line", 9, "...") == "a long..."


def test_white_space_is_one_space() -> None:
    assert one_line(" Alpha\n\tBeta ") == "Alpha Beta"


def test_counts_agree_with_their_noun() -> None:
    assert [counted(n, "memory") for n in (0, 1, 2000)] == [
        "0 memories", "1 memory", "2,000 memories"]
    assert counted(3, "value confirmed") == "3 values confirmed"
    assert counted(2, "was skipped", "were skipped") == "2 were skipped"
