"""The inbox: what agents and programs wrote by themselves, and the person has not seen yet."""

from pydantic import Field

from core.review.unseen_writes_inbox import inbox as read_inbox
from explorer.caller_arguments import Arguments, Json
from explorer.graph_for_caller import Door
from explorer.http.endpoint import Endpoint
from explorer.model_json import inbox_json


class Since(Arguments):
    """From when on."""

    since: str = Field("", description="What was written after this time; without it, what is new"
                                       " since the person last looked")


def inbox(door: Door, given: Since) -> Json:
    """List what was written by a hand that is not the person's, grouped by hand, session and
    entity, the newest group first. A person alone marks it as seen."""
    with door.read() as reader:
        return inbox_json(read_inbox(reader, since=given.since))


INBOX = (Endpoint("GET", "/api/inbox", inbox, Since, example={"since": "2026-03-01"}),)
