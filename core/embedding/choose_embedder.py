"""The embedder that the settings choose."""

import os
from functools import cache
from typing import TYPE_CHECKING

from core.errors import ConstellationError

if TYPE_CHECKING:
    from core.embedding.config import EmbeddingSettings
    from core.embedding.embedder_interface import Embedder
    from core.embedding.word_vectors import WordEmbedder


@cache
def offline() -> "WordEmbedder":
    """The embedder that is always there; its words lie in memory once."""
    # Here, because numpy takes long to load: a window stands before it.
    from core.embedding.word_vectors import WordEmbedder  # noqa: PLC0415

    return WordEmbedder()


def choose(settings: "EmbeddingSettings") -> "Embedder":
    """The embedder that is set, which falls back to the offline one.

    Raises ConstellationError if a server is chosen without a model or with no address.
    """
    if settings.provider == "offline":
        return offline()
    if not settings.model:
        raise ConstellationError("No embedding model is set", where=settings.provider,
                                 do="Set embedding.model, or embedding.provider to offline")
    # Here, because few people have a server.
    from core.embedding.endpoint import OLLAMA, OPENAI, EndpointEmbedder  # noqa: PLC0415

    return EndpointEmbedder(
        {"ollama": OLLAMA, "openai": OPENAI}[settings.provider], model=settings.model,
        url=settings.url,
        key=os.environ.get(settings.key_variable, "") if settings.provider == "openai" else "",
        dimensions=settings.dimensions, timeout_s=settings.timeout_s, batch=settings.batch,
        query_prefix=settings.query_prefix, memory_prefix=settings.memory_prefix,
        fallback=offline())
