"""`serve`: lets programs use a graph over HTTP; `token`: who may."""

import os
from importlib import import_module
from typing import Annotated, Any

import typer

from core.errors import ConstellationError
from core.settings import load
from core.workspace import Workspace
from explorer.cli import output
from explorer.cli.engine_options import patient
from explorer.cli.open_graph import note_if_slow, note_open_doors, note_other_agents
from explorer.cli.options import EVERYONE, AgentName, Commands, Json, Store
from explorer.default_graph import chosen_store
from explorer.http import tokens
from explorer.http.tokens import VARIABLE, May, Tokens
from explorer.program_version import version

PORT = 8322

token_app = Commands(help="Who may use graphs over HTTP: list, create and revoke tokens.",
                     no_args_is_help=True)


def serve(
    port: Annotated[int, typer.Option(
        "--port", min=0, max=65_535, help="The port; 0 for any that is free.")] = PORT,
    store: Store = None, agent: AgentName = EVERYONE,
) -> None:
    """Let programs on this machine use a graph over HTTP, until you stop it.

    Every request needs a token. At the first start two are made and shown once: one may recall,
    one may modify. CONSTELLATION_TOKEN sets the modify token of this process instead.
    """
    server = _with_fastapi("server")
    path, settings = chosen_store(store), patient(load().settings, None)

    def opened(name: str) -> Workspace:
        return Workspace.open(path, agent=name, report=note_if_slow())

    graphs = _with_fastapi("app").OpenGraphs(opened)
    try:
        note_other_agents(graphs.of(agent))
        note_open_doors(graphs.of(agent))
        taken = _tokens(agent)
        server.serve(graphs, settings, taken, version(), port,
                     lambda address: output.note(f"Listening on {address}"), agent)
    finally:
        graphs.close()


def _tokens(agent: str) -> Tokens:
    """What callers may show; of an agent that has none yet they are made and shown."""
    own = os.environ.get(VARIABLE, "")
    taken = Tokens(own, agent)
    if not own and not any(token.agent == agent for token in tokens.list_tokens()):
        for may in ("recall", "modify"):
            output.say(f"{may} token: {tokens.create(may, agent)}", whole=True)
        output.note("They are shown this once; “constellation token” lists, makes and revokes them")
    return taken


@token_app.command("list")
def list_tokens(as_json: Json = False) -> None:
    """List the tokens that hold; a token itself is never shown again."""
    every = tokens.list_tokens()
    items = [{"id": token.id, "may": token.may, "agent": token.agent, "madeAt": token.made_at}
             for token in every]
    if output.answered(as_json, {"items": items, "count": len(items)}):
        return
    output.table(("id", "may", "agent", "made"), (tuple(item.values()) for item in items),
                 empty="There are no tokens.")


@token_app.command("create")
def create_token(
    may: Annotated[May, typer.Argument(metavar="MAY", help="recall: read only. modify: change, "
                                                           "too.")],
    agent: AgentName = EVERYONE, as_json: Json = False,
) -> None:
    """Make a token and show it, this once."""
    secret = tokens.create(may, agent)
    if not output.answered(as_json, {"token": secret, "may": may, "agent": agent}):
        output.say(secret, whole=True)


@token_app.command("revoke")
def revoke_token(
    id: Annotated[str, typer.Argument(metavar="ID", help="Its id, as “token list” tells it.")],
    as_json: Json = False,
) -> None:
    """Let a token hold no more, at once."""
    gone = tokens.revoke(id)
    if not output.answered(as_json, {"id": gone.id, "revoked": True}):
        output.say(f"Revoked: {gone.id}, which could {gone.may} of {gone.agent}")


def _with_fastapi(name: str) -> Any:
    """A module that needs FastAPI, loaded by this command only: the others start without it."""
    try:
        return import_module(f"explorer.http.{name}")
    except ImportError as error:
        if (error.name or "").split(".")[0] not in ("fastapi", "uvicorn", "starlette", "anyio"):
            raise
        raise ConstellationError(
            "The HTTP server is not installed", detail=str(error),
            do="Run “make set-up”, or install the packages “fastapi” and “uvicorn”") from error
