"""What every operation says of itself (`OperationInfo`) is what it does."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec.structs import fields

from core.model.changes import RowChange
from core.ontology import control
from core.ontology.operation_catalog import CATALOG
from core.ontology.payload_base import OperationInfo
from core.ontology.request_descriptions import Target, describe, targets
from core.queries.row_names import labels_of
from core.review.effects import effects
from core.workspace import Workspace
from tests.contracts.files import make
from tests.contracts.test_catalog_contracts import prepare

EVERY = pytest.mark.parametrize("name", sorted(CATALOG))
INVERTIBLE = pytest.mark.parametrize(
    "name", [name for name in sorted(CATALOG) if CATALOG[name].info.inverse])
DEFAULTS = {field.name: field.default for field in fields(OperationInfo)}
ROLES = ("entity", "other", "aspect", "value", "attribute", "link", "entity_type")


@pytest.fixture
def native(tmp_path: Path):  # type: ignore[no-untyped-def]
    """A native file with the world in it."""
    workspace = make("native", tmp_path / "graph.db", tmp_path / "side")
    yield workspace
    workspace.close()


def target(graph: Workspace, name: str, payload: dict[str, object]) -> Target:
    with graph.read() as reader:
        return targets(reader, [(name, payload)])[0]


def changes(graph: Workspace, name: str) -> Sequence[RowChange]:
    """What the sample's payload changes, without the audit."""
    payload = prepare(graph, name)
    done = graph.rehearse(lambda writer: control.apply(writer, name, payload)).changes
    return [change for change in done if change.table != "ontology_proposals"]


@EVERY
def test_it_names_fields_that_it_has(name: str) -> None:
    operation = CATALOG[name]
    known = set(operation.fields.model_fields)
    for role in ROLES:
        names = getattr(operation.info, role)
        assert names == DEFAULTS[role] or set(names) <= known, role
    arguments = operation.info.arguments
    assert arguments is None or (set(arguments) <= known
                                 and len(set(arguments)) == len(arguments))


@EVERY
def test_what_it_changes_has_words_on_a_card(native: Workspace, name: str) -> None:
    changed = changes(native, name)
    with native.read() as reader:
        assert effects(changed, labels_of(reader, changed)) or not changed
        assert all(effect.text.strip() for effect in effects(changed, labels_of(reader, changed)))


@EVERY
def test_its_line_and_label_have_words(native: Workspace, name: str) -> None:
    about = target(native, name, prepare(native, name))
    assert about.line()
    assert "{" not in about.line() + about.label()
    assert about.label()


@EVERY
def test_its_title_begins_with_a_word_that_has_a_past_tense(native: Workspace, name: str) -> None:
    with native.read() as reader:
        title = describe(reader, name, prepare(native, name)).title
    assert title.split()[0] in CATALOG[name].info.past


@EVERY
def test_what_it_is_about_is_what_it_changes(native: Workspace, name: str) -> None:
    about = target(native, name, prepare(native, name))
    touched = {str(value) for change in changes(native, name)
               for row in (change.before, change.after) if row for value in row.values()}
    assert about.found
    if about.entity is None:
        assert CATALOG[name].info.makes
        assert about.name in touched
    else:
        # A value knows its entity through its aspect alone.
        assert about.entity.id in touched or about.attribute_id or about.slot


@EVERY
def test_every_name_of_a_field_means_the_same(native: Workspace, name: str) -> None:
    operation, payload = CATALOG[name], prepare(native, name)
    about = target(native, name, payload)
    for field in operation.fields.model_fields:
        names = operation.fields.names_of(field)
        given = next((key for key in names if key in payload), None)
        for other in names if given else ():
            spelled = {key: value for key, value in payload.items() if key != given}
            spelled[other] = payload[given]  # type: ignore[index]
            if len(spelled) == len(payload):  # Not the name of another field that is given.
                assert target(native, name, spelled) == about, other


@EVERY
def test_the_sky_draws_what_the_rows_do(native: Workspace, name: str) -> None:
    """An entity, aspect or value that is new appears, a link is drawn, what is archived goes."""
    info, rows = CATALOG[name].info, changes(native, name)
    new = {change.table for change in rows if change.before is None}
    gone = {change.table for change in rows if is_active(change.before)
            and not is_active(change.after)}
    if "entity_dependencies" in new:
        expected = "link"
    elif gone & {"entities", "entity_dependencies"} and not info.other_goes:
        expected = "go"
    elif new & {"entities", "entity_aspects", "entity_attributes"} and not gone:
        expected = "appear"
    else:
        expected = "change"
    assert info.effect == expected
    assert info.other_goes == any(change.table == "entities" and change.after is None
                                  for change in rows)


def is_active(row: object) -> bool:
    return row is not None and row.get("status", "active") == "active"  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", [name for name in sorted(CATALOG)
                                  if CATALOG[name].info.entity != ()])
def test_what_makes_its_entity_says_so(native: Workspace, name: str) -> None:
    operation, payload = CATALOG[name], dict(prepare(native, name))
    field = next((key for part in operation.info.entity
                  for key in (operation.fields.names_of(part)
                              if part in operation.fields.model_fields else ())
                  if key in payload), None)
    if field is None:
        assert not operation.info.makes  # It names a value or a link by its id.
        return
    payload[field] = "Nobody knows this"
    outcomes = native.rehearse(lambda writer: control.batch(
        writer, [{"operation": name, "payload": payload}], "dry_run")).result
    assert operation.info.makes == (not outcomes.errors)


@INVERTIBLE
def test_its_inverse_takes_it_back(native: Workspace, name: str) -> None:
    inverse = CATALOG[name].info.inverse
    assert CATALOG[inverse].info.inverse == name
    payload = {**prepare(native, name), "force": True}

    def both(writer):  # type: ignore[no-untyped-def]
        control.apply(writer, name, payload)
        control.apply(writer, inverse, payload)

    left = [(change.table, column) for change in native.rehearse(both).changes
            if change.table != "ontology_proposals" for column in change.columns
            if not column.startswith(("updated_", "proposal_", "archive", "pinned_at", "muted_at",
                                      "memory_id"))]
    assert left == []


def unstamped(rows: Sequence[RowChange]) -> list[tuple[str, tuple[str, ...]]]:
    """The rows that were changed without a new `updated_at`."""
    return [(change.table, tuple(change.columns)) for change in rows
            if change.before and change.after and "updated_at" in change.after
            and change.before["updated_at"] == change.after["updated_at"]]


@EVERY
def test_it_stamps_the_time_on_every_row_that_it_changes(native: Workspace, name: str) -> None:
    assert unstamped(changes(native, name)) == []


def test_an_operation_that_forgets_the_time_is_found_out(native: Workspace) -> None:
    rehearsal = native.rehearse(
        lambda writer: writer.update("entities", "e-harbor", description="Nothing else"))
    assert unstamped(rehearsal.changes) == [("entities", ("description",))]
