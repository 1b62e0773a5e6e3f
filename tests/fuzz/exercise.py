"""Runs every round of a range in this process, which is allowed to die; says each step before.

Each line that it writes is JSON: `["step", number, name]` before each step, `["round", {...}]`
after each round.
"""

import contextlib
import faulthandler
import gc
import io
import json
import os
import random
import shutil
import tempfile
import traceback
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from explorer.cli.dispatch import dispatch
from tests.fuzz import graphs, inputs

WINDOW_EVERY = 40
"""One round of so many also goes through the window."""
_FORMAT_ONLY = ("pages of", "UTF-16", "one more column", "empty", "AFTER", "BEFORE")


class Round:
    """One mutated file, and what became of it."""

    def __init__(self, kind: str, seed: int, number: int, out: Any) -> None:
        self.kind, self.number, self._out = kind, number, out
        self.chance = random.Random(f"{kind} {seed} {number}")
        self.refused: dict[str, str] = {}
        self.tracebacks: dict[str, str] = {}
        self.problems = 0
        self.answers = 0
        self.wrote = False

    def step(self, name: str, *words: str) -> str:
        """Run one command; returns what it printed."""
        print(json.dumps(["step", self.number, name]), file=self._out, flush=True)
        answer, notes = io.StringIO(), io.StringIO()
        try:
            with contextlib.redirect_stdout(answer), contextlib.redirect_stderr(notes):
                code = dispatch(words)
        except BaseException:
            self.tracebacks[name] = traceback.format_exc()
            return ""
        if code:
            self.refused[name] = notes.getvalue()[-300:]
        else:
            self.answers += 1
        return answer.getvalue() + notes.getvalue() if code == 0 else ""

    def read(self, path: str) -> None:
        """Everything that reads, as text or as JSON."""
        store = ("--store", path)
        text = self.step("info", "info", path, "--json")
        self.problems = len(json.loads(text[text.index("{"):text.rindex("}") + 1])["problems"]
                            ) if text else 0
        names = self._names(store)
        name = self.chance.choice(names)
        of_one = self.chance.choice((
            ("entity", "knowledge", "entity", name), ("tree", "knowledge", "tree", name),
            ("neighborhood", "neighborhood", name)))
        more = self.chance.sample((
            ("info as text", "info"), ("entities", "knowledge", "entities"),
            ("proposals", "ontology", "proposals"), ("history", "history"),
            ("sessions", "session", "list"), ("export", "export")), k=1)
        question = self.chance.choice(("Tides API", "start", "[wip] since:2025-01-01", "who?",
                                       '"run starts" type:fact', "When does Harbor Ledger start?"))
        for step, *words in (
            of_one, *more, ("traverse", "traverse", question, "--explain"),
            ("recall", "recall", question),
            ("session start", "session", "start", "--session", "s1", "-q", "Tide API")):
            as_json = step != "export" and self.chance.random() < 0.4
            self.step(step, *words, *store, *(("--json",) if as_json else ()))

    def _names(self, store: tuple[str, ...]) -> list[str]:
        text = self.step("entities as JSON", "knowledge", "entities", "--json", *store)
        try:
            listed = json.loads(text)
            entities = listed if isinstance(listed, list) else next(
                value for value in listed.values() if isinstance(value, list))
            names = [str(one["name"]) for one in entities if str(one.get("name") or "").strip()]
        except (ValueError, StopIteration, KeyError, TypeError):
            names = []
        return [*names, "Harbor Ledger", "e-tide"]

    def write(self, path: str, folder: Path) -> None:
        """One change and its undo."""
        store = ("--store", path)
        note = folder / "note.txt"
        note.write_text("Harbor Ledger starts at nine, says Anna.")
        name, *words = self.chance.choice((
            ("remember", "remember", str(note), "--text"),
            ("pin", "ontology", "entity", "pin", "Tide API"),
            ("create", "ontology", "entity", "create", "Lantern"),
            ("claim", "ontology", "claim", "set", "Harbor Ledger", "Schedule", "nightly",
             "start_time", "--value", "Starts at nine"),
            ("maintenance", "maintenance"),
            ("rename", "ontology", "entity", "rename", "Tide API", "Tide gateway"),
            ("merge", "ontology", "entity", "merge", "Tides API", "Tide API"),
        ))
        answer = self.step(name, *words, *store)
        if answer or name not in self.refused:
            self.wrote = True
            self.step("undo", "undo", *store)
            if self.chance.random() < 0.2:
                self.step("redo", "redo", *store)

    def result(self, what: list[str]) -> dict[str, Any]:
        """All of it, for the record."""
        return {"number": self.number, "what": what, "refused": self.refused,
                "tracebacks": self.tracebacks, "problems": self.problems,
                "answers": self.answers, "wrote": self.wrote}


