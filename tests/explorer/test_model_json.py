"""The model as JSON."""

import json
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from core.model.changes import Activity
from explorer import model_json
from explorer.model_json import plain


def test_keys_are_camel_case() -> None:
    told = plain(Activity("now", "Pin Vega", "you", "done", 3, proposal_id="p"))
    assert told == {"when": "now", "label": "Pin Vega", "who": "you", "state": "done", "undoId": 3,
                    "rows": 0, "tables": [], "entityIds": [], "proposalId": "p"}


def test_payloads_keep_their_own_keys() -> None:
    assert plain({"claim_key": {"inner_key": (1, 2)}}) == {"claim_key": {"inner_key": [1, 2]}}


def test_what_json_cannot_hold_is_told_otherwise() -> None:
    assert plain([float("nan"), float("inf"), b"\x01", Path("a")]) == [None, None, "01", "a"]


@given(st.text())
def test_any_text_survives_and_commands_no_terminal(text: str) -> None:
    told = model_json.text([text])
    assert json.loads(told) == [text]
    assert not any(sign != "\n" and (sign < " " or "\x7f" <= sign <= "\x9f") for sign in told)
    assert not any(sign in told for sign in "\u202e\u2066\u2028")
