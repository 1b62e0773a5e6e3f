"""Which things of the sky are marked as added, changed or gone, and where the missing ones are."""

import numpy as np

from core.constellation.change_marks import MOST_ABSENT, marks_of, marks_of_new, placed
from core.model.inbox import ENTITY, MEMORY, VALUE, InboxItem
from core.queries.graph_difference import CHANGES, Difference
from tests.skies import cross

ADDED, GONE, CHANGED = map(CHANGES.index, ("added", "gone", "changed"))


def test_an_entity_is_added_gone_or_else_changed_and_its_values_are_marked_apart() -> None:
    marks = marks_of((
        Difference("entity", "added", "mid", "Mid"),
        Difference("claim", "added", "mid", "Mid", value_ids=("v0",)),
        Difference("claim", "gone", "west", "West"),
        Difference("claim", "changed", "east", "East", value_ids=("v4", "v5")),
        Difference("link", "added", "north", "North", other_id="south")))
    scene = cross()
    sky = placed(marks, scene)
    assert dict(zip(sky.nodes.tolist(), sky.codes.tolist(), strict=True)) == {
        scene.index["mid"]: ADDED, scene.index["west"]: CHANGED, scene.index["east"]: CHANGED}
    assert sky.others == {"v0": ADDED, "v4": CHANGED, "v5": CHANGED}
    assert sky.links.tolist() == [[scene.index["north"], scene.index["south"], ADDED]]
    assert [change for change, _ in sky.words] == list(CHANGES[:1]) + ["changed"]


def test_what_is_not_in_the_sky_stands_where_it_stood_or_beside_what_it_was_linked_with() -> None:
    marks = marks_of(
        (Difference("entity", "gone", "old", "Old"), Difference("entity", "gone", "lost", "Lost"),
         Difference("entity", "gone", "near", "Near"),
         Difference("link", "gone", "near", "Near", other_id="west")),
        places={"old": (3.0, 4.0, False)})
    scene = cross()
    sky = placed(marks, scene)
    at = dict(zip(sky.labels, zip(sky.x.tolist(), sky.y.tolist(), strict=True), strict=True))
    assert at["Old"] == (3.0, 4.0)
    west = scene.index["west"]
    assert np.hypot(at["Near"][0] - scene.x[west], at["Near"][1] - scene.y[west]) < 1.2
    assert np.hypot(*at["Lost"]) > 1.5, "at the edge of the sky"
    assert set(sky.absent_codes.tolist()) == {GONE}
    start, end, code = sky.links.tolist()[0]
    assert (sky.labels[start - scene.entities], end, code) == ("Near", west, GONE)


def test_of_two_agents_the_one_whose_sky_it_is_has_the_marks() -> None:
    marks = marks_of((
        Difference("claim", "changed", "theirs", "Mid", earlier_id="mid"),
        Difference("link", "gone", "theirs", "Mid", other_id="their west", earlier_id="mid",
                   earlier_other_id="west")), {"changed": "different", "gone": "only a"})
    scene = cross()
    sky = placed(marks, scene)
    assert sky.nodes.tolist() == [scene.index["mid"]]
    assert sky.links.tolist() == [[scene.index["mid"], scene.index["west"], GONE]]
    assert dict(sky.words) == {"changed": "different", "gone": "only a"}


def test_far_more_than_can_be_seen_is_left_to_the_list() -> None:
    sky = placed(marks_of(Difference("entity", "gone", f"x{k}", f"X {k}") for k in range(500)),
                 cross())
    assert len(sky.labels) == MOST_ABSENT


def test_what_was_written_since_a_time_is_new_at_its_entity_or_else_by_itself() -> None:
    def item(kind: str, id: str, at: str, entity: str = "") -> InboxItem:
        return InboxItem(kind, id, "", "bot", at, entity_id=entity)
    marks = marks_of_new((
        item(ENTITY, "mid", "2026-05-02", "mid"), item(VALUE, "v9", "2026-05-02", "west"),
        item(MEMORY, "m3", "2026-05-02"), item(MEMORY, "m4", "2026-05-02", "east"),
        item(VALUE, "v1", "2026-04-30", "south")), "2026-05-01")
    assert set(marks.changes) == {"mid", "west", "v9", "m3", "east"}
    scene = cross()
    sky = placed(marks, scene)
    assert {scene.ids[node] for node in sky.nodes.tolist()} == {"mid", "west", "m3", "east"}
    assert sky.words == (("added", "new since your last visit"),)
