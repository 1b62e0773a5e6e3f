"""How an Ollama server is asked for vectors."""

from collections.abc import Mapping, Sequence
from typing import Any

from core.embedding.endpoint import Dialect


def _ask(model: str, texts: Sequence[str]) -> Mapping[str, object]:
    return {"model": model, "input": list(texts), "truncate": True}


def _answer(told: Any) -> Sequence[Sequence[float]]:
    found: Sequence[Sequence[float]] = told["embeddings"]
    return found


OLLAMA = Dialect("/api/embed", _ask, _answer, "http://127.0.0.1:11434")
