"""The review's data without widgets: order, groups, what is next, lit words, editable names."""

from collections.abc import Iterable

from hypothesis import given, settings
from hypothesis import strategies as st

from core.model.changes import Activity, RowChange
from core.model.times import ago
from core.ontology.operation_catalog import CATALOG
from core.queries.row_names import Labels
from core.review.effects import effects
from core.review.queue_order import GroupBy
from core.review.row_differences import differences
from ui.models.activity_log import amount_words
from ui.models.review_queue import (
    GROUPS,
    Arrangement,
    Heading,
    Line,
    QueueRow,
    arrange,
    ids_in,
    key_of,
    next_after,
    without_one,
)
from ui.models.time_wording import day, day_head
from ui.widgets.highlighted_text import AROUND, parts
from ui.widgets.line_list_model import LineModel
from ui.widgets.ordered_ids import OrderedKeys


def row(key: str, **rest: object) -> QueueRow:
    given: dict[str, object] = {
        "title": key, "target": "t", "confidence": 0.5, "risk": "", "when": "",
        "operation": "o", "source": "s", **rest}
    return QueueRow(id=key, **given)  # type: ignore[arg-type]


def test_groups_stand_in_the_order_of_their_first_row() -> None:
    rows = [row("a", target="NAS"), row("b", target="uv"), row("c", target="NAS")]
    lines = arrange(rows, Arrangement(group="entity"))
    assert lines == (Heading("NAS", 2), rows[0], rows[2], Heading("uv", 1), rows[1])


def test_the_riskiest_come_first_and_the_unnamed_before_the_low() -> None:
    rows = [row("low", risk="low"), row("none"), row("odd", risk="review_required"),
            row("high", risk="high"), row("medium", risk="medium")]
    assert ids_in(arrange(rows, Arrangement(sort="risk"))) == [
        "high", "medium", "none", "odd", "low"]


@given(st.lists(st.text(min_size=1), unique=True, min_size=1), st.data())
def test_after_a_verdict_comes_the_next_that_stays(order: list[str], data: st.DataObject) -> None:
    gone = data.draw(st.sets(st.sampled_from(order), min_size=1))
    found = next_after(order, gone)
    stays = [key for key in order if key not in gone]
    if not stays:
        assert found == ""
    else:
        assert found in stays
        last = max(order.index(key) for key in gone)
        later = [key for key in stays if order.index(key) > last]
        assert found == (later[0] if later else stays[-1])


@given(st.lists(st.tuples(st.sampled_from("XYZ"), st.floats(0, 1)), min_size=1, max_size=20),
       st.sampled_from(list(GROUPS)), st.data())
@settings(max_examples=50)
def test_the_queue_without_those_that_were_decided_is_the_queue_of_the_rest(
    rows_of: list[tuple[str, float]], group: GroupBy, data: st.DataObject
) -> None:
    rows = {str(at): row(str(at), target=target, confidence=sure)
            for at, (target, sure) in enumerate(rows_of)}
    how = Arrangement(group, "confidence")
    model = LineModel(key_of, str)
    model.set_lines(arrange(rows.values(), how))
    order = OrderedKeys(ids_in(model.lines))
    for key in data.draw(st.lists(st.sampled_from(list(rows)), unique=True)):
        del rows[key]
        order.take_out(key)
        model.take_out(key, without_one)
        assert _by_group(model.lines) == _by_group(arrange(rows.values(), how))
        assert order.keys == ids_in(model.lines)
        assert order.place(key) is None
        assert not model.index_of(key).isValid()
        for left in rows:
            assert order.keys[order.place(left) or 0] == left
            assert model.key_at(model.index_of(left)) == left


def _by_group(lines: Iterable[Line]) -> dict[Heading | None, list[Line]]:
    """The members of each group; groups keep their places while their first members go."""
    head, groups = None, dict[Heading | None, list[Line]]()
    for line in lines:
        if isinstance(line, Heading):
            head = line
        else:
            groups.setdefault(head, []).append(line)
    return groups


@given(st.text(), st.text(), st.text(min_size=1))
def test_the_quote_is_lit_inside_its_source(before: str, after: str, quote: str) -> None:
    head, lit, tail = parts(quote, before + quote + after, whole=True)
    assert lit == quote
    assert head + lit + tail == before + quote + after


def test_a_long_source_is_cut_around_the_quote() -> None:
    head, lit, tail = parts("here", "x" * 5000 + "here" + "y" * 5000)
    assert (lit, head[0], tail[-1]) == ("here", "…", "…")
    assert len(head) + len(tail) <= 2 * AROUND + 2


