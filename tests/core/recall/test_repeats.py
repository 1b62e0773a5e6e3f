"""What says the same as a better hit, but for a version, comes behind what says something else."""

from tests.core.recalling import answer, found


def test_repeats_come_behind_what_says_something_else(graph) -> None:
    workspace = graph(lambda g: [
        *(g.memory(f"docs: correct the license in the readme (v0.1.{n})") for n in range(12)),
        g.memory("the license is kept for years in the safe of the office next door")])
    texts = found(workspace, "Where is the license?")
    assert any("in the safe" in text for text in texts[:2])
    assert "says the same as a better one" in answer(workspace, "license").hits[2].why


def test_texts_with_other_numbers_are_no_repeats(graph) -> None:
    workspace = graph(lambda g: [g.memory(f"the letter has {n} readers") for n in (61, 148, 231)])
    assert not any("repeat" in hit.steps for hit in answer(workspace, "letter readers").hits)
