"""Which memories an agent is told under each read policy, and names in other scripts, as tables.

`python -m tests.bench.policies`. What may come is tested in `tests/contracts/test_read_policies.py`
and `tests/core/traversal`; this prints it for a person. A memory is its owner's letter and `g`
(global), `p` (private) or `a` (archived); the agents are default, mate (of the same group as
default) and stranger.
"""

import sys
import tempfile
import unicodedata
from pathlib import Path

from core.recall.hybrid import recall
from core.session.start import start
from core.settings import Settings
from core.store.reader_and_writer import Reader
from core.traversal.focal import resolve
from core.traversal.focal_signals import Signals
from core.traversal.walk import walk
from tests.contracts.test_read_policies import GROUPS, POLICIES, measured
from tests.core.graphs import Graph, build

WAYS = ("walk", "recall", "session start")
NAMES = (
    ("灯台", "灯台はどこですか", "灯台は島の北にある"),
    ("长江大桥", "长江大桥什么时候通车", "长江大桥一九五七年通车"),
    ("โคมไฟ", "โคมไฟอยู่ที่ไหน", "โคมไฟอยู่บนโต๊ะ"),
    ("서울역", "서울역은 어디에 있어요", "서울역은 강 북쪽에 있다"),
    ("Café Noir", unicodedata.normalize("NFD", "Where is Café Noir?"), "Café Noir is at the quay"),
    (unicodedata.normalize("NFD", "Zoë"), "Who is Zoë?", "Zoë plays the cello"),
    ("HARBOUR Office", "Where is the harbour office?", "The HARBOUR Office is at the quay"),
)
"""A name, a question that names it in running text or another form, and the answer."""


def main() -> None:
    _say(f"{'file':12}{'policy':10}{'agent':10}" + "".join(f"{way:30}" for way in WAYS))
    for kind in ("native", "signet-080"):
        for policy in POLICIES:
            for reader in GROUPS:
                with tempfile.TemporaryDirectory() as folder:
                    told = measured(kind, Path(folder), reader, policy)
                _say(f"{kind:12}{policy:10}{reader:10}" + "".join(
                    f"{_short(told[way]):30}" for way in WAYS))
    _say(f"\n{'name':14}{'focal':8}{'walk':8}{'recall':8}{'session':8}question")
    for name, question, answer in NAMES:
        _say(_line(name, question, answer))


def _short(told: frozenset[str]) -> str:
    return " ".join(sorted(f"{owner[0]}{seen[0]}" for owner, seen in map(str.split, told)))


def _line(name: str, question: str, answer: str) -> str:
    def fill(graph: Graph) -> None:
        aspect = graph.aspect(graph.entity(name, "place"), "notes")
        graph.value(aspect, answer, memory_id=graph.memory(answer))
        for number in range(5):
            graph.memory(f"something else {number}")

    with tempfile.TemporaryDirectory() as folder:
        workspace = build(Path(folder) / "graph.db", fill)
        try:
            with workspace.read() as reader:
                come = _comes(reader, question, answer)
        finally:
            workspace.close()
    return f"{name:14}" + "".join(f"{'yes' if yes else 'NO':8}" for yes in come) + question


def _comes(reader: Reader, question: str, answer: str) -> tuple[bool, ...]:
    settings = Settings()
    focal = resolve(reader, Signals(query=question), settings.traversal)
    walked = walk(reader, focal, settings.traversal)
    hits = recall(reader, question, settings.recall).hits
    text = start(reader, Signals(query=question), settings).text
    return (bool(focal.entities), any(answer == each.content for each in walked.memories),
            bool(hits) and hits[0].memory.content == answer, answer in text)


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")


if __name__ == "__main__":
    main()
