"""Maps of memories, computed beside the server: a caller is told to come again meanwhile."""

import time
from threading import Lock, Thread

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from core.errors import ConstellationError
from core.projection.memory_map import memory_map
from core.projection.worker import Worker
from core.recall.memory_vectors_and_points import map_key, map_vectors
from core.settings import Settings
from core.store.reader_and_writer import stamp
from explorer.graph_for_caller import Door, Engine

REMEMBERED_S = 30
"""Seconds for which a failure is told before it is tried again."""


class Map(Struct, frozen=True, eq=False):
    """A finished map: positions by row, and pairs of rows that lie near each other."""

    key: str
    ids: tuple[str, ...]
    positions: NDArray[np.float32]
    edges: NDArray[np.int32]
    made_at: str


class Failure(Struct, frozen=True):
    """Why a map could not be made, and when that was found."""

    key: str
    words: str
    at: float


class Maps:
    """The last map of each agent in two and three dimensions; one is computed at a time."""

    def __init__(self) -> None:
        self._lock, self._worker = Lock(), Worker()
        self._made: dict[tuple[str, int], Map | Failure] = {}
        self._begun: dict[tuple[str, int], str] = {}
        self._threads: dict[tuple[str, int], Thread] = {}
        self._closed = False

    def of(self, door: Door, dimensions: int) -> Map | Failure | None:
        """The map of the memories as they are now; None while it is computed."""
        with door.read() as reader:
            key = map_key(reader, door.engine.embedder)
        place = (door.workspace.agent, dimensions)
        with self._lock:
            made = self._made.get(place)
            if made is not None and made.key == key and not _forgotten(made):
                return made
            if self._begun.get(place) != key and not self._closed:
                self._begun[place] = key
                # No daemon: one that ends inside of compiled code takes the process down with it.
                thread = Thread(target=self._make, name="maps",
                                args=(door, dimensions, key, self._threads.get(place)))
                self._threads[place] = thread
                thread.start()
        return None

    def _make(self, door: Door, dimensions: int, key: str, before: Thread | None) -> None:
        place = (door.workspace.agent, dimensions)
        if before is not None:  # Of an earlier state; so the last one of a place ends last.
            before.join()
        try:
            with door.read() as reader:
                vectors = map_vectors(reader, door.engine.embedder)
            positions, edges = self._worker.run(memory_map, vectors.vectors, dimensions)
            made: Map | Failure = Map(key, vectors.ids, positions, edges, stamp())
        except ConstellationError as error:
            made = Failure(key, str(error), time.monotonic())
        with self._lock:
            self._made[place] = made
            if self._begun.get(place) == key:
                del self._begun[place]

    def close(self) -> None:
        """End the process that computes; returns when nothing reads a graph for it any more."""
        with self._lock:
            self._closed, threads = True, [*self._threads.values()]
        self._worker.close()
        for thread in threads:
            thread.join()


class MapEngine(Engine):
    """What answers questions, with maps of memories."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self.maps = Maps()


def _forgotten(made: Map | Failure) -> bool:
    return isinstance(made, Failure) and time.monotonic() - made.at > REMEMBERED_S
