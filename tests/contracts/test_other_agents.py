"""No query tells an agent of another agent's rows: over every function that reads for people."""

import importlib
import inspect
import pkgutil
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import core.constellation
import core.queries
import core.review
from core.constellation.sky_rows import sky
from core.embedding.choose_embedder import offline
from core.errors import ConstellationError
from core.model.changes import Changes, RowChange
from core.model.claims_and_assertions import Slot
from core.model.sky_columns import SkyRows
from core.ontology.merges import MergeEntities
from core.queries.assertions import AssertionFilters
from core.queries.entities import list_entities
from core.queries.followed_counts import Followed
from core.queries.memory_subjects import Said
from core.queries.search_syntax import read_search
from core.queries.stats import counts
from core.review.proposal_queue import get_proposal
from core.review.warnings import target_of, values_in_slots
from core.store.reader_and_writer import Reader
from core.workspace import Workspace
from explorer import model_json
from tests.contracts.rival import OF_COMMANDS, SECRETS, TYPED, leaks, rival_world

PACKAGES = (core.queries, core.review, core.constellation)
NUMBERS = re.compile(r"ndarray|Positions|Counts \| None")
"""Answers that hold no words."""


def modules() -> Iterator[ModuleType]:
    """Every module that reads for people."""
    for package in PACKAGES:
        for found in pkgutil.iter_modules(package.__path__):
            yield importlib.import_module(f"{package.__name__}.{found.name}")


def queries() -> dict[str, Callable[..., Any]]:
    """Every function of theirs that is given a reader first, by its name."""
    return {f"{module.__name__}.{name}": function for module in modules()
            for name, function in vars(module).items()
            if inspect.isfunction(function) and function.__module__ == module.__name__
            and not name.startswith("_") and takes_reader(function)
            and not NUMBERS.search(str(inspect.signature(function).return_annotation))}


def takes_reader(function: Callable[..., Any]) -> bool:
    first = next(iter(inspect.signature(function).parameters.values()), None)
    return first is not None and first.annotation is Reader


QUERIES = queries()
SLOTS = (Slot("e-harbor", "a-schedule", "attribute", "nightly", "start_time"),
         Slot("e-rival", "a-rival", "attribute", "nightly", "start_time", "v-rival"))
IDS = ("e-harbor", "a-schedule", "v-seven", "d-uses", "m-1", "p-1",
       *(word for word in TYPED if "-rival" in word))
KINDS = ("entity", "memory", "assertion", "value", "link", "aspect", "alias", "source")
"""The kinds of rows that can be chosen from."""
TEXTS = (*IDS, *TYPED, "Harbor Ledger", "Schedule", "starts", "run", "", *KINDS)


def _own_proposal(reader: Reader) -> Any:
    return get_proposal(reader, "p-1")


_VALUES_ON_MEMORIES = """
SELECT v.memory_id, v.content, s.entity_id, e.name AS entity, 'of others' AS told
FROM entity_attributes v JOIN entity_aspects s ON s.id = v.aspect_id
JOIN entities e ON e.id = s.entity_id WHERE v.agent_id = :agent AND e.agent_id = :agent"""
MAKERS: dict[str, Callable[[Reader], tuple[Any, ...]]] = {
    "str": lambda _: TEXTS,
    "str | None": lambda _: TEXTS,
    "Sequence[str]": lambda _: (IDS,),
    "Collection[str]": lambda _: (IDS,),
    "Iterable[str]": lambda _: (IDS,),
    "Mapping[str, str]": lambda _: (dict.fromkeys(IDS, "starts"),),
    "Mapping[str, Said]": lambda _: tuple(
        dict.fromkeys(IDS, Said(id, "Harbor Ledger", "project")) for id in IDS[:2]),
    "Sequence[int]": lambda _: (range(200),),
    "int": lambda _: (50,),
    "Iterable[object]": lambda _: ([{"memory_id": id, "quote": "starts"} for id in IDS],),
    "Iterable[RowChange]": lambda _: ([RowChange(
        "entity_attributes", (id,), None, {"id": id, "aspect_id": id, "entity_id": id})
        for id in IDS],),
    "Slot": lambda _: SLOTS,
    "SearchText": lambda _: tuple(read_search(text) for text in TYPED),
    "str | SearchText": lambda _: TEXTS,
    "Proposal": lambda reader: (_own_proposal(reader),),
    "Target": lambda reader: (target_of(reader, _own_proposal(reader)),),
    "Sequence[tuple[Proposal, Target]]": lambda reader: (
        [(_own_proposal(reader), target_of(reader, _own_proposal(reader)))],),
    "Iterable[Proposal]": lambda reader: ([_own_proposal(reader)],),
    "Iterable[Target]": lambda reader: ([target_of(reader, _own_proposal(reader))],),
    "Mapping[tuple[str, ...], Sequence[sqlite3.Row]]": lambda reader: (values_in_slots(
        reader, [target_of(reader, _own_proposal(reader))]),),
    "MergeEntities": lambda _: tuple(
        MergeEntities.model_validate({"source_entities": [source], "target": target})
        for source, target in (("e-anna", "e-harbor"), ("e-rival", "e-harbor"),
                               ("e-harbor", "e-rival"))),
    "Sequence[EntityRow]": lambda reader: (list_entities(reader),),
    "SkyRows": lambda reader: (sky(reader),),
    "ndarray": lambda reader: (_first_of(sky(reader)),),
    "Changes": lambda _: (Changes(frozenset(("entities", "entity_attributes")), ids={
        "entities": frozenset(IDS), "entity_attributes": frozenset(IDS)}),),
    "Followed | None": lambda reader: (None, Followed(counts(reader))),
    "AssertionFilters": lambda _: (*(AssertionFilters(attribute_id=id, status="all") for id in IDS),
                                   *(AssertionFilters(query=text) for text in TEXTS)),
    "Embedder": lambda _: (offline(),),
    "Reader": lambda reader: (Reader(reader.connection, reader.kind, "nobody", reader.path),),
    "Sequence[sqlite3.Row]": lambda reader: (reader.rows(_VALUES_ON_MEMORIES),),
    "Callable[[str, str, bool], int]": lambda _: (lambda *_: 0,),
    "Callable[[str], bool]": lambda _: (lambda _: True,),
    "Collection[tuple[str, str, str]]": lambda _: (
        [(slot.aspect_id, slot.group_key, slot.claim_key) for slot in SLOTS],),
}
"""What each kind of parameter is given."""
BEFORE_ALL = datetime(2001, 1, 1, tzinfo=UTC)
"""When no graph held anything: what is there now differs from that."""
MANY = 3
"""Of more values than that for one of several parameters, each third is tried with the others."""


