"""What an agent reads of the person's inbox: what it wrote that nobody has looked at yet."""

from core.review.unseen_writes_inbox import inbox
from explorer.caller_arguments import Arguments
from explorer.graph_for_caller import Answer, Door
from explorer.mcp.tool import Tool
from explorer.model_json import inbox_json


def unseen_by_person(door: Door, given: Arguments) -> Answer:
    """List what you and other programs wrote that the person has not seen yet: take it as said,
    not as agreed. The person alone keeps, corrects or forgets it.
    """
    with door.read() as reader:
        new = inbox(reader)
    lines = [f"- {one.kind} by {one.by}: {one.text}" for one in new.items]
    return Answer(inbox_json(new), "\n".join(lines) or "The person has seen everything.")


INBOX_TOOLS = (Tool(unseen_by_person, Arguments, reads=True),)
