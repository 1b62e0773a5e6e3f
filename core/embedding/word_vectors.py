"""The embedder that works offline: the mean of word vectors that are installed with us."""

from collections.abc import Sequence
from contextlib import suppress
from importlib.util import find_spec
from itertools import accumulate, chain
from pathlib import Path
from threading import Lock, Thread
from typing import Any

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

from core.embedding.vector_set import Vectors, unit
from core.model.search_words import telling

NAME = "wordllama-l2-supercat-256"
DIMENSIONS = 256
_WORDS = "l2_supercat"
"""What the files of the words are called in their package."""
LONGEST = 8_000
"""Characters read of one text: the mean of its words hardly moves after the first thousand."""
TEXTS_AT_ONCE = 2_048
WORDS_KEPT = 1 << 17
"""Different words whose tokens are kept; beyond that they are looked up anew."""
WORDS_AT_ONCE = 1_024
"""Words whose vectors, a kilobyte each, are taken at a time."""
PLACE = np.dtype(np.int32)
LONGEST_WORD = 40
"""Characters up to which it is kept: what is longer hardly comes a second time."""


class WordEmbedder:
    """Loads its words on first use (a tenth of a second, 25 MB)."""

    name = NAME
    dimensions = DIMENSIONS

    def __init__(self) -> None:
        self._lock = Lock()
        self._model: _Words | None = None

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One vector per text: (texts, dimensions)."""
        vectors = np.zeros((len(texts), DIMENSIONS), dtype=np.float32)
        if len(texts) == 0:
            return vectors
        model = self._load()
        for start in range(0, len(texts), TEXTS_AT_ONCE):
            here = vectors[start : start + TEXTS_AT_ONCE]
            plain = [_readable(text) for text in texts[start : start + TEXTS_AT_ONCE]]
            model.means(self._places_of(plain, model), here)
            here[:] = unit(here)  # A copy of all of them would take tens of megabytes.
        return vectors

    def _places_of(self, texts: Sequence[str], model: "_Words") -> list[bytes]:
        """Where the tokens of each text stand, the same as the tokenizer gives: none reaches past
        a space."""
        words = [[text] if _as_a_whole(text) else text.split(" ") for text in texts]
        try:
            return [b"".join(map(model.known.__getitem__, each)) for each in words]
        except KeyError:
            places_of = self._learned(set(chain.from_iterable(words)), model).__getitem__
            return [b"".join(map(places_of, each)) for each in words]

    def _learned(self, words: set[str], model: "_Words") -> dict[str, bytes]:
        """Where the tokens of words stand, of these at least; their vectors are read."""
        if len(model.known) > WORDS_KEPT:
            model.known = {}
        known = model.known
        new = [word for word in words if word not in known]
        fresh = dict(zip(new, model.look_up([
            encoding.ids for encoding in model.tokenizer.encode_batch(
                new, add_special_tokens=False)]), strict=True))
        long = {word: at for word, at in fresh.items() if len(word) > LONGEST_WORD}
        known.update((word, at) for word, at in fresh.items() if word not in long)
        return known | long if long else known

    def embed_question(self, text: str, within: float | None = None) -> Vectors:
        """A question's vector: of its telling words only, or the mean would be that of asking."""
        vector: Vectors = self.embed([telling(text)])[0]
        return vector

    def load_ahead(self) -> None:
        """Begin to load the words in a thread, while the caller opens and reads its file.

        The program's end waits for it: a thread that is ended inside the package's own code, which
        is not C, takes the process down with it.
        """
        Thread(target=self._load_quietly, name="load words").start()

    def let_go(self) -> None:
        """Forget the words until they are asked for again: those of a large graph take 50 MB."""
        with self._lock:
            self._model = None

    def _load_quietly(self) -> None:
        with suppress(Exception):  # Who then needs the words is told why they can't be loaded.
            self._load()

    def _load(self) -> "_Words":
        with self._lock:
            if self._model is None:
                self._model = _load_words()
            return self._model


