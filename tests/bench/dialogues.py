"""How well recall finds the turns of a dialogue that answer a question: `make bench-recall`.

The dialogues come from a JSON file that is not part of this project (`CONSTELLATION_DIALOGUES`,
or the first argument): a list of `{"id", "turns": [{"id", "session", "at", "speaker", "text",
"caption"}], "questions": [{"id", "question", "category", "gold": [turn ids]}]}`. Each dialogue
is remembered into a file of its own, and each of its questions is asked of that file.
"""

import argparse
import json
import os
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import product
from pathlib import Path
from typing import Any

from core.embedding.choose_embedder import offline
from core.ingest.payload import Remembered
from core.ingest.remember import remember
from core.recall.config import RecallSettings
from core.recall.hybrid import recall
from core.store.reader_and_writer import Writer
from core.workspace import Workspace

NONE = {"keyword_weight": 0.0, "semantic_weight": 0.0, "answer_weight": 0.0, "before_weight": 0.0,
        "after_weight": 0.0, "boost_weight": 0.0, "mention_weight": 0.0, "hint_weight": 0.0,
        "date_weight": 0.0, "gravity": 0.0, "context": 0, "speaker_weight": 0.0}
USUAL = RecallSettings()
NEXT = {name: getattr(USUAL, name) for name in ("answer_weight", "before_weight", "after_weight")}
WAYS: Mapping[str, Mapping[str, float]] = {
    "words": NONE | {"keyword_weight": 1.0},
    "meaning": NONE | {"semantic_weight": 1.0},
    "graph": NONE | {"boost_weight": 0.5, "mention_weight": 0.5},
    "time": NONE | {"date_weight": 1.0},
    "words + meaning": NONE | {"keyword_weight": USUAL.keyword_weight,
                               "semantic_weight": USUAL.semantic_weight},
    "words + neighbours": NONE | NEXT | {"keyword_weight": USUAL.keyword_weight},
    "without words": {"keyword_weight": 0.0},
    "without meaning": {"semantic_weight": 0.0},
    "words + what is around": NONE | {"keyword_weight": USUAL.keyword_weight,
                               "context": USUAL.context},
    "words + speaker": NONE | {"keyword_weight": USUAL.keyword_weight,
                               "speaker_weight": USUAL.speaker_weight},
    "without neighbours": dict.fromkeys(NEXT, 0.0),
    "without what is around": {"context": 0},
    "without speaker": {"speaker_weight": 0.0},
    "without graph": {"boost_weight": 0.0, "mention_weight": 0.0},
    "without time": {"date_weight": 0.0},
    "everything": {},
}
"""The channels one by one, in pairs, and with one left out."""
LEFT_OUT = [{"context": context, "context_before": before, "context_after": before - 0.1,
             "speaker_weight": speaker}
            for context, before, speaker in product((2, 4), (0.3, 0.5, 0.7), (0.1, 0.2, 0.3))]
"""The settings among which leave-one-out chooses."""
MEASURES = ("r@5", "r@10", "r@20", "mrr")


@dataclass(frozen=True, slots=True)
class Dialogue:
    """A dialogue in a file of its own."""

    told: Mapping[str, Any]
    workspace: Workspace
    turns: Mapping[str, Sequence[str]]
    """The turns of each memory: the same words said twice are one memory."""


def remember_dialogue(told: Mapping[str, Any], folder: Path) -> Dialogue:
    """Every turn as a memory of its session, of its time, by its speaker."""
    workspace = Workspace.open(folder / f"{told['id']}.db", data_dir=folder / "data", create=True)
    turns: dict[str, list[str]] = defaultdict(list)

    def fill(writer: Writer) -> None:
        for number, turn in enumerate(told["turns"]):
            seen = f" [shows {turn['caption']}]" if turn["caption"] else ""
            at = datetime.strptime(turn["at"], "%I:%M %p on %d %B, %Y")
            report = remember(writer, Remembered.read({
                "content": f"{turn['speaker']}: {turn['text']}{seen}", "type": "episodic",
                "who": turn["speaker"], "sourceType": "conversation",
                "sourceId": f"{told['id']}/{turn['session']}",
                "createdAt": f"{at + timedelta(seconds=number):%Y-%m-%dT%H:%M:%SZ}",
                "entities": [{"name": turn["speaker"], "type": "person"}]}))
            turns[report.memory_id].append(turn["id"])

    workspace.write("remember", fill)
    return Dialogue(told, workspace, turns)


def last_turn(dialogue: Dialogue) -> datetime:
    """When the last turn was said, which is when the questions are asked."""
    return max(datetime.strptime(turn["at"], "%I:%M %p on %d %B, %Y")
               for turn in dialogue.told["turns"])