def _first_of(rows: SkyRows) -> np.ndarray:
    """Marks the first entity of a sky, among its entities and memories."""
    return np.arange(len(rows.entity_ids) + len(rows.memory_ids)) == 0


def kind_of(parameter: inspect.Parameter) -> str:
    """The parameter's annotation without the modules of its names."""
    if isinstance(parameter.annotation, type) and not hasattr(parameter.annotation, "__args__"):
        return parameter.annotation.__name__
    return re.sub(r"[a-z_.]+\.(?=[A-Z])", "", str(parameter.annotation))


def calls(function: Callable[..., Any], reader: Reader, workspace: Workspace) -> Iterator[
        dict[str, Any]]:
    """Every combination of what its required parameters can be given."""
    required = [one for one in list(inspect.signature(function).parameters.values())[1:]
                if one.default is one.empty]
    with workspace.read_as_of(BEFORE_ALL) as nothing:
        makers = MAKERS | {"Sidecar": lambda _: (workspace.sidecar,),
                           "Reader": lambda _: (nothing,)}
        values = [makers[kind_of(one)](reader) for one in required]
        if len(values) > 1:
            values = [some if len(some) < MANY else some[::MANY] for some in values]
        for given in product(*values):
            yield dict(zip((one.name for one in required), given, strict=True))


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    folder = tmp_path_factory.mktemp("agents")
    rival_world(folder / "graph.db", folder / "side")
    opened = Workspace.open(folder / "graph.db", data_dir=folder / "side")
    yield opened
    opened.close()


@pytest.mark.parametrize("name", QUERIES)
def test_no_query_tells_of_another_agents_rows(workspace: Workspace, name: str) -> None:
    with workspace.read() as reader:
        for given in calls(QUERIES[name], reader, workspace):
            words = "\n".join([*IDS, *(str(one) for one in given.values())])
            try:
                told = repr(model_json.plain(QUERIES[name](reader, **given)))
            except ConstellationError as error:
                told = f"{error} {error.detail}"
            assert leaks(told, words) == [], given


def test_the_window_lists_no_steps_of_another_agent(workspace: Workspace) -> None:
    assert leaks(repr((workspace.history(), workspace.undo_step(), workspace.redo_step()))) == []
    rows = [workspace.changes_of(entry) for entry in range(1, 10)]
    assert leaks(repr(rows)) == []


def test_every_secret_is_told_to_its_own_agent(workspace: Workspace, tmp_path: Path) -> None:
    """So that the rounds above can fail."""
    rival_world(tmp_path / "graph.db", tmp_path / "side")
    own = Workspace.open(tmp_path / "graph.db", data_dir=tmp_path / "side", agent="rival")
    with own.read() as reader:
        told = repr([model_json.plain(function(reader, **given))
                     for name, function in QUERIES.items() if name.split(".")[-1] in OWN
                     for given in calls(function, reader, own)])
    told += repr(own.history())
    own.close()
    assert leaks(told) == [secret for secret in SECRETS if secret not in OF_COMMANDS]


OWN = {"list_entities", "get_value", "get_link", "memories_of", "list_proposals", "aspects_of",
       "get_aspect", "constraints_of", "links_of"}
"""The queries that tell most."""
