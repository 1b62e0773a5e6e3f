"""How well duplicates are told from look-alikes, by strictness: `python -m tests.bench.duplicates`.

Precision is the share of the pairs that are joined which stand for one thing, recall the share of
those that do which are joined. All names are compared with all others of their half.
"""

import sys
from dataclasses import dataclass
from itertools import combinations

from core.health.name_matching import LEVELS, duplicates
from tests.bench.figures import Figure
from tests.duplicate_names import (
    ALIKE,
    ASIDE,
    TRUE,
    TUNED,
    Pair,
    entities,
    half,
    neighbours,
    true_ids,
)


@dataclass(frozen=True, slots=True)
class Score:
    """What came of one strictness on one half.

    Attributes:
        joined: pairs that were taken for one thing; right: those that are.
        wrong, missed: the pairs of names at fault.
    """

    joined: int
    right: int
    true: int
    wrong: tuple[str, ...]
    missed: tuple[str, ...]

    @property
    def precision(self) -> float:
        return self.right / self.joined if self.joined else 1.0

    @property
    def recall(self) -> float:
        return self.right / self.true


def score(which: str, strictness: str) -> Score:
    """Compare all names of a half at this strictness."""
    true = half(TRUE, which)
    pairs = [*true, *half(ALIKE, which)]
    wanted = set(true_ids(pairs, true))
    names = {one.id: one.name for one in entities(pairs)}
    groups = duplicates(entities(pairs), strictness, lambda: neighbours(pairs))
    joined = {frozenset(two) for group in groups for two in combinations(
        (group.target.id, *(one.id for one in group.sources)), 2)}

    def words(ids: frozenset[str]) -> str:
        return " / ".join(names[id] for id in sorted(ids))

    return Score(len(joined), len(joined & wanted), len(wanted),
                 tuple(sorted(map(words, joined - wanted))),
                 tuple(sorted(map(words, wanted - joined))))


def of_duplicates() -> list[Figure]:
    """Precision and recall on the pairs that were kept aside, for `make bench`."""
    results = {strictness: score(ASIDE, strictness) for strictness in LEVELS}
    return [Figure(f"{strictness}: {what}", (100 * getattr(result, what),), "%")
            for strictness, result in results.items() for what in ("precision", "recall")]


def kinds(pairs: tuple[Pair, ...]) -> list[str]:
    """The kinds of pairs in their order."""
    return list(dict.fromkeys(pair.kind for pair in pairs))


def main() -> None:
    """Print a line for each strictness; with `--pairs` also what is wrong and what is missed."""
    sys.stdout.write(f"{len(TRUE)} pairs of one thing ({', '.join(kinds(TRUE))}), "
                     f"{len(ALIKE)} look-alikes ({', '.join(kinds(ALIKE))})\n")
    sys.stdout.write(f"{'strictness':14}{'half':8}{'precision':>10}{'recall':>8}\n")
    for strictness in LEVELS:
        for which in (TUNED, ASIDE):
            result = score(which, strictness)
            sys.stdout.write(f"{strictness:14}{which:8}{result.precision:10.2f}"
                             f"{result.recall:8.2f}\n")
            if "--pairs" in sys.argv and not (which == ASIDE and "--tuned" in sys.argv):
                for line in result.wrong:
                    sys.stdout.write(f"  wrong:  {line}\n")
                for line in result.missed if strictness == LEVELS[-1] else ():
                    sys.stdout.write(f"  missed: {line}\n")


if __name__ == "__main__":
    main()
