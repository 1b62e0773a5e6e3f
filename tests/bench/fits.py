"""How often recall says "Nothing fits", rightly and wrongly: `python -m tests.bench.fits`.

The demo graph's labelled questions, those about somebody of whom it may not know just that, and
with a file of dialogues (see `tests.bench.dialogues`)
each dialogue's own questions, those of another dialogue, and the same with the speakers' names of
the dialogue that is asked. For each score from which a memory might fit, the share of the questions
that would be told that nothing does: few of those with an answer, many of the others. Then, for the
demo graph, how often the word is right and wrong with the usual settings, and with others for the
share of what is asked for that a memory must speak of: over the questions by which that share and
the rules were chosen, and over those that were only counted (`tests/fresh_facts.py`).
"""

import argparse
import os
import re
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from core.embedding.choose_embedder import offline
from core.model.recall import Recall
from core.recall.config import RecallSettings
from core.recall.hybrid import recall
from core.workspace import Workspace
from explorer.demo import build_demo
from tests.absent_facts import ABSENT, KNOWN
from tests.bench.dialogues import Dialogue, last_turn, open_dialogues
from tests.demo_questions import ANSWERED, NOW, UNANSWERED
from tests.fresh_facts import (
    FRESH_ABSENT,
    FRESH_KNOWN,
    LATER_ABSENT,
    LATER_KNOWN,
    chosen_by,
    reported,
)

LEAST = (0.2, 0.25, 0.3, 0.34, 0.38, 0.4, 0.42, 0.45, 0.5, 0.55)
SETTINGS = RecallSettings(deadline_ms=60_000, fits_from=0.0)
"""With no score as the bound: what then does not fit speaks of nothing that is asked for."""
SUPPORT = (0.0, 0.25, 0.3, 0.32, 0.35, 0.4, 0.5)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.fits", description=__doc__)
    parser.add_argument("file", nargs="?", default=os.environ.get("CONSTELLATION_DIALOGUES"))
    file = parser.parse_args().file
    with tempfile.TemporaryDirectory(prefix="constellation-fits-") as folder:
        scores = of_demo(Path(folder))
        if file:
            with open_dialogues(Path(file), Path(folder)) as dialogues:
                scores |= of_dialogues(dialogues)
    print(f"{'':40}{'asked':>6}" + "".join(f"{least:7.2f}" for least in LEAST))  # noqa: T201
    for name, values in scores.items():
        print(f"{name:40}{len(values):6}" + "".join(  # noqa: T201
            f"{sum(value < least for value in values) / len(values):7.3f}" for least in LEAST))
    names = list(HALVES)
    print(f"\n{'a memory must speak of':24}" + "".join(f"{name:>22}" for name in names))  # noqa: T201
    for share, shares in by_support().items():
        print(f"{share:<24}" + "".join(f"{shares[name]:22.3f}" for name in names))  # noqa: T201


HALVES: Mapping[str, Sequence[str]] = {
    "chosen by, known": (*ANSWERED, *KNOWN, *chosen_by(FRESH_KNOWN)),
    "chosen by, absent": (*ABSENT, *chosen_by(FRESH_ABSENT)),
    "other things": UNANSWERED,
    "reported, known": reported(FRESH_KNOWN),
    "reported, absent": reported(FRESH_ABSENT),
    "later, known": LATER_KNOWN,
    "later, absent": LATER_ABSENT,
}


def by_support() -> dict[float, dict[str, float]]:
    """For each such share, of each kind of question the share that is told that nothing fits."""
    results = {}
    with tempfile.TemporaryDirectory(prefix="constellation-fits-") as folder:
        workspace = Workspace.open(build_demo(Path(folder) / "demo.db"), data_dir=Path(folder))
        try:
            for share in SUPPORT:
                results[share] = {name: _refused(workspace, asked, share) / len(asked)
                                  for name, asked in HALVES.items()}
        finally:
            workspace.close()
    return results


def _refused(workspace: Workspace, questions: Iterable[str], share: float) -> int:
    settings = RecallSettings(deadline_ms=60_000, support_from=share)
    with workspace.read() as reader:
        return sum(not recall(reader, question, settings, offline(), now=NOW).fits
                   for question in questions)


def of_demo(folder: Path) -> dict[str, list[float]]:
    """The best score for each of the demo graph's questions."""
    workspace = Workspace.open(build_demo(folder / "demo.db"), data_dir=folder / "demo")
    try:
        return {"demo, answered": _best(workspace, ANSWERED, NOW),
                "demo, not answered": _best(workspace, UNANSWERED, NOW),
                "demo, known of somebody": _best(workspace, KNOWN, NOW),
                "demo, not known of somebody": _best(workspace, ABSENT, NOW),
                "demo, fresh, known": _best(workspace, FRESH_KNOWN, NOW),
                "demo, fresh, not known": _best(workspace, FRESH_ABSENT, NOW)}
    finally:
        workspace.close()


def of_dialogues(dialogues: Sequence[Dialogue]) -> dict[str, list[float]]:
    """The same for each dialogue's questions, asked of it and of another."""
    scores: dict[str, list[float]] = {
        "dialogues, answered": [], "dialogues, about the other speaker": [],
        "another dialogue's": [], "another dialogue's, names replaced": []}
    own, adverse, others, renamed = scores.values()
    for place, dialogue in enumerate(dialogues):
        now, other = last_turn(dialogue).replace(tzinfo=UTC), dialogues[place - 1]
        own += _best(dialogue.workspace, _questions(dialogue, adversarial=False), now)
        adverse += _best(dialogue.workspace, _questions(dialogue, adversarial=True), now)
        foreign = _questions(other, adversarial=False)
        others += _best(dialogue.workspace, foreign, now)
        names = dict(zip(_speakers(other.told), _speakers(dialogue.told), strict=True))
        renamed += _best(dialogue.workspace, [_renamed(each, names) for each in foreign], now)
    return scores


def _best(workspace: Workspace, questions: Iterable[str], now: datetime) -> list[float]:
    with workspace.read() as reader:
        answers = [recall(reader, question, SETTINGS, offline(), now=now)
                   for question in questions]
    return [_score(answer) for answer in answers]


def _score(answer: Recall) -> float:
    return max((hit.score for hit in answer.hits), default=0.0) if answer.fits else 0.0


def _questions(dialogue: Dialogue, *, adversarial: bool) -> list[str]:
    return [str(each["question"]) for each in dialogue.told["questions"]
            if (each["category"] == "adversarial") == adversarial]


def _speakers(told: Mapping[str, Any]) -> list[str]:
    counts = Counter(str(turn["speaker"]) for turn in told["turns"])
    return [name for name, _count in counts.most_common(2)]


def _renamed(question: str, names: Mapping[str, str]) -> str:
    return re.sub("|".join(rf"\b{name}\b" for name in names), lambda m: names[m[0]], question)


if __name__ == "__main__":
    main()
