"""`mute` keeps its word: never by itself by any way of telling; asked for by name it comes.

On a native file and on two generations of Signet's.
"""

import numpy as np
import pytest
from msgspec.structs import replace

from core.ontology import control
from core.recall.filters import Filters
from core.recall.hybrid import recall
from core.session.start import start
from core.settings import Settings
from core.store.reader_and_writer import Reader
from core.traversal.focal import resolve
from core.traversal.focal_signals import Signals
from core.traversal.walk import walk
from core.workspace import Workspace
from tests.core.graphs import Graph

SAID = "The foghorn drones"
"""How every memory about the muted entity begins."""
BOTH = "Foghorn and Lighthouse share a fuse"
WAYS = ("walk", "recall", "session")


class Alike:
    """An embedder to which everything about a noise means the same."""

    name, dimensions = "alike", 2

    def embed(self, texts):
        return np.array([[1.0, 0.0] if "drone" in text or "noise" in text else [0.0, 1.0]
                         for text in texts], np.float32)


@pytest.fixture
def muted(graph: Workspace) -> Workspace:
    """A muted and pinned Foghorn Tower with memories by each way, beside a Lighthouse."""
    def fill(writer: object) -> None:
        made = Graph(writer)
        made.entity("Foghorn Tower", "system", id="foghorn")
        made.entity("Lighthouse", "system", id="light")
        made.aspect("foghorn", "sound", id="sound")
        made.aspect("light", "lamp", id="lamp")
        made.memory(f"{SAID} by mention", "foghorn", id="by-mention", importance=1.0)
        made.memory(f"{SAID} by value", id="by-value", importance=1.0)
        made.value("sound", f"{SAID} as a value", "tone", id="value", memory_id="by-value")
        made.value("sound", f"{SAID} by rule", "rule", id="rule", kind="constraint")
        made.memory(BOTH, "foghorn", "light", id="both", importance=1.0)
        made.link("light", "foghorn", "uses", strength=0.9, confidence=0.9)
        made.link("foghorn", "light", "part_of", strength=0.9, confidence=0.9)

    graph.write("Fill", fill)
    graph.write("Pin", lambda w: control.apply(w, "pin_entity", {"entity": "foghorn"}))
    graph.write("Mute", lambda w: control.apply(w, "mute_entity", {"entity": "foghorn"}))
    return graph


def lines(reader: Reader, given: Signals) -> dict[str, list[str]]:
    """What each way of telling brings."""
    settings = Settings()
    sure = settings.model_copy(update={"session": settings.session.model_copy(
        update={"exploration_rate": 1.0})})
    walked = walk(reader, resolve(reader, given, settings.traversal), settings.traversal)
    began = start(reader, replace(given, session_key="s1"), sure, Alike())
    hits = recall(reader, given.query, settings.recall, Alike()).hits if given.query else ()
    return {
        "walk": [each.content for each in (*walked.memories, *walked.constraints)],
        "recall": [hit.memory.content for hit in hits],
        "session": [began.text, *(each.content for each in began.candidates)],
    }


def tells(lines: list[str], what: str = SAID) -> bool:
    return any(what in line for line in lines)


@pytest.mark.parametrize("given", [
    Signals(), Signals(query="What drones at night? A noise?"),
    Signals(query="Who hears the tower"), Signals(query="Lighthouse"),
    Signals(project="/srv/foghorn"), Signals(checkpoint_ids=("foghorn",)),
], ids=["nothing asked", "by meaning and words", "by a word of its name", "from a neighbour",
        "by the folder", "by a checkpoint"])
def test_what_is_muted_comes_by_no_way_by_itself(muted: Workspace, given: Signals) -> None:
    with muted.read() as reader:
        ways = lines(reader, given)
    assert {way: tells(ways[way]) for way in WAYS} == dict.fromkeys(WAYS, False), ways


@pytest.mark.parametrize("given", [
    Signals(query="What about the Foghorn Tower?"), Signals(query="foghorn tower")])
def test_what_is_muted_comes_when_it_is_asked_for_by_name(
    muted: Workspace, given: Signals
) -> None:
    with muted.read() as reader:
        ways = lines(reader, given)
    assert {way: tells(ways[way]) for way in WAYS} == dict.fromkeys(WAYS, True), ways


def test_a_memory_that_is_also_about_something_else_comes(muted: Workspace) -> None:
    with muted.read() as reader:
        ways = lines(reader, Signals(query="Lighthouse"))
    assert {way: tells(ways[way], BOTH) for way in WAYS} == dict.fromkeys(WAYS, True), ways


def test_unmuting_brings_it_back_everywhere(muted: Workspace) -> None:
    muted.write("Unmute", lambda w: control.apply(w, "unmute_entity", {"entity": "foghorn"}))
    with muted.read() as reader:
        ways = lines(reader, Signals(query="What drones at night? A noise?"))
    assert {way: tells(ways[way]) for way in WAYS} == dict.fromkeys(WAYS, True), ways


def test_a_list_by_filters_leaves_it_out(muted: Workspace) -> None:
    with muted.read() as reader:
        hits = recall(reader, "", filters=Filters(importance_min=0.9)).hits
    told = [hit.memory.content for hit in hits]
    assert tells(told, BOTH)
    assert not tells(told)
