"""What says the same as a better hit, but for a version, comes behind what says something else."""

from tests.core.recalling import answer, found


def test_repeats_come_behind_what_says_something_else(graph) -> None:
    workspace = graph(lambda g: [
        *(g.memory(f"docs: correct the license in the readme (v0.1.{n})") for n in range(12)),
        g.memory("the license is kept for years in the safe of the office next door")])
    texts = found(workspace, "Where is the license?")
    assert any("in the safe" in text for text in texts[:2])
    assert "says the same as a better one" in answer(workspace, "license").hits[2].why


def test_what_is_said_again_with_each_version_is_as_rare_as_if_said_once(graph) -> None:
    """Else the licence, which forty releases tell of, counts less than any word told of twenty."""
    workspace = graph(lambda g: [
        *(g.memory(f"docs: correct license to Apache in readmes (v0.1.{n})") for n in range(40)),
        *(g.memory(f"the lantern of room {n} hangs in the harbour") for n in range(20)),
        *(g.memory(f"something else about the town, part {n}") for n in range(60))])
    assert "license to Apache" in found(workspace, "Which licence does the lantern use?")[0]


def test_texts_with_other_numbers_are_no_repeats(graph) -> None:
    workspace = graph(lambda g: [g.memory(f"the letter has {n} readers") for n in (61, 148, 231)])
    assert not any("repeat" in hit.steps for hit in answer(workspace, "letter readers").hits)