class _Words(Struct, eq=False):
    """The words of the package: its own loading brings along what fetches them from the network."""

    tokenizer: Any
    file: Any
    """The package's own table, from which a row is read when its token first comes: a graph has
    few of the 32,000, and each costs a kilobyte."""
    vectors: Vectors
    """(tokens, dimensions), those that were read in front: what lies behind takes no room."""
    places: NDArray[np.int32]
    """Where each token stands among them, -1 while it is not read."""
    read: int = 0
    turn: Any = field(default_factory=Lock)
    """Two threads must not read to one place."""
    known: dict[str, bytes] = field(default_factory=dict)
    """Where the tokens of words stand that were seen before: a graph says little in new words."""

    def look_up(self, words: Sequence[Sequence[int]]) -> list[bytes]:
        """Where the tokens of each word stand, as the bytes of whole numbers; they are read."""
        tokens = np.fromiter(chain.from_iterable(words), np.int64)
        np.minimum(tokens, len(self.places) - 1, out=tokens)
        with self.turn:
            for token in np.unique(tokens[self.places[tokens] < 0]).tolist():
                self.vectors[self.read] = self.file[token]
                self.places[token] = self.read
                self.read += 1
        held = self.places[tokens].tobytes()
        ends = accumulate(len(word) * PLACE.itemsize for word in words)
        return [held[end - len(word) * PLACE.itemsize:end]
                for word, end in zip(words, ends, strict=True)]

    def means(self, texts: Sequence[bytes], into: Vectors) -> None:
        """The mean word of each text, by where its words stand; a text without any is left.

        Texts of as many words are taken together, as few as fit the processor's cache.
        """
        alike: dict[int, list[int]] = {}
        for row, places in enumerate(texts):
            alike.setdefault(len(places) // PLACE.itemsize, []).append(row)
        alike.pop(0, None)
        for count, rows in alike.items():
            step = max(1, WORDS_AT_ONCE // count)
            for here in (rows[start:start + step] for start in range(0, len(rows), step)):
                held = np.frombuffer(b"".join([texts[row] for row in here]), PLACE)
                words: Vectors = self.vectors.take(held.reshape(len(here), count), axis=0)
                into[here] = np.divide(_sum(words), count, dtype=np.float64)


def _load_words() -> _Words:
    # Here, because few commands need them.
    from safetensors import safe_open  # noqa: PLC0415
    from tokenizers import Tokenizer  # noqa: PLC0415

    package = find_spec("wordllama")
    if package is None or package.origin is None:
        raise ModuleNotFoundError("wordllama")
    folder = Path(package.origin).parent
    tokenizer = Tokenizer.from_file(str(folder / "tokenizers" / f"{_WORDS}_tokenizer_config.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    weights: Any = safe_open(folder / "weights" / f"{_WORDS}_{DIMENSIONS}.safetensors", "np")
    table = weights.get_slice("embedding.weight")
    shape = table.get_shape()
    return _Words(tokenizer, table, np.zeros(shape, np.float32), np.full(shape[0], -1, np.int32))


def _as_a_whole(text: str) -> bool:
    """Whether it may have other tokens than word by word: for spaces that are tokens themselves,
    the sign that stands for a space, and the signs that mark an end."""
    return (text.startswith(" ") or text.endswith((" ", " \n"))
            or any(sign in text for sign in ("  ", "\u2581", "<")))


def _readable(text: str | None) -> str:
    """Text that the tokenizer takes: half characters replaced, the tail of a huge text left out."""
    return (text or "")[:LONGEST].encode("utf-8", "replace").decode("utf-8")


def _sum(words: Vectors) -> Vectors:
    """The sum of the words of each text, (texts, dimensions), from (texts, words, dimensions)."""
    first: Vectors = words[:, 0]
    return first + _added(words[:, 1:]) if words.shape[1] > 1 else first


def _added(rows: Vectors) -> Vectors:
    """The sums along the middle, added in the order in which `np.add.reduceat` adds each column,
    which takes many times as long: positions follow the last bit of a vector."""
    size, count, wide = rows.shape
    if count < 8:
        total: Vectors = np.add.reduce(rows, axis=1)
        return total
    if count > 128:
        half = count // 16 * 8
        return _added(rows[:, :half]) + _added(rows[:, half:])
    even = count // 8 * 8
    sums = np.add.reduce(rows[:, :even].reshape(size, -1, 8, wide), axis=1)
    sums = sums[:, ::2] + sums[:, 1::2]
    sums = sums[:, ::2] + sums[:, 1::2]
    total = sums[:, 0] + sums[:, 1]
    for row in range(even, count):
        total += rows[:, row]
    return total
