"""Finds the author of something: name and kind (person, agent, pipeline or import)."""

import re

from core.store.reader_and_writer import Writer

NOBODY = "unknown"
"""What an author is called where none is known."""
PERSON, AGENT, PIPELINE, IMPORT = "person", "agent", "pipeline", "import"
VIA_MCP = " via MCP"
"""How the name of an agent ends that works by the Model Context Protocol."""
VIA_HTTP = " via HTTP"
"""How the name of a caller over HTTP ends that does not say that it is a person."""

_PEOPLE = frozenset(("you", "operator", "user", "human", "me", "manual", "desktop", "cli"))
_AGENTS = re.compile(
    r"agent|claude|opencode|open-code|codex|cursor|copilot|gemini|gpt|llama|mistral|windsurf"
    r"|aider|cline|goose|assistant|harness|mcp", re.IGNORECASE)
_PIPELINES = re.compile(
    r"pipeline|extract|dreaming|ontology-|repair|consolidat|merge-plan|hygiene|summar|synthes"
    r"|scheduler|daemon|system|maintenance|feedback|-bot$|^bot$|worker", re.IGNORECASE)
_IMPORTS = frozenset(("mcp", "import", "obsidian", "markdown", "notes", "nexus", "migration"))


def kind_of(name: str, agent: str = "") -> str:
    """The kind of the author called `name`: the graph's own agent and known tools are agents."""
    if name.endswith((VIA_MCP, VIA_HTTP)):
        return AGENT  # Whatever a client calls itself.
    words = name.strip().lower()
    if words in _PEOPLE:
        return PERSON
    if _PIPELINES.search(words):
        return PIPELINE
    if _AGENTS.search(words) or (words == agent.lower() and words not in ("", "default")):
        return AGENT
    return PERSON if words else PIPELINE


def names_a_person(name: str) -> bool:
    """True if this is what this program calls the person themselves."""
    return name.strip().lower() in _PEOPLE


def told_name(name: str) -> str:
    """An author's name as a person is told it: whatever this program calls them, it is “you”."""
    return "you" if names_a_person(name) else name


def name_alone(name: str) -> str:
    """An author's name for comparing: without the way in that an agent took, in small letters."""
    return name.strip().removesuffix(VIA_MCP).removesuffix(VIA_HTTP).strip().casefold()


def is_import(source: str) -> bool:
    """True if a thing came with an import, which a person starts."""
    return source.strip().lower() in _IMPORTS


def is_person(writer: Writer) -> bool:
    """True if a person makes the change that is under way, and no agent or pipeline."""
    return kind_of(writer.actor, writer.agent) == PERSON


def is_by_person(name: object, agent: str) -> bool:
    """True if who did something is named, and is a person."""
    return isinstance(name, str) and kind_of(name, agent) == PERSON


def author_of(
    agent: str, *, created_by: str, applied_by: str, sources: tuple[str, ...], memory_who: str
) -> tuple[str, str]:
    """The author of a value, and the kind of author.

    The proposal's author takes precedence over the memory's; who applied it replaces a missing
    author. An imported value has no author: its source is given, unless an agent said it with a
    tool of the memory server.
    """
    who = created_by or applied_by
    if who:
        return who, kind_of(who, agent)
    brought = next((source for source in sources if source.lower() in _IMPORTS), "")
    if brought and not memory_who.endswith(VIA_MCP):
        return memory_who or brought, IMPORT
    if memory_who:
        return memory_who, kind_of(memory_who, agent)
    source = next((source for source in sources if source), "")
    return source or NOBODY, PIPELINE
