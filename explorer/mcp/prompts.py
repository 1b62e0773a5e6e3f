"""Prompts that a person chooses in the agent's client, filled with what the graph says."""

from collections.abc import Callable, Mapping

from msgspec import Struct

from core.errors import OperationError
from core.model.did_you_mean import choices
from explorer.graph_for_caller import Door
from explorer.mcp.reading_tools import Question, SessionGiven, recall, session_context

Given = Mapping[str, str]


class Prompt(Struct, frozen=True):
    """A prompt; its arguments by name, each with what it is and whether it has to be given."""

    name: str
    title: str
    description: str
    arguments: Mapping[str, tuple[str, bool]]
    text: Callable[[Door, Given], str]


def _what_do_you_know(door: Door, given: Given) -> str:
    topic = given["topic"]
    told = recall(door, Question.model_validate({"query": topic, "limit": 20})).text
    return (f"What do you know about {topic}? Answer from your memory below. Tell what is a rule,"
            f" what no longer holds, and what you are not sure of; say so where it knows nothing."
            f"\n\nYour memory says:\n{told}")


def _start_of_session(door: Door, given: Given) -> str:
    asked = SessionGiven.model_validate(
        {"query": given.get("topic", ""), "project": given.get("project", "")})
    told = session_context(door, asked).text
    return ("We begin to work. This is what your memory holds for it. Keep to its rules, and ask it"
            f" with recall before you guess.\n\n{told}")


def _end_of_session(door: Door, given: Given) -> str:
    key = given.get("session", "")
    ended = (f" Then call session_end with the session {key}, and rate the memories that helped or"
             " misled you." if key else "")
    return ("We have finished. Go through what we did, and remember what will be worth knowing"
            " next time: decisions and why, preferences, facts that are new. One memory each, in"
            " full sentences, with the entities that it is about. Where what you know turned out"
            " wrong, propose the change instead, with the words that show it. Leave out what is"
            f" known already.{ended} At the end, tell me in a few lines what you have remembered"
            " and proposed.")


PROMPTS = {prompt.name: prompt for prompt in (
    Prompt("what_do_you_know", "What do you know about …", "Ask the memory about a topic",
           {"topic": ("What to tell about", True)}, _what_do_you_know),
    Prompt("start_of_session", "Start of session", "Begin with what the memory holds for it",
           {"topic": ("What the session is about", False),
            "project": ("The project's folder", False)}, _start_of_session),
    Prompt("end_of_session", "End of session", "Remember what was learned, and propose changes",
           {"session": ("The session's key, if it was begun with one", False)}, _end_of_session),
)}


def prompt_text(door: Door, name: str, given: Given) -> str:
    """A prompt with what the graph says; OperationError (404, 400) for what can't be filled."""
    if name not in PROMPTS:
        raise OperationError(404, f"There is no prompt {name}", do=choices(name, PROMPTS))
    for argument, (_, needed) in PROMPTS[name].arguments.items():
        if needed and not given.get(argument, "").strip():
            raise OperationError(400, f"{argument} is required", field=argument)
    return PROMPTS[name].text(door, given)
