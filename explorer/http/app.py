"""The application: every endpoint of the tables, behind the guard, with its tokens."""

from collections.abc import Awaitable, Callable
from functools import partial
from threading import Lock
from typing import Any

from anyio import CapacityLimiter, to_thread
from fastapi import FastAPI, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Match

from core.errors import ConstellationError, OperationError
from core.model.asked import HTTP
from core.workspace import Workspace
from explorer.caller_arguments import Json, checked
from explorer.graph_for_caller import Door, Engine
from explorer.http.assertions import ASSERTIONS
from explorer.http.competing_values import SETTLING
from explorer.http.constellation import CONSTELLATION
from explorer.http.endpoint import Endpoint, Reply
from explorer.http.expectations import EXPECTATIONS
from explorer.http.extract_and_consolidate import EXTRACTION
from explorer.http.guard import App, Guard, too_large
from explorer.http.health_and_statistics import HEALTH
from explorer.http.knowledge import KNOWLEDGE
from explorer.http.merge_plan import MERGING
from explorer.http.merge_proposals import REPAIR
from explorer.http.moment_and_agent_differences import PAST
from explorer.http.neighborhood import GRAPH
from explorer.http.openapi import described, operation
from explorer.http.operations import OPERATIONS
from explorer.http.proposals_and_evidence import ONTOLOGY
from explorer.http.recall_and_remember import MEMORY
from explorer.http.refusals import JsonResponse, refusal, refused
from explorer.http.requests import caller_of, given_by, shown_token
from explorer.http.review_dates_and_aliases import UPKEEP
from explorer.http.tokens import Token, Tokens
from explorer.http.traversal import TRAVERSAL
from explorer.http.unseen_writes_inbox import INBOX
from explorer.loopback_server import hosts, origins

# The health of all entities before the entity that is called “health”.
ENDPOINTS: tuple[Endpoint, ...] = (
    *HEALTH, *PAST, *KNOWLEDGE, *TRAVERSAL, *CONSTELLATION, *OPERATIONS, *ONTOLOGY, *ASSERTIONS,
    *REPAIR, *EXTRACTION, *MERGING, *SETTLING, *MEMORY, *GRAPH, *EXPECTATIONS, *INBOX, *UPKEEP)
_AT_ONCE = 4
"""Requests that are answered at the same time; others wait their turn."""

Opened = Callable[[str], Workspace]
"""The graph as one agent has it."""
Heard = Callable[[str, str], None]
"""Told the name of a caller and whose memory it uses."""


class OpenGraphs:
    """The graph for each agent whose token is shown; opened when it is first asked for."""

    def __init__(self, opened: Opened) -> None:
        self._opened, self._lock = opened, Lock()
        self._graphs: dict[str, Workspace] = {}

    def of(self, agent: str) -> Workspace:
        """The graph of an agent."""
        with self._lock:
            if agent not in self._graphs:
                self._graphs[agent] = self._opened(agent)
            return self._graphs[agent]

    def close(self) -> None:
        """Let go of the file."""
        for workspace in self._graphs.values():
            workspace.close()


def application(
    graphs: OpenGraphs, engine: Engine, tokens: Tokens, version: str, port: int,
    heard: Heard = lambda who, agent: None, at_once: int = _AT_ONCE,
) -> App:
    """The whole application for a server on this port.

    Args:
        heard: is told who called.
        at_once: how many requests are answered at the same time.
    """
    app = FastAPI(
        title="Constellation Explorer", version=version, docs_url=None, redoc_url=None,
        description="An agent's memory graph, on this machine only.",
        exception_handlers={HTTPException: _no_such_place, 500: _fault})
    answers = _Answers(graphs, engine, tokens, heard, at_once)
    for endpoint in ENDPOINTS:
        app.add_api_route(
            endpoint.path, answers.handler(endpoint), methods=[endpoint.method],
            name=endpoint.name, operation_id=endpoint.name, tags=[endpoint.family],
            summary=endpoint.description, response_class=JsonResponse,
            openapi_extra=operation(endpoint))
    app.openapi = described(app)  # type: ignore[method-assign]
    return Guard(app, hosts(port), origins(port))


class _Answers:
    """Answers requests: who calls, what is asked, then the endpoint's function."""

    def __init__(
        self, graphs: OpenGraphs, engine: Engine, tokens: Tokens, heard: Heard, at_once: int
    ) -> None:
        self._graphs, self._engine, self._tokens = graphs, engine, tokens
        self._heard = heard
        self._turn = CapacityLimiter(at_once)

    def handler(self, endpoint: Endpoint) -> Callable[[Request], Awaitable[Response]]:
        """What answers requests to one endpoint."""
        async def handle(request: Request) -> Response:
            try:
                token = self._admitted(endpoint, request)
                given = given_by(endpoint, request, await request.body())
                return await to_thread.run_sync(
                    partial(self._answer, endpoint, token, caller_of(request), given),
                    limiter=self._turn)
            except ConstellationError as error:
                return refused(error)

        return handle

    def _admitted(self, endpoint: Endpoint, request: Request) -> Token:
        """The caller's token; OperationError 401 or 403 where it does not hold or allow this."""
        shown = shown_token(request)
        token = self._tokens.of(shown)
        if token is None and shown:
            raise OperationError(401, "This token is not known, or was revoked",
                                 do="“constellation token list” names those that hold, "
                                 "“constellation token create” makes one")
        if token is None:
            raise OperationError(401, "A token is needed", do="Send Authorization: Bearer …; "
                                 "“constellation token create” makes one")
        if not token.allows(endpoint.needs):
            raise OperationError(403, f"This token may {token.may} only",
                                 do="Use a token that may modify")
        return token

    def _answer(self, endpoint: Endpoint, token: Token, actor: str, given: Json) -> Response:
        agent = given.pop("agent_id", None) or token.agent
        if agent != token.agent:
            return refusal(403, "This token is another agent's", field="agent_id")
        workspace = self._graphs.of(token.agent)
        self._heard(actor, token.agent)
        asked = checked(endpoint.takes, given, strict=endpoint.method == "POST")
        door = Door(workspace, self._engine, actor, HTTP)
        with door.at(asked) as then:
            answer = endpoint.run(then, asked)
            if endpoint.about:
                then.note_browsed(getattr(asked, endpoint.about))
        reply = answer if isinstance(answer, Reply) else Reply(200, then.dated(answer))
        headers = {"x-held-back": door.waiting_words} if door.waits else {}
        return JsonResponse(door.noted(reply.body), reply.status, headers)


async def _no_such_place(request: Request, error: Any) -> Response:
    if error.status_code == 413:
        return too_large()
    words = {404: "There is no such endpoint", 405: "This endpoint has another method"}
    response = refusal(error.status_code, words.get(error.status_code, str(error.detail)),
                       do="/openapi.json lists all" if error.status_code in words else "")
    if error.status_code == 405:
        response.headers["allow"] = ", ".join(_methods(request))
    return response


def _methods(request: Request) -> list[str]:
    """What may be asked of the place, of which several endpoints may be."""
    here = [route for route in request.app.routes
            if route.matches(request.scope)[0] is not Match.NONE]
    literal = [route for route in here if route.path == request.url.path]
    return sorted({method for route in literal or here for method in route.methods})


async def _fault(request: Request, error: Exception) -> Response:
    """A bug; what it was is said on standard error, not to the caller."""
    return refusal(500, "The server could not answer, by a fault of its own",
                   do="The terminal where it runs says more")


