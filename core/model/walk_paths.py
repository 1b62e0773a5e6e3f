"""A walk's path as it is stored: compact JSON, and the hash by which feedback knows it again."""

import hashlib
import json
from collections.abc import Mapping

from core.model.walk import Path

_KEYS = (("entity_ids", "entityIds"), ("aspect_ids", "aspectIds"),
         ("dependency_ids", "dependencyIds"))


def path_json(path: Path) -> str:
    """The path as the file stores it, each id once and in order."""
    lists = (path.entity_ids, path.aspect_ids, path.dependency_ids)
    return json.dumps({key: list(dict.fromkeys(ids))
                       for (key, _), ids in zip(_KEYS, lists, strict=True)},
                      ensure_ascii=False, separators=(",", ":"))


def path_hash(path: Path) -> str:
    """SHA-1 of the stored form."""
    return hashlib.sha1(path_json(path).encode("utf-8", "surrogatepass"),
                        usedforsecurity=False).hexdigest()


def read_path(value: object) -> Path | None:
    """A path from JSON text or an object, in snake or camel case; None where it names nothing."""
    if isinstance(value, Path):
        return value if len(value) else None
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return None
    if not isinstance(value, Mapping):
        return None
    path = Path(*(_ids(value.get(snake, value.get(camel))) for snake, camel in _KEYS))
    return path if len(path) else None


def _ids(value: object) -> tuple[str, ...]:
    if not isinstance(value, list | tuple):
        return ()
    return tuple(dict.fromkeys(id for id in value if isinstance(id, str) and id))
