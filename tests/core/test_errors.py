"""What an error says of the system's own words."""

import pytest

from core.errors import ConstellationError


@pytest.mark.parametrize(("said", "shown"), [
    ("[Errno 28] No space left on device: '/mnt/x.db'",
     "No space left on device: '/mnt/x.db'"),
    ("[WinError -5] Access is denied", "Access is denied"),
    ("disk I/O error", "disk I/O error"),
])
def test_technical_details_are_the_systems_words_without_their_number(
    said: str, shown: str
) -> None:
    assert ConstellationError("The file can't be written", detail=said).detail == shown
