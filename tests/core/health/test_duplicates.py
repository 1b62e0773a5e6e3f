"""Which names are taken for one: by strictness, on pairs that the rules were not tuned on."""

import pytest

from core.health.config import HealthSettings
from core.health.name_matching import LEVELS, Named, duplicates, letters_of
from tests.bench.duplicates import score
from tests.duplicate_names import ALIKE, ASIDE, TRUE

LEAST = {"exact": 0.0, "punctuation": 0.15, "aliases": 0.3, "words": 0.6, "spelling": 0.75,
         "neighbours": 0.9}
"""The share of the true pairs that each strictness must find."""


@pytest.mark.parametrize("strictness", LEVELS)
def test_look_alikes_stay_apart_and_each_step_finds_more(strictness: str) -> None:
    result = score(ASIDE, strictness)
    assert result.precision >= 0.95, result.wrong
    assert result.recall >= LEAST[strictness], result.missed


def test_there_are_as_many_pairs_as_are_asked_for() -> None:
    assert (len(TRUE), len({pair.kind for pair in TRUE}), len(ALIKE)) == (60, 6, 60)
    names = [name for pair in (*TRUE, *ALIKE) for name in (pair.one, pair.other)]
    assert len(set(names)) == len(names), "no name stands in two pairs"


def named(*names: str) -> list[Named]:
    return [Named(str(number), name, "project") for number, name in enumerate(names)]


def test_the_best_known_gives_its_name_and_likeness_is_not_passed_on() -> None:
    known = [Named("a", "Promethues", rank=(1,)), Named("b", "Prometheus", rank=(9,)),
             Named("c", "prometheus", rank=(2,)), Named("d", "Prometeus", rank=(0,))]
    [group] = duplicates(known, "spelling")
    assert group.target.id == "b"
    assert [one.id for one in group.sources] == ["c", "a", "d"]


def test_a_common_word_of_two_names_is_no_slip() -> None:
    names = named("marina plan", "mariner plan", "marina log", "mariner log")
    assert duplicates(names, "spelling") == []


def test_thousands_of_one_name_are_one_group() -> None:
    [group] = duplicates(named(*["Harbor Ledger"] * 3000), "neighbours")
    assert len(group.sources) == 2999


@pytest.mark.parametrize(("one", "other", "same"), [
    ("Harbor-Ledger", "harbor ledger", True), ("1.2", "12", False), ("C++", "C", False),
    (".env", "env", False), ("**Tidewatch**", "tidewatch", True),
    ("@scope/pkg", "scope pkg", True)])
def test_what_punctuation_means(one: str, other: str, same: bool) -> None:
    assert (letters_of(one) == letters_of(other)) == same


@pytest.mark.parametrize(("one", "other", "kind", "same"), [
    ("Nordlicht Software", "NordlichtSoftware GmbH", "organization", True),
    ("Harbor Works, Inc.", "Harbor Works", "organization", True),
    ("Tidepool", "Project Tidepool", "project", True),
    ("Harbor Ledger", "Harbor Ledger service", "service", True),
    ("Harbor Ledger", "Harbor Ledger archive", "service", False),
    ("Release 1.2", "Project Release 12", "project", False),
    ("Ha", "Project Ha", "project", False)])
def test_a_legal_form_and_the_kind_of_thing_make_no_other_name(
    one: str, other: str, kind: str, same: bool
) -> None:
    pair = [Named("1", one, kind), Named("2", other, kind)]
    assert bool(duplicates(pair, "words")) == same
    assert not duplicates([pair[0], Named("2", other, "place")], "words"), "of two types"


def test_a_slip_of_the_pen_is_a_finding_without_asking_for_it() -> None:
    people = [Named("1", "Jonas Petersen", "person"), Named("2", "Jonas Peterson", "person")]
    assert len(duplicates(people, HealthSettings().duplicates)) == 1
