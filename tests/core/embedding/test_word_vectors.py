"""The offline embedder gives sane vectors for any text."""

import logging
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from core.embedding.word_vectors import WordEmbedder, _sum

HOSTILE = ["", "   ", "\ud800", "\x00", "😀😀", "\u202eabc", "<b>bold</b>", "x" * 100_000]


@pytest.fixture(scope="module")
def embedder() -> WordEmbedder:
    return WordEmbedder()


def test_rows_are_float32_of_length_one(embedder: WordEmbedder) -> None:
    vectors = embedder.embed(["a database", "a kitten"])
    assert vectors.shape == (2, embedder.dimensions)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1], abs=1e-5)


def test_texts_of_one_topic_lie_closer_than_texts_of_two(embedder: WordEmbedder) -> None:
    database, index, kitten = embedder.embed(
        ["the database stores rows", "an index makes queries on tables fast", "a small kitten"]
    )
    assert database @ index > database @ kitten


def test_hostile_texts_give_finite_rows(embedder: WordEmbedder) -> None:
    vectors = embedder.embed(HOSTILE)
    assert np.isfinite(vectors).all()
    assert not vectors[0].any()
    assert not embedder.embed([None])[0].any()  # a column that a foreign file left empty


def test_a_vector_does_not_depend_on_the_texts_beside_it(embedder: WordEmbedder) -> None:
    texts = ["short", "a long sentence about tools and people " * 40, "", "third"]
    together = embedder.embed(texts)
    alone = np.concatenate([embedder.embed([text]) for text in texts])
    assert np.allclose(together, alone, atol=1e-6)


def test_tokens_word_by_word_are_those_of_the_whole_text(embedder: WordEmbedder) -> None:
    texts = [*HOSTILE[3:], " led by a space", "two  spaces", "ends in one ", "a\nb c\td\n\n e",
             "</s> x <s>", "\u2581a b", "1 22 333.4", "naïve 中文 字 \u00a0y", "a word a word", "a"]
    model = embedder._load()
    whole = model.look_up([
        each.ids for each in model.tokenizer.encode_batch(texts, add_special_tokens=False)])
    assert embedder._places_of(texts, model) == whole
    assert embedder._places_of(texts, model) == whole  # from what was kept


def test_only_the_words_that_come_are_read() -> None:
    embedder = WordEmbedder()
    embedder.embed(["a small kitten", "a kitten"])
    model = embedder._load()
    read = np.flatnonzero(model.vectors.any(axis=1))
    assert read.tolist() == sorted(model.places[model.places >= 0]) == list(range(model.read))
    assert 3 <= model.read < 10


def test_words_that_were_let_go_are_loaded_again() -> None:
    embedder = WordEmbedder()
    before = embedder.embed(["a small kitten"])
    embedder.let_go()
    embedder.embed(["another"])
    assert (embedder.embed(["a small kitten"]) == before).all()


def test_words_that_two_threads_read_are_those_of_one(embedder: WordEmbedder) -> None:
    texts = [f"{word} {number}" for number in range(40) for word in ("kitten", "ledger", "tide")]
    both = WordEmbedder()
    with ThreadPoolExecutor(2) as threads:
        one, two = threads.map(both.embed, (texts, texts[::-1]))
    assert (one == embedder.embed(texts)).all()
    assert (one == two[::-1]).all()


@pytest.mark.parametrize("count", [1, 2, 3, 9, 10, 11, 65, 129, 130, 131, 301, 1001])
def test_words_are_added_in_the_order_of_earlier_versions(count: int) -> None:
    texts = np.random.default_rng(count).normal(size=(3, count, 32)).astype(np.float32)
    before = [np.add.reduceat(words, [0], axis=0)[0] for words in texts]
    assert _sum(texts).tobytes() == np.array(before).tobytes()


def test_no_text_gives_no_row_without_loading_the_words() -> None:
    assert WordEmbedder().embed([]).shape == (0, 256)


def test_loading_leaves_the_root_logger_alone() -> None:
    root = logging.getLogger()
    before = (list(root.handlers), root.level)
    WordEmbedder().embed(["word"])
    assert (list(root.handlers), root.level) == before


def test_a_program_that_ends_while_words_load_waits_for_them() -> None:
    """A thread that ended inside the package took the process down: "exception not rethrown"."""
    done = subprocess.run([sys.executable, "-c", (
        "import atexit\n"
        "from core.embedding.word_vectors import WordEmbedder, _sum\n"
        "words = WordEmbedder()\n"
        "atexit.register(lambda: print(words._model is not None))\n"
        "words.load_ahead()")], capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"


def test_words_load_without_what_would_fetch_them_from_the_network() -> None:
    done = subprocess.run([sys.executable, "-c", (
        "import sys\n"
        "from core.embedding.word_vectors import WordEmbedder, _sum\n"
        "WordEmbedder().embed(['word'])\n"
        "print(sorted({'wordllama', 'requests', 'urllib3'} & sys.modules.keys()))")],
        capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
