"""How a server that speaks as OpenAI's does is asked: vLLM, LM Studio, llama.cpp and others."""

from collections.abc import Mapping, Sequence
from typing import Any

from core.embedding.endpoint import Dialect


def _ask(model: str, texts: Sequence[str]) -> Mapping[str, object]:
    return {"model": model, "input": list(texts), "encoding_format": "float"}


def _answer(told: Any) -> Sequence[Sequence[float]]:
    rows = sorted(told["data"], key=lambda row: int(row["index"]))
    return [row["embedding"] for row in rows]


OPENAI = Dialect("/embeddings", _ask, _answer, "http://127.0.0.1:8000/v1")
