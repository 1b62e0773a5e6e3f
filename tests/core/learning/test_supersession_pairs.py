"""Precision and recall of contradictions outside a claim slot, on labelled pairs."""

import json
from pathlib import Path

import pytest

from core.learning.detect_contradiction import detect

PAIRS = [json.loads(line) for line in Path(__file__).with_name(
    "supersession_pairs.jsonl").read_text("utf-8").splitlines()]


def measure(pairs: list[dict[str, object]]) -> tuple[float, float]:
    """Precision and recall, the new text written two weeks after the old one."""
    flagged = [pair for pair in pairs if detect(
        str(pair["new"]), str(pair["old"]), "2026-03-15", "2026-03-01", same_slot=False)]
    right = sum(bool(pair["contradicts"]) for pair in flagged)
    return right / max(len(flagged), 1), right / sum(bool(p["contradicts"]) for p in pairs)


@pytest.mark.parametrize("part", ["all", "tuned", "held out"])
def test_unrelated_facts_do_not_contradict_and_most_changes_do(part: str) -> None:
    pairs = [p for p in PAIRS if part == "all" or p["held_out"] == (part == "held out")]
    precision, recall = measure(pairs)
    print(f"{part}: {len(pairs)} pairs, precision {precision:.3f}, "  # noqa: T201 - the figures
          f"recall {recall:.3f}")
    assert precision >= 0.95
    assert recall >= 0.6
