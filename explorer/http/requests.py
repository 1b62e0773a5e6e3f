"""What a request says: its token, who calls, and what is asked."""

import json
from collections.abc import Iterable

from starlette.requests import Request

from core.errors import OperationError
from core.model.names import storable
from core.model.text_formatting import one_line
from core.queries.authors import VIA_HTTP
from explorer.caller_arguments import Json
from explorer.http.endpoint import Endpoint

_LONGEST_NAME = 60
"""Characters of a caller's name that are recorded."""


def shown_token(request: Request) -> str:
    """The token in the request; empty if it has none, or several."""
    shown = request.headers.getlist("authorization")
    scheme, _, secret = shown[0].partition(" ") if len(shown) == 1 else ("", "", "")
    return secret.strip() if scheme.lower() == "bearer" else ""


def caller_of(request: Request) -> str:
    """Who calls, for the record: an agent, unless the headers say that it is a person.

    As in Signet's newest generation: `x-signet-actor-type` is `operator` where a person asks.
    """
    kind = request.headers.get("x-signet-actor-type", "").strip().lower()
    name = one_line(storable(request.headers.get("x-signet-actor", "")).strip(), _LONGEST_NAME)
    if kind == "operator":
        return name or "operator"
    return f"{name or 'agent'}{VIA_HTTP}"


def given_by(endpoint: Endpoint, request: Request, body: bytes) -> Json:
    """What is asked: by the path, and by the body or the query.

    Raises OperationError (400) for what can't be read, is given twice, or stands elsewhere.
    """
    if endpoint.method == "POST":
        given = _read(body)
        _refuse((name for name in request.query_params if name != "agent_id"), "body")
        if "agent_id" in request.query_params:
            given.setdefault("agent_id", request.query_params["agent_id"])
    else:
        given = _query(endpoint, request)
    _refuse((name for name in request.path_params if name in given), "path")
    return {**given, **request.path_params}


def _refuse(names: Iterable[str], place: str) -> None:
    for name in names:
        raise OperationError(400, f"{storable(name)} is not known here", field=storable(name),
                             do=f"What is asked stands in the {place}")


def _read(body: bytes) -> Json:
    """The JSON object in a body; an empty body is an empty one."""
    if not body.strip():
        return {}
    try:
        given = json.loads(body)
    except (ValueError, RecursionError):
        raise OperationError(400, "The body is not valid JSON", do="Nothing was done") from None
    if not isinstance(given, dict):
        raise OperationError(400, "The body must be a JSON object", do="Nothing was done")
    return given


def _query(endpoint: Endpoint, request: Request) -> Json:
    """The query, where a list may be given by repeating its name."""
    many = {part.alias or name for name, part in endpoint.takes.model_fields.items()
            if isinstance(part.default, tuple)}
    given: Json = {}
    for name in request.query_params:
        every = request.query_params.getlist(name)
        if len(every) > 1 and name not in many:
            raise OperationError(400, f"{storable(name)} is given twice", field=storable(name))
        given[name] = every if name in many else every[0]
    return given
