"""The embedder that works offline: the mean of word vectors that are installed with us."""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock, Thread
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.embedding.vectors import unit
from core.model.language import telling

NAME = "wordllama-l2-supercat-256"
DIMENSIONS = 256
LONGEST = 8_000
"""Characters read of one text: the mean of its words hardly moves after the first thousand."""
TOKENS_AT_ONCE = 1 << 16
TEXTS_AT_ONCE = 2_048


class WordEmbedder:
    """Loads its words on first use (a quarter of a second, 83 MB)."""

    name = NAME
    dimensions = DIMENSIONS

    def __init__(self) -> None:
        self._lock = Lock()
        self._model: Any = None

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One vector per text: (texts, dimensions)."""
        vectors = np.zeros((len(texts), DIMENSIONS), dtype=np.float32)
        if len(texts) == 0:
            return vectors
        model = self._load()
        for start in range(0, len(texts), TEXTS_AT_ONCE):
            plain = [_readable(text) for text in texts[start : start + TEXTS_AT_ONCE]]
            tokens = [
                encoding.ids for encoding in model.tokenizer.encode_batch(
                    plain, add_special_tokens=False
                )
            ]
            for first, last in _portions(tokens):
                vectors[start + first : start + last] = _mean(model.embedding, tokens[first:last])
        return unit(vectors)

    def embed_question(self, text: str, within: float | None = None) -> NDArray[np.float32]:
        """A question's vector: of its telling words only, or the mean would be that of asking."""
        vector: NDArray[np.float32] = self.embed([telling(text)])[0]
        return vector

    def load_ahead(self) -> None:
        """Begin to load the words in a thread, while the caller opens and reads its file."""
        Thread(target=self._load_quietly, name="load words", daemon=True).start()

    def _load_quietly(self) -> None:
        with suppress(Exception):  # Who then needs the words is told why they can't be loaded.
            self._load()

    def _load(self) -> Any:
        with self._lock:
            if self._model is None:
                self._model = _load_words()
            return self._model


def _load_words() -> Any:
    with _logging_left_alone():
        # Here, because the package takes a quarter of a second and few commands need it.
        import wordllama  # noqa: PLC0415

        # The weights are in the package's own folder; its default looks for them on the network.
        model = wordllama.WordLlama.load(
            cache_dir=Path(wordllama.__file__).parent, disable_download=True, dim=DIMENSIONS
        )
    model.tokenizer.no_padding()
    return model


@contextmanager
def _logging_left_alone() -> Iterator[None]:
    """The package sets up the root logger when it is imported; that is the application's to do."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    try:
        yield
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)


def _readable(text: str | None) -> str:
    """Text that the tokenizer takes: half characters replaced, the tail of a huge text left out."""
    return (text or "")[:LONGEST].encode("utf-8", "replace").decode("utf-8")


def _portions(tokens: list[list[int]]) -> Iterator[tuple[int, int]]:
    """Runs of texts that together stay within memory."""
    first, count = 0, 0
    for row, ids in enumerate(tokens):
        if count + len(ids) > TOKENS_AT_ONCE and row > first:
            yield first, row
            first, count = row, 0
        count += len(ids)
    yield first, len(tokens)


def _mean(words: NDArray[np.float32], tokens: list[list[int]]) -> NDArray[np.float32]:
    """The mean word of each text; zeros for a text without words."""
    lengths = np.array([len(ids) for ids in tokens])
    means = np.zeros((len(tokens), words.shape[1]), dtype=np.float32)
    filled = lengths > 0
    if filled.any():
        ids = np.concatenate([np.asarray(ids, dtype=np.int64) for ids in tokens if ids])
        starts = np.concatenate([[0], np.cumsum(lengths[filled])[:-1]])
        sums = np.add.reduceat(words[np.clip(ids, 0, len(words) - 1)], starts, axis=0)
        means[filled] = sums / lengths[filled, None]
    return means
