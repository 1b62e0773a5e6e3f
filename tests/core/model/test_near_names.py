"""Which known names are offered for one that is not known."""

import time

import pytest

from core.model.did_you_mean import did_you_mean, nearest

SLIPS = (
    ("postgress", "Postgres"), ("harbour ledger", "Harbor Ledger"), ("ines duart", "Ines Duarte"),
    ("setlement job", "settlement job"), ("grafanna", "Grafana"), ("neovin", "Neovim"),
    ("tmx", "tmux"), ("kotlyn", "Kotlin"), ("robin hall", "Robin Hale"), ("uvx", "uv"),
    ("deploy polcy", "deploy policy"), ("recal", "recall"), ("maintanance", "maintenance"),
    ("depend_on", "depends_on"), ("ownd by", "owned by"), ("yusef", "Yusuf"), ("marke", "Marek"),
    ("Yukki", "Yuki Tanaka"), ("Dr. Oeztuerk", "Dr. Öztürk"),
    ("Jorg Weissgerber", "Jörg Weißgerber"),
    ("alrt", "alert"), ("memores.db", "memories.db"), ("my-grap.db", "my-graph.db"),
)
OTHERS = (
    ("memory.jsonl", "memories.db"), ("notes", "tools"), ("harbor", "Marek"), ("a.db", "b.db"),
    ("marco", "Marek"), ("planning", "training"), ("audit week", "audit log"),
    ("ledger", "letter"), ("team dinner", "team diary"), ("work.db", "word.db"),
    ("test.db", "best.db"), ("nothing.db", "demo.db"), ("my-graph.db", "year.db"), ("m", "Marek"),
)


@pytest.mark.parametrize(("typed", "meant"), SLIPS)
def test_a_slip_of_the_hand_finds_what_was_meant(typed: str, meant: str) -> None:
    assert meant in nearest(typed, (meant, "bank calendar", "double bass", "demo.db"))


@pytest.mark.parametrize(("typed", "other"), OTHERS)
def test_another_name_is_not_offered(typed: str, other: str) -> None:
    assert did_you_mean(typed, (other,)) == ""


def test_the_beginning_of_a_name_finds_it() -> None:
    assert nearest("harbor", ("Harbor Ledger", "Marek")) == ("Harbor Ledger",)


def test_a_name_without_end_is_compared_at_once() -> None:
    began = time.process_time()
    assert nearest("a" * 1_000_000, [f"Harbor {number}" for number in range(500)]) == ()
    assert time.process_time() - began < 2  # Its letters sorted once for each: 13 s.
