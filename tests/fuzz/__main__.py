"""Mutated files and imports by the thousand: `make fuzz`, or `python -m tests.fuzz --rounds 500`.

Rounds run in processes that may die: copies of this one, which has loaded everything once. What
became of each is one line of a record, so that a run that was stopped goes on where it was; a
summary is printed at the end.
"""

import argparse
import json
import multiprocessing
import os
import select
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
KINDS = ("graphs", "imports")
HANG_S = 10.0
BATCH = 100


def main() -> int:
    """Run what is missing and print the numbers; 1 if anything crashed, hung or was not worded."""
    asked = _arguments()
    _away_from_home()
    from tests.fuzz import exercise  # noqa: PLC0415  what it loads asks where home is

    exercise.load_everything(asked.kinds)
    asked.record.parent.mkdir(parents=True, exist_ok=True)
    failed = False
    for kind in asked.kinds:
        record = asked.record / f"{kind}-{asked.seed}.jsonl"
        record.parent.mkdir(parents=True, exist_ok=True)
        _run(kind, asked, record)
        failed |= _summary(kind, _results(record), asked.verbose)
    return int(failed)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("kinds", nargs="*", default=KINDS, choices=(*KINDS, []))
    parser.add_argument("--rounds", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, help="this one round, printed in full")
    parser.add_argument("--again", action="store_true", help="once more the rounds that failed")
    parser.add_argument("--from-start", action="store_true", help="forget what was recorded")
    parser.add_argument("--verbose", action="store_true", help="print every failure")
    parser.add_argument("--record", type=Path, default=ROOT / "build" / "fuzz")
    asked = parser.parse_args()
    asked.kinds = asked.kinds or KINDS
    return asked


def _results(record: Path) -> dict[int, dict[str, Any]]:
    """The last result of each round."""
    if not record.exists():
        return {}
    lines = (json.loads(line) for line in record.read_text().splitlines() if line.endswith("}"))
    return {one["number"]: one for one in lines}


def _run(kind: str, asked: argparse.Namespace, record: Path) -> None:
    if asked.from_start:
        record.unlink(missing_ok=True)
    done = _results(record)
    if asked.only is not None:
        missing = [asked.only]
    elif asked.again:
        missing = sorted(number for number, one in done.items() if _bad(one))
    else:
        missing = [number for number in range(asked.rounds) if number not in done]
    began, count = time.monotonic(), 0
    with record.open("a") as file:
        for first, last in _ranges(missing):
            for result in _rounds(kind, asked.seed, first, last):
                file.write(json.dumps(result) + "\n")
                file.flush()
                count += 1
                if asked.only is not None or (asked.verbose and _bad(result)):
                    say(json.dumps(result, indent=1).replace("\\n", "\n"))
                if count % 500 == 0:
                    each = (time.monotonic() - began) / count
                    say(f"{kind}: {count} of {len(missing)}, {each:.2f} s each")


def _ranges(numbers: list[int]) -> Iterator[tuple[int, int]]:
    """Runs of numbers that follow each other, each of at most a batch."""
    at = 0
    while at < len(numbers):
        end = at + 1
        while end < len(numbers) and end - at < BATCH and numbers[end] == numbers[end - 1] + 1:
            end += 1
        yield numbers[at], numbers[end - 1] + 1
        at = end


def _rounds(kind: str, seed: int, first: int, last: int) -> Iterator[dict[str, Any]]:
    """The results of a range, whatever becomes of the processes that run it."""
    while first < last:
        for result in _child(kind, seed, first, last):
            first = result["number"] + 1
            yield result


