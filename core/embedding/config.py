"""The settings of where vectors come from, each with its meaning."""

from typing import Literal

from pydantic import Field

from core.model.pydantic_helpers import SettingsSection, limited, setting


class EmbeddingSettings(SettingsSection):
    """Which embedder turns texts into vectors. Without any change nothing leaves this machine."""

    provider: Literal["offline", "ollama", "openai"] = setting(
        "offline", "“offline”: the model installed with this program; “ollama”: an Ollama server; "
                   "“openai”: any server with an OpenAI-compatible API.",
        title="Where vectors come from")
    url: str = setting("", "The server's address; without it the local Ollama server.",
        title="Address of the server")
    model: str = setting("", "The model to use on the server.", title="Model")
    dimensions: int | None = limited(
        None, 1, 65_536, "The length of its vectors; without it the server is queried once.",
        title="Length of a vector")
    key_variable: str = setting(
        "OPENAI_API_KEY", "The environment variable that holds the server's key. The key itself "
                          "is never stored.", title="Variable that holds the key")
    timeout_s: float = Field(
        default=10, gt=0, le=600, description="Timeout of a request in seconds.",
        title="Time limit (seconds)")
    batch: int = limited(64, 1, 2048, "Texts per request.", title="Texts per request")
    query_prefix: str = setting("", "Text put before a question, for models that need it.",
        title="Text before a question")
    memory_prefix: str = setting("", "Text put before a memory, for models that need it.",
        title="Text before a memory")
