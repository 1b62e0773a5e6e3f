"""The settings of where vectors come from, each with its meaning."""

from typing import Literal

from pydantic import Field

from core.model.validation import SettingsSection


class EmbeddingSettings(SettingsSection):
    """Which embedder turns texts into vectors. Without any change nothing leaves this machine."""

    provider: Literal["offline", "ollama", "openai"] = Field(
        default="offline",
        description="“offline”: the model installed with this program; “ollama”: an Ollama "
                    "server; “openai”: any server with an OpenAI-compatible API.")
    url: str = Field(
        default="", description="The server's address; without it the local Ollama server.")
    model: str = Field(default="", description="The model to use on the server.")
    dimensions: int | None = Field(
        default=None, ge=1, le=65_536,
        description="The length of its vectors; without it the server is queried once.")
    key_variable: str = Field(
        default="OPENAI_API_KEY",
        description="The environment variable that holds the server's key. The key itself is "
                    "never stored.")
    timeout_s: float = Field(
        default=10, gt=0, le=600, description="Timeout of a request in seconds.")
    batch: int = Field(default=64, ge=1, le=2048, description="Texts per request.")
    query_prefix: str = Field(
        default="", description="Text put before a question, for models that need it.")
    memory_prefix: str = Field(
        default="", description="Text put before a memory, for models that need it.")