def _child(kind: str, seed: int, first: int, last: int) -> Iterator[dict[str, Any]]:
    """The results of a range up to where the process that runs it dies or hangs."""
    from tests.fuzz import exercise  # noqa: PLC0415  after `_away_from_home`

    with tempfile.TemporaryFile() as notes:
        reading, writing = os.pipe()
        child = multiprocessing.get_context("fork").Process(
            target=exercise.run, args=(kind, seed, first, last, writing, notes.fileno()))
        child.start()
        os.close(writing)
        at, step, buffer = first, "start", b""
        while True:
            if not _says_something(child, reading, step):
                child.kill()
                child.join()
                os.close(reading)
                yield {"number": at, "hang": step}
                return
            piece = os.read(reading, 1 << 20)
            if not piece:
                break
            *lines, buffer = (buffer + piece).split(b"\n")
            for line in lines:
                word, *rest = json.loads(line)
                if word == "step":
                    at, step = rest
                else:
                    at += 1
                    yield rest[0]
                    step = "start"
        os.close(reading)
        child.join()
        if at < last:
            notes.seek(0)
            text = notes.read().decode("utf-8", "replace")
            crash = text.rfind("Fatal Python error")
            yield {"number": at, "died": step, "code": child.exitcode,
                   "trace": text[crash:][:3000] if crash >= 0 else text[-3000:]}


def _away_from_home() -> None:
    """Have every round keep its files in folders of its own, and draw without a screen."""
    home = str(ROOT / "build" / "fuzz" / "home")
    os.environ.update({"HOME": home, "XDG_DATA_HOME": home, "XDG_CONFIG_HOME": home,
                       "XDG_CACHE_HOME": home, "QT_QPA_PLATFORM": "offscreen"})


def _says_something(child: BaseProcess, stream: int, step: str) -> bool:
    """Wait for its next line; False if it hangs.

    A machine that does much else makes it slow: what counts is the time that it worked itself,
    where that can be asked.
    """
    # A window loads what it draws with, and is given time to rest.
    allowed = HANG_S * (6 if step in ("start", "window") else 1)
    assert child.pid is not None
    worked, began = _worked(child.pid), time.monotonic()
    while not select.select([stream], [], [], min(HANG_S, 1.0))[0]:
        waited = time.monotonic() - began
        if waited > allowed and _worked(child.pid) - worked > allowed or waited > 30 * HANG_S:
            return False
    return True


def _worked(process: int) -> float:
    """Seconds that a process has worked; where that is not known, any time that passes counts."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return time.monotonic()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def say(text: str) -> None:
    """One line, at once."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def _bad(one: dict[str, Any]) -> bool:
    return bool(one.get("tracebacks") or "hang" in one or "died" in one)


def _summary(kind: str, results: dict[int, dict[str, Any]], verbose: bool) -> bool:
    """Print the numbers of one kind; True if anything is as it must not be."""
    rounds = list(results.values())
    tracebacks = Counter(
        trace.strip().splitlines()[-1][:120] for one in rounds
        for trace in one.get("tracebacks", {}).values())
    figures = (
        ("rounds", len(rounds)),
        ("refused in words", sum(1 for one in rounds if one.get("refused"))),
        ("with listed problems", sum(1 for one in rounds if one.get("problems"))),
        ("listed problems", sum(one.get("problems", 0) for one in rounds)),
        ("commands that answered", sum(one.get("answers", 0) for one in rounds)),
        ("writes undone", sum(1 for one in rounds if one.get("wrote"))),
        ("tracebacks", sum(len(one.get("tracebacks", {})) for one in rounds)),
        (f"hangs over {HANG_S:.0f} s", sum(1 for one in rounds if "hang" in one)),
        ("crashes of the process", sum(1 for one in rounds if "died" in one)),
    )
    say(f"mutated {kind}")
    for name, number in figures:
        say(f"  {name:<24}{number:>10,}")
    for words, number in tracebacks.most_common():
        say(f"    {number} × {words}")
    for one in rounds:
        if "hang" in one or "died" in one:
            say(f"    round {one['number']}: {one}" if verbose else
                f"    round {one['number']}: {'hang' if 'hang' in one else 'died'} at "
                f"{one.get('hang') or one.get('died')}")
    return any(_bad(one) for one in rounds)


if __name__ == "__main__":
    sys.exit(main())