@contextmanager
def open_dialogues(file: Path, folder: Path) -> Iterator[list[Dialogue]]:
    """Every dialogue of a file, remembered below `folder` and open for a while."""
    dialogues = [remember_dialogue(each, folder)
                 for each in json.loads(file.read_text(encoding="utf-8"))]
    try:
        yield dialogues
    finally:
        for dialogue in dialogues:
            dialogue.workspace.close()


def rank(dialogue: Dialogue, settings: RecallSettings, most: int = 50) -> dict[str, list[str]]:
    """The turns that each question brings, best first."""
    last = last_turn(dialogue)
    settings = settings.model_copy(
        update={"limit": most, "min_score": 0.0, "deadline_ms": 60_000})
    found = {}
    with dialogue.workspace.read() as reader:
        for question in dialogue.told["questions"]:
            answer = recall(reader, question["question"], settings, offline(),
                            now=last.astimezone())
            found[question["id"]] = [turn for hit in answer.hits
                                     for turn in dialogue.turns[hit.memory.id]]
    return found


def score(dialogues: Iterable[Dialogue], rankings: Mapping[str, Sequence[str]]
          ) -> dict[str, tuple[float, ...]]:
    """The means over all questions and over those of each category."""
    sums: dict[str, list[tuple[float, ...]]] = defaultdict(list)
    for dialogue in dialogues:
        for question in dialogue.told["questions"]:
            gold, ranking = set(question["gold"]), list(rankings.get(question["id"], ()))
            first = next((n for n, turn in enumerate(ranking, 1) if turn in gold), None)
            values = (*(len(gold & set(ranking[:k])) / len(gold) for k in (5, 10, 20)),
                      1 / first if first else 0.0)
            sums["all"].append(values)
            sums[question["category"]].append(values)
    return {name: tuple(sum(column) / len(column) for column in zip(*values, strict=True))
            for name, values in sums.items()}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.dialogues", description=__doc__)
    parser.add_argument("file", nargs="?", default=os.environ.get("CONSTELLATION_DIALOGUES"))
    parser.add_argument("--rankings", type=Path, help="write the rankings of all channels here")
    parser.add_argument("--leave-one-out", action="store_true",
                        help="also choose the weights by the other dialogues, one by one")
    arguments = parser.parse_args()
    if not arguments.file or not Path(arguments.file).is_file():
        parser.error("name a file of dialogues, or set CONSTELLATION_DIALOGUES")
    with (tempfile.TemporaryDirectory(prefix="constellation-dialogues-") as folder,
          open_dialogues(Path(arguments.file), Path(folder)) as dialogues):
        _tell_ways(dialogues, arguments.rankings)
        if arguments.leave_one_out:
            _tell_left_out(dialogues)


def _tell_ways(dialogues: Sequence[Dialogue], file: Path | None) -> None:
    _say(f"{'':22}" + "".join(f"{name:>8}" for name in MEASURES) + f"{'multi-hop r@10':>16}")
    for name, changes in WAYS.items():
        rankings = _rank_all(dialogues, USUAL.model_copy(update=dict(changes)))
        scores = score(dialogues, rankings)
        _say(_line(name, scores))
        if name == "everything":
            for category in sorted(scores.keys() - {"all"}):
                _say(f"  {category:20}" + "".join(f"{v:8.3f}" for v in scores[category]))
            if file is not None:
                file.write_text("".join(json.dumps({"id": id, "ranking": ranking}) + "\n"
                                        for id, ranking in rankings.items()), encoding="utf-8")


def _tell_left_out(dialogues: Sequence[Dialogue]) -> None:
    """Each dialogue scored with the weights that are best for all others."""
    _say("\nleave one out")
    each = [(changes, _rank_all(dialogues, USUAL.model_copy(update=changes)))
            for changes in LEFT_OUT]
    kept: dict[str, Sequence[str]] = {}
    for dialogue in dialogues:
        others = [other for other in dialogues if other is not dialogue]
        changes, rankings = max(each, key=lambda item: sum(score(others, item[1])["all"]))
        kept |= {q["id"]: rankings[q["id"]] for q in dialogue.told["questions"]}
        _say(_line(dialogue.told["id"], score([dialogue], rankings)) + f"  {changes}")
    _say(_line("all, left out", score(dialogues, kept)))


def _rank_all(dialogues: Sequence[Dialogue], settings: RecallSettings) -> dict[str, list[str]]:
    return {id: ranking for dialogue in dialogues
            for id, ranking in rank(dialogue, settings).items()}


def _line(name: str, scores: Mapping[str, Sequence[float]]) -> str:
    hops = scores.get("multi-hop", (0.0, 0.0))[1]
    return f"{name:22}" + "".join(f"{value:8.3f}" for value in scores["all"]) + f"{hops:16.3f}"


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
