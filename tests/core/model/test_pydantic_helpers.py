"""What pydantic finds wrong with an input, in words."""

from typing import Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from core.model.pydantic_helpers import faults_of


class Input(BaseModel):
    """One field of each kind that is asked for anywhere."""

    model_config = ConfigDict(extra="forbid")

    name: str = ""
    number: float = Field(0.5, gt=0, le=1)
    whole: int = 1
    word: Literal["one", "two"] = "one"
    even: int = 0

    @field_validator("even")
    @classmethod
    def _is_even(cls, value: int) -> int:
        if value % 2:
            raise ValueError("must be even")
        return value


@pytest.mark.parametrize(("given", "words"), [
    ({"name": 5}, "must be text"), ({"number": 0}, "must be more than 0"),
    ({"number": 2}, "must be at most 1"), ({"number": "x"}, "must be a number"),
    ({"whole": 1.5}, "must be a whole number"), ({"word": "three"}, "must be one or two"),
    ({"even": 3}, "must be even"), ({"other": 1}, "is not known"),
])
def test_a_fault_is_the_end_of_a_sentence_about_its_field(
    given: dict[str, object], words: str
) -> None:
    with pytest.raises(ValidationError) as refused:
        Input.model_validate(given)
    [(place, _, what)] = faults_of(refused.value)
    assert (place, what) == ((next(iter(given)),), words)
