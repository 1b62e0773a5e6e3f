"""What is typed in a search field is read, or refused with what to write instead."""

from datetime import UTC, datetime

import pytest

from core.errors import OperationError
from core.queries.search_syntax import SYNTAX, SearchText, read_search

NOW = datetime(2026, 11, 28, 12, tzinfo=UTC)


@pytest.mark.parametrize(("text", "meant"), [
    ("settlement  bank", SearchText(words=("settlement", "bank"), plain="settlement bank")),
    ('a "night  run" b', SearchText(words=("a", "b"), phrases=("night run",),
                                    plain="a night run b")),
    ("“night run”", SearchText(phrases=("night run",), plain="night run")),
    ("[release] [two words]", SearchText(tags=("release", "two words"))),
    ("type:Person,tool TYPE:x", SearchText(types=("person", "tool", "x"))),
    ('type:"odd type"', SearchText(types=("odd type",))),
    ("pinned:yes", SearchText(pinned=True)),
    ("pinned:No", SearchText(pinned=False)),
    ("since:2026-03-14", SearchText(since="2026-03-14T00:00:00")),
    ("since:2026-03", SearchText(since="2026-03-01T00:00:00")),
    ("since:2026", SearchText(since="2026-01-01T00:00:00")),
    ("since:7d", SearchText(since="2026-11-21T12:00:00")),
    ("since:2w x", SearchText(words=("x",), since="2026-11-14T12:00:00", plain="x")),
    ("", SearchText()),
    ("\0", SearchText()),
])
def test_each_sign_is_read(text: str, meant: SearchText) -> None:
    assert read_search(text, now=NOW) == meant


@pytest.mark.parametrize("text", [
    "https://x.org/a", "name:harbor", "array[0]", "[[Harbor]]", '12" pipe', "it's", "[a]b", "a:b",
    "[]", "[bold]x[/bold]"])
def test_what_is_no_sign_stands_for_itself(text: str) -> None:
    assert read_search(text).words == tuple(text.split())


@pytest.mark.parametrize(("text", "said"), [
    ('find "night run', "The quotation mark before “night run” is not closed. Close it with \""),
    ('"', "The quotation mark is not closed"),
    ("“night", "Close it with ”"),
    ("[rel", "The bracket in “[rel” is not closed. Write a tag as [tag], or quote the word"),
    ("type:", "“type:” needs a type. Write it as type:person, or type:person,tool"),
    ("pinned:maybe", "“pinned:maybe” is neither yes nor no. Write pinned:yes or pinned:no"),
    ("pinned:", "neither yes nor no"),
    ("since:soon", "“since:soon” is not a time. Write it as since:2026-03-14"),
    ("since:", "is not a time"),
    ("since:2026-13", "is not a time"),
    ("since:9999y", "is not a time"),
])
def test_what_cannot_be_read_is_refused_in_words(text: str, said: str) -> None:
    with pytest.raises(OperationError) as refused:
        read_search(text, now=NOW)
    assert said in str(refused.value)
    assert (refused.value.status, refused.value.field) == (400, "search")


def test_every_sign_that_is_explained_can_be_typed() -> None:
    for sign, _ in SYNTAX:
        assert read_search(sign) != SearchText()
        assert read_search(sign).words == ()
