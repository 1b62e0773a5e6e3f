"""The settings of where vectors come from, each with its meaning."""

from typing import Literal

from pydantic import Field

from core.model.validation import SettingsSection


class EmbeddingSettings(SettingsSection):
    """Which embedder turns texts into vectors. Without any change nothing leaves this machine."""

    provider: Literal["offline", "ollama", "openai"] = Field(
        default="offline",
        description="“offline”: the words that are installed with this program; “ollama”: an "
                    "Ollama server; “openai”: any server with OpenAI's way of asking.")
    url: str = Field(
        default="", description="The server; without it Ollama's usual one on this machine.")
    model: str = Field(default="", description="The model that the server is asked for.")
    dimensions: int | None = Field(
        default=None, ge=1, le=65_536,
        description="The length of its vectors; without it the server is asked once.")
    key_variable: str = Field(
        default="OPENAI_API_KEY",
        description="The environment variable that holds the server's key. The key itself is "
                    "never stored.")
    timeout_s: float = Field(
        default=10, gt=0, le=600, description="Seconds that one request may take.")
    batch: int = Field(default=64, ge=1, le=2048, description="Texts in one request.")
    query_prefix: str = Field(
        default="", description="Put before a question, for models that want it.")
    memory_prefix: str = Field(
        default="", description="Put before a memory, for models that want it.")
