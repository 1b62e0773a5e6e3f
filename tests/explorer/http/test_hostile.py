"""Callers that mean no good, or are broken, are refused in words, and the server goes on."""

from typing import Any

import pytest

from explorer.http import tokens
from tests.explorer.http.callers import AGENT, PERSON, PORT, Caller

LIST, RECALL = "/api/knowledge/entities", "/api/memory/recall"
JSON = {"content-type": "application/json"}


def refused(response: Any, status: int) -> str:
    """The words of a refusal, which has nothing of the inside of the program."""
    assert response.status_code == status, response.text
    words = str(response.json()["error"])
    assert "Traceback" not in response.text
    assert ".py" not in response.text
    return words


@pytest.mark.parametrize("host", ["evil.example", f"evil.example:{PORT}", "127.0.0.1", "localhost",
                                  f"127.0.0.1.evil.example:{PORT}", f"127.0.0.1:{PORT + 1}", ""])
def test_another_host_is_refused(reading: Caller, host: str) -> None:
    refused(reading("GET", LIST, headers={"host": host}), 421)


@pytest.mark.parametrize("origin", ["https://evil.example", "http://localhost.evil.example",
                                    f"https://127.0.0.1:{PORT}", "http://127.0.0.1:1", "null", ""])
@pytest.mark.parametrize("method", ["GET", "OPTIONS"])
def test_a_page_from_elsewhere_is_refused(reading: Caller, origin: str, method: str) -> None:
    response = reading(method, LIST, headers={"origin": origin})
    refused(response, 403)
    assert not [name for name in response.headers if name.startswith("access-control")]


def test_this_machine_s_own_names_are_answered(reading: Caller) -> None:
    for name in (f"127.0.0.1:{PORT}", f"localhost:{PORT}", f"LOCALHOST:{PORT}"):
        assert reading("GET", LIST, headers={"host": name}).status_code == 200
    own = {"origin": f"http://localhost:{PORT}"}
    assert reading("GET", LIST, headers=own).status_code == 200


@pytest.mark.parametrize("header", ["", "Bearer", "Bearer ", "Basic dXNlcjpwdw==", "bearer x y",
                                    "Bearer \u00e9\u00e9\u00e9", "Bearer " + "x" * 5000])
def test_a_wrong_token_is_refused(reading: Caller, header: str) -> None:
    response = reading("GET", LIST, token="", headers={"authorization": header.encode()})
    assert "token" in refused(response, 401).lower()


def test_a_body_that_is_too_large_is_refused_whatever_its_header_says(reading: Caller) -> None:
    large = b'{"query": "' + b"x" * 5_000_000 + b'"}'
    assert "4 MB" in refused(reading("POST", RECALL, content=large, headers=JSON), 413)
    in_parts = (b" " * 1_000_000 for _ in range(100))
    assert "4 MB" in refused(reading("POST", RECALL, content=in_parts, headers=JSON), 413)
    lying = {**JSON, "content-length": "100000000"}
    refused(reading("POST", RECALL, content=b"{}", headers=lying), 413)


@pytest.mark.parametrize("body", [
    b"{", b"nonsense", b"[" * 100_000, b'{"query": NaN}x', b"\xff\xfe", b'{"query": "\xff"}',
    b"\x00", b'{"limit": ' + b"9" * 5000 + b"}"])
def test_broken_json_is_said(reading: Caller, body: bytes) -> None:
    refused(reading("POST", RECALL, content=body, headers=JSON), 400)


@pytest.mark.parametrize("body", [b"[]", b'"text"', b"5", b"null", b"true"])
def test_only_an_object_is_a_request(reading: Caller, body: bytes) -> None:
    assert "JSON object" in refused(reading("POST", RECALL, content=body, headers=JSON), 400)


@pytest.mark.parametrize("path", [
    "/api/knowledge/entities/../../../etc/passwd", "/..%2f..%2fetc%2fpasswd",
    "/api/knowledge/entities/%2e%2e%2f%2e%2e", "//etc/passwd",
    "/api/knowledge/entities/a%2fb/pin/x",
    "/docs", "/redoc", "/static/x", "/api/knowledge/entities/%00", "/api/knowledge/entities/%ff"])
def test_no_path_leads_anywhere_else(reading: Caller, path: str) -> None:
    refused(reading("GET", path), 404)


