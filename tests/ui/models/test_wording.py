"""The words of a near miss never contradict themselves."""

import pytest

from core.model.walk import Miss
from ui.models.wording import miss_words


@pytest.mark.parametrize(("value", "words"), [
    (0.24, "link strength 0.24 < 0.30"), (0.296, "link strength 0.296 < 0.300"),
    (0.29996, "link strength 0.29996 < 0.30000"),
])
def test_a_number_just_below_its_limit_is_told_with_enough_digits(value: float, words: str) -> None:
    assert miss_words(Miss("link", "l", "Grafana", "strength", value, 0.3)) == words
