"""The settings of extraction, each with its meaning."""

from typing import Literal

from pydantic import Field

from core.model.pydantic_helpers import SettingsSection, limited, setting


class ExtractionSettings(SettingsSection):
    """Who takes structure out of texts. Without any change nothing leaves this machine."""

    provider: Literal["off", "openai"] = setting(
        "off", "“off”: patterns and known names only; “openai”: any server with an"
               " OpenAI-compatible API, where a command asks for it.", title="What reads the text")
    url: str = setting("http://127.0.0.1:8000/v1", "The server's address.",
        title="Address of the server")
    model: str = setting("", "The model to use on the server.", title="Model")
    key_variable: str = setting(
        "OPENAI_API_KEY", "The environment variable that holds the server's key. The key itself "
                          "is never stored.", title="Variable that holds the key")
    timeout_s: float = Field(
        default=60, gt=0, le=600, description="Timeout of a request in seconds.",
        title="Time limit (seconds)")
    max_tokens: int = limited(2000, 1, 100_000, "The longest answer, in tokens.",
        title="Longest answer (tokens)")
    max_characters: int = limited(
        200_000, 100, 10_000_000, "Characters of one text that are read.",
        title="Text that is read (characters)")