def test_a_quote_that_its_source_does_not_hold_stands_alone() -> None:
    assert parts("never said", "something else") == ("", "never said", "")


def test_every_field_of_every_operation_has_a_name_to_edit_it_by() -> None:
    for operation in CATALOG.values():
        for name in operation.fields.model_fields:
            assert operation.fields.names_of(name)


def value(key: str, status: str, content: str, **rest: object) -> dict[str, object]:
    return {"id": key, "aspect_id": "A", "kind": "attribute", "content": content,
            "group_key": "general", "claim_key": "start", "status": status, "version": 1,
            "confidence": 0.5, "updated_at": "now", **rest}


def test_a_value_and_the_one_it_replaces_are_one_difference() -> None:
    changes = (
        RowChange("entity_attributes", ("new",), None, value("new", "active", "two", version=2)),
        RowChange("entity_attributes", ("old",), value("old", "active", "one"),
                  value("old", "superseded", "one")))
    labels = Labels({"E": "Harbor Ledger"}, {"A": "schedule"}, {"A": "E"})
    found = differences(changes, labels)
    assert [(one.title, one.old, one.new) for one in found] == [("schedule · start", "one", "two")]
    assert [(one.sign, one.text) for one in effects(changes, labels)] == [
        ("+", "version 2 of start of Harbor Ledger"),
        ("−", "version 1 of start of Harbor Ledger becomes superseded")]


def test_rows_of_old_files_without_a_status_count_as_active() -> None:
    old = {"id": "v", "aspect_id": "A", "kind": "attribute", "content": "one"}
    found = differences((RowChange("entity_attributes", ("v",), None, old),), Labels())
    assert [(one.verb, one.new) for one in found] == [("new", "one")]


def test_many_rows_of_one_kind_are_counted() -> None:
    changes = tuple(RowChange("memory_entity_mentions", ("m", str(at)), None,
                              {"memory_id": str(at), "entity_id": "e"}) for at in range(12))
    found = effects(changes, Labels(entities={"e": "NAS"}))
    assert [one.text for one in found] == ["12 mentions appear"]


def test_bookkeeping_columns_are_kept_apart() -> None:
    before = {"id": "e", "name": "NAS", "entity_type": "system", "pinned": 0, "pinned_at": None}
    after = {**before, "pinned": 1, "pinned_at": "2026-01-01"}
    found = differences((RowChange("entities", ("e",), before, after),), Labels())[0]
    assert [(one.name, one.before, one.after) for one in found.fields] == [("pinned", "no", "yes")]
    assert [one.name for one in found.more] == ["pinned at"]


def test_times_are_said_as_a_person_would() -> None:
    assert ago("no time") == ""
    assert day("no time") == "no time"
    assert day_head("no time") == "At an unknown time"
    assert ago("2999-01-01T00:00:00Z") == "just now"


def test_an_archived_value_is_called_archived_not_deleted() -> None:
    row = {"id": "v", "aspect_id": "a", "content": "starts at 02:00", "kind": "attribute"}
    change = RowChange("entity_attributes", ("v",), {**row, "status": "active"},
                       {**row, "status": "deleted"})
    shown = differences([change], Labels())
    assert [(field.name, field.before, field.after) for field in shown[0].fields] == [
        ("status", "active", "archived")]


def test_a_value_that_moves_says_from_where_to_where() -> None:
    labels = Labels({"E": "zsh", "F": "NAS"}, {"A": "safety", "B": "setup", "C": "disks"},
                    {"A": "E", "B": "E", "C": "F"})
    row = {"id": "v", "aspect_id": "A", "kind": "attribute", "content": "one",
           "claim_key": "production"}

    def told(aspect: str) -> list[str]:
        change = RowChange("entity_attributes", ("v",), row, {**row, "aspect_id": aspect})
        return [one.text for one in effects((change,), labels)]

    assert told("B") == ["production of zsh moves from safety to setup"]
    assert told("C") == ["production of zsh moves to NAS"]


def test_how_much_an_entry_changed_is_said_in_what_it_changed() -> None:
    def told(rows: int, *tables: str) -> str:
        return amount_words(Activity("", "x", "you", "done", 1, rows, tables))

    assert told(1, "entities") == "1 entity"
    assert told(1, "entity_dependencies") == "1 link"
    assert told(2, "entities") == "2 changes", "perhaps of one entity"
    assert told(7, "entities", "memories") == "7 changes"
    assert told(0) == ""
