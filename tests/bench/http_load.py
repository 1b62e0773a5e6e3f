"""How many recalls a server answers on loopback, and how long callers wait.

Wall time, since the callers wait; so what other programs take of the machine is in it. Beside it
is the time of the server's processor for one recall, in which it is not.
"""

import http.client
import json
import os
import random
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from core.workspace import Workspace
from tests.bench.big import build
from tests.bench.figures import Figure
from tests.bench.recalls import names_of, remember_many, vocabulary

CALLERS, EACH = 4, 100
TOKEN = "the token of the benchmark"


def of_http(folder: Path, memories: int) -> list[Figure]:
    """Callers that ask one question after the other, each over one connection."""
    path, asked = graph_and_questions(folder, memories)
    with server_on(path, folder) as (port, process):
        ask(port, asked[0][:5])
        before, began = _processor_s(process.pid), time.perf_counter()
        with ThreadPoolExecutor(CALLERS) as pool:
            waits = [wait for part in pool.map(lambda part: ask(port, part), asked)
                     for wait in part]
        seconds = time.perf_counter() - began
        spent = _processor_s(process.pid) - before
    return [Figure(f"recall over HTTP, {CALLERS} callers at once, p95", tuple(waits), tail=True),
            Figure("recalls answered", (len(waits) / seconds,), "1/s"),
            Figure("processor of the server for one", (1000 * spent / len(waits),))]


def graph_and_questions(folder: Path, memories: int) -> tuple[Path, list[list[str]]]:
    """A graph with so many memories, and what each of the callers asks of it."""
    words = vocabulary()
    path = build(folder / "http.db", folder / "data", entities=memories // 10,
                 values=memories // 2, memories=0)
    workspace = Workspace.open(path, data_dir=folder / "data")
    workspace.write("bench", lambda w: remember_many(w, words, memories - memories // 2))
    names, chance = names_of(workspace), random.Random(6)
    workspace.close()
    return path, [[_question(names, words, chance) for _ in range(EACH)] for _ in range(CALLERS)]


def _question(names: list[str], words: list[str], chance: random.Random) -> str:
    picked = (words[min(int(chance.paretovariate(0.5) * 8), len(words) - 1)] for _ in range(5))
    return f"what did {chance.choice(names)} do with {' '.join(picked)}?"


def ask(port: int, questions: list[str], token: str = TOKEN) -> list[float]:
    """Milliseconds that each answer took."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    waits = []
    for question in questions:
        began = time.perf_counter()
        connection.request("POST", "/api/memory/recall", json.dumps({"query": question}), {
            "Authorization": f"Bearer {token}", "Content-Type": "application/json"})
        response = connection.getresponse()
        response.read()
        assert response.status == 200
        waits.append((time.perf_counter() - began) * 1000)
    connection.close()
    return waits


@contextmanager
def server_on(path: Path, folder: Path) -> Iterator[tuple[int, "subprocess.Popen[str]"]]:
    """A server process on a graph: its port, and the process."""
    with subprocess.Popen(
        [sys.executable, "-m", "explorer", "serve", "--store", str(path), "--port", "0"],
        stderr=subprocess.PIPE, text=True, env={
            **os.environ, "CONSTELLATION_DATA": str(folder / "data"),
            "CONSTELLATION_SETTINGS": str(folder / "settings.toml"),
            "CONSTELLATION_TOKEN": TOKEN}) as process:
        assert process.stderr is not None
        listening = next(line for line in process.stderr if line.startswith("Listening"))
        yield int(re.findall(r":(\d+)", listening)[-1]), process
        process.terminate()


def _processor_s(pid: int) -> float:
    """Seconds of the processor that a process has taken; 0 where the system does not tell."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
