"""Tells which keys the beginning of a JSON text has, whole or not."""

import re

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}:,]')
_DEEP = 5
"""Levels of objects whose keys are told."""
_LONG = 200
"""Characters that the name of a field has at most."""


def key_paths(text: str) -> frozenset[str]:
    """The keys as paths, the places of lists left out: `{"nodes": [{"id": 1}]}` -> nodes, nodes.id.
    """
    paths: set[str] = set()
    open_keys: list[str] = []
    """The key that each open object or list stands under."""
    key, last = "", ""
    for token in _TOKEN.finditer(text):
        sign = token.group()
        if sign == ":" and 2 < len(last) < _LONG:
            key = last[1:-1]
            if len(open_keys) <= _DEEP:
                paths.add(".".join(filter(None, (*open_keys, key))))
        elif sign in "{[":
            open_keys.append(key)
            key = ""
        elif sign in "}]":
            key = open_keys.pop() if open_keys else ""
        last = sign
    return frozenset(paths)