def graph_round(one: Round, folder: Path) -> list[str]:
    """A mutated graph through everything."""
    path = folder / "graph.db"
    what = graphs.mutate(one.chance, path, folder / "data")
    if one.number % WINDOW_EVERY == 0:
        _through_window(one, path)
    one.read(str(path))
    one.write(str(path), folder)
    return what


def import_round(one: Round, folder: Path) -> list[str]:
    """A mutated file into a new graph or one with something in it."""
    source, path = folder / "memory.json", folder / "graph.db"
    if one.chance.random() < 0.3:
        graphs.template(one.chance.choice(graphs.KINDS)).copy_to(path, folder / "data")
    what = inputs.mutate(one.chance, source)
    remembered = what[0].startswith("remember") == (one.chance.random() < 0.9)
    if remembered:
        if not path.exists():
            one.step("new", "new", str(path))
        text = ("--text",) if one.chance.random() < 0.2 else ()
        one.step("remember", "remember", str(source), *text, "--store", str(path))
    else:
        json_too = ("--json",) if one.chance.random() < 0.3 else ()
        one.step("import", "import", str(source), "--store", str(path), *json_too)
    if path.exists():
        if one.number % WINDOW_EVERY == 0:
            _through_window(one, path)
        one.read(str(path))
        one.step("undo", "undo", "--store", str(path))
    return what


def _through_window(one: Round, path: Path) -> None:
    from tests.fuzz.window import show  # noqa: PLC0415  only some rounds need Qt

    print(json.dumps(["step", one.number, "window"]), file=one._out, flush=True)
    try:
        for error in show(path):
            one.tracebacks["window"] = error
    except BaseException:
        one.tracebacks["window"] = traceback.format_exc()


ROUNDS = {"graphs": graph_round, "imports": import_round}
WARM = 4
"""Whole files of each kind that go through everything, so that what they load is loaded."""


def load_everything(kinds: Sequence[str]) -> None:
    """Load in this process what rounds use, so that its copies, which run them, have it.

    No window is made here: what Qt starts for one does not live on in a copy of the process.
    """
    import_module("tests.fuzz.window")
    with open(os.devnull, "w", encoding="utf-8") as out:
        for kind in graphs.KINDS if "graphs" in kinds else ():
            for number in range(WARM):
                with _folder() as folder:
                    graphs.template(kind).copy_to(folder / "graph.db", folder / "data")
                    one = Round(kind, 0, number, out)
                    one.read(str(folder / "graph.db"))
                    one.write(str(folder / "graph.db"), folder)
        for number in range(3 * WARM if "imports" in kinds else 0):
            with _folder() as folder:
                import_round(Round("imports", 0, number * WINDOW_EVERY + 1, out), folder)
    gc.collect()
    gc.freeze()


@contextlib.contextmanager
def _folder() -> Iterator[Path]:
    """A folder for one round, and for what is kept beside its graph."""
    folder = Path(tempfile.mkdtemp(prefix="fuzz-"))
    os.environ["CONSTELLATION_DATA"] = str(folder / "data")
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def run(kind: str, seed: int, first: int, last: int, writing: int, notes: int) -> None:
    """Run the rounds from `first` up to, not including, `last` in a copy of the process.

    Args:
        writing: the file number that it writes its lines to.
        notes: the file number that warnings and what a crash leaves go to.
    """
    os.dup2(notes, 1)
    os.dup2(notes, 2)
    faulthandler.enable(file=2)
    out = os.fdopen(writing, "w")
    for number in range(first, last):
        one = Round(kind, seed, number, out)
        print(json.dumps(["step", number, "mutate"]), file=out, flush=True)
        with _folder() as folder:
            what = ROUNDS[kind](one, folder)
        print(json.dumps(["round", one.result(what)]), file=out, flush=True)