@pytest.mark.parametrize("text", [
    "<script>alert(1)</script>", "'; DROP TABLE entities; --", "a\x00b", "\u202egnp.exe",
    "{{7*7}}", "x" * 5000, "%s%n", "\U0001f680"])
def test_any_text_is_stored_and_told_as_it_is_or_refused(caller: Caller, text: str) -> None:
    made = caller("POST", "/api/ontology/operations/apply", {
        "operation": "set_claim_value", "payload": {
            "entity": "Anna", "aspect": "Said", "claim_key": "last", "value": text}},
        headers=AGENT)
    assert made.status_code in (200, 400), made.text
    if made.status_code == 200:
        path = "/api/knowledge/entities/Anna/aspects/Said/attributes"
        [value] = caller.read(path)["items"]
        assert value["content"] == text
    assert caller.read(LIST)["count"] == 4
    for name in ("q", "type"):
        answer = caller("GET", LIST, params={name: text})
        assert answer.status_code in (200, 400)
        assert answer.headers["content-type"] == "application/json"


def test_half_a_character_is_replaced(caller: Caller) -> None:
    body = (b'{"operation": "create_entity", "payload": {"name": "Half \\ud800 ferry"},'
            b' "reason": "\\udfff"}')
    made = caller("POST", "/api/ontology/operations/apply", content=body,
                  headers={**JSON, **PERSON})
    assert made.status_code == 200
    names = [item["entity"]["name"] for item in caller.read(LIST)["items"]]
    assert "Half \ufffd ferry" in names


def test_a_name_in_a_header_does_not_pass_for_a_person(caller: Caller) -> None:
    made = caller("POST", "/api/ontology/proposals/p-1/apply", {}, headers={
        "x-signet-actor": "operator\t", "x-signet-actor-type": "Operator of none"})
    refused(made, 403)


def test_a_parameter_given_twice_is_refused(reading: Caller) -> None:
    response = reading("GET", f"{LIST}?limit=1&limit=2")
    assert "twice" in refused(response, 400)
    two = reading.read("/api/memory/search?q=run&tags=a&tags=b")
    assert two["hits"] == []


@pytest.mark.parametrize(("path", "body", "field"), [
    (RECALL, {"query": "run", "limit": "5"}, "limit"),
    (RECALL, {"query": "run", "importance": True}, "importance"),
    ("/api/knowledge/expand", {"entity": "Anna", "maxTokens": False}, "maxTokens"),
    ("/api/ontology/operations/apply", {"operation": "pin_entity", "payload": {"entity": "Anna"},
                                        "propose": 0}, "propose")])
def test_a_number_or_a_yes_of_another_kind_is_refused(
    reading: Caller, path: str, body: dict[str, Any], field: str
) -> None:
    response = reading("POST", path, body, headers=PERSON)
    assert field in refused(response, 400)
    assert reading("GET", LIST, params={"limit": "5"}).status_code == 200


def test_what_another_method_would_do_is_not_done(reading: Caller) -> None:
    refused(reading("PUT", LIST), 405)
    refused(reading("DELETE", LIST), 405)


def test_a_file_that_may_not_be_written_is_read_only(caller: Caller) -> None:
    with caller.graph() as graph:
        path = graph.path
    path.chmod(0o400)
    try:
        assert caller.read(LIST)["count"] == 4
    finally:
        path.chmod(0o600)


def test_a_token_that_is_revoked_holds_no_more_at_once(caller: Caller) -> None:
    secret = tokens.create("recall", "default", caller.tokens)
    assert caller("GET", LIST, token=secret).status_code == 200
    [kept] = tokens.list_tokens(caller.tokens)
    tokens.revoke(kept.id, caller.tokens)
    refused(caller("GET", LIST, token=secret), 401)


def test_a_token_opens_its_own_agent_s_memory(caller: Caller) -> None:
    secret = tokens.create("recall", "rival", caller.tokens)
    seen = caller("GET", LIST, token=secret).json()["items"]
    assert {item["entity"]["name"] for item in seen} == {"Rival Secret", "Rival Tool"}
    named = caller("GET", LIST, token=secret, params={"agent_id": "rival"})
    assert named.status_code == 200
    refused(caller("GET", LIST, token=secret, params={"agent_id": "default"}), 403)
