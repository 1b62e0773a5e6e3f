"""Tells what a file looks like that can't be imported, and what can be done with it."""

import re
from collections.abc import Collection

_BY_FIELDS: tuple[tuple[set[str], str], ...] = tuple((set(fields), name) for fields, name in (
    (("page_content", "metadata"), "documents of LangChain"),
    (("mapping", "title"), "conversations exported from ChatGPT"),
    (("chat_messages",), "conversations exported from Claude"),
    (("role", "content"), "a chat: roles and what they said"),
    (("messages",), "a chat: lists of messages"),
    (("level", "message"), "a log"), (("level", "msg"), "a log"),
    (("namespace", "key", "value"), "a store of LangGraph"),
    (("memory_blocks",), "an agent of Letta"), (("agents", "blocks"), "an agent of Letta"),
    (("@context",), "linked data (JSON-LD)"), (("@graph",), "linked data (JSON-LD)"),
    (("title", "children"), "pages of Roam"),
    (("text",), "notes of another tool"), (("content",), "notes of another tool"),
    (("memory",), "notes of another tool"), (("message",), "notes of another tool"),
))
"""The fields that a kind of record has, the surer kinds first."""
_SURE = 5
"""So many of them are surely no entity, even with a name."""
_TABLE = "a table (CSV)"
_BY_BEGINNING = tuple((re.compile(pattern, re.IGNORECASE), name) for pattern, name in (
    (r"\[?(\d{4}-\d\d-\d\d[ T])?\d\d:\d\d|\[?(info|warn|error|debug)\b", "a log"),
    (r"(pragma|begin|create table|insert into|--)\b", "a dump of a database (SQL)"),
    (r"#+ |---\s*$|[-*] ", "a text in Markdown"),
    (r"(create|merge|match)\s*\(|:(begin|commit)\b", "a dump of Neo4j (Cypher)"),
    (r"@prefix\b|<[a-z]+:[^>]*>\s+<", "linked data (RDF)"),
    (r"\{\s*'", "Python, not JSON: its texts are in single quotes"),
    (r"\[\s*\"", "a list of texts, not of records"),
    (r"[\w-]+:\s*(#.*)?\n\s*(-|[\w-]+:)", "a file of YAML"),
    ("\x1f.|pk\x03\x04|pk\x05\x06|7z\xbc|rar!", "a packed file: unpack it first"),
    (r"%pdf", "a PDF"),
    (r"<[?!a-z]", "a web page or XML"),
    (r"\w+([,;\t]\s*\"?\w+){2,}", _TABLE),
))

DO = ("Choose an MCP memory file, whose lines are like {\"type\": \"entity\", \"name\": \"…\", "
      "\"entityType\": \"…\", \"observations\": [\"…\"]}, or save what matters as a "
      "note in Markdown (.md) and import that; nothing was changed")


DO_WITH_A_TABLE = ("Call its column of names “name”; a table of links needs the columns “source” "
                   "and “target”; nothing was changed")


def what_to_do(looks: str) -> str:
    """What a person can do with a file that looks like this."""
    return DO_WITH_A_TABLE if looks == _TABLE else DO


def is_of_another_tool(record: Collection[str]) -> bool:
    """True of a record that is surely no entity, though it has a name."""
    return any(known <= set(record) for known, _ in _BY_FIELDS[:_SURE])


def looks_like(fields: Collection[str], beginning: str) -> str:
    """`notes of another tool (id, text, ts)`, by a record's fields or a text's first line.

    Empty where nothing tells.
    """
    names = {field.lower() for field in fields}
    for known, what in _BY_FIELDS:
        if known <= names:
            return f"{what} ({', '.join(list(fields)[:6])})"
    begins = beginning.lstrip(" \t\r\n\ufeff")  # Not of all white space: some marks a packed file.
    return next((what for pattern, what in _BY_BEGINNING if pattern.match(begins)), "")
