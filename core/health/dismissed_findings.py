"""Findings that a person has looked at and left as they are, remembered beside the graph."""

import json
from collections import defaultdict
from collections.abc import Mapping

from core.store.sidecar import Sidecar

_KEY = "health.left."


def left_findings(sidecar: Sidecar, agent: str) -> dict[str, frozenset[str]]:
    """By kind the ids of the findings that were left; they are not reported."""
    by_kind: defaultdict[str, set[str]] = defaultdict(set)
    for id, kind in _read(sidecar, agent).items():
        by_kind[kind].add(id)
    return {kind: frozenset(ids) for kind, ids in by_kind.items()}


def leave(sidecar: Sidecar, agent: str, findings: Mapping[str, str]) -> None:
    """Leave these as they are: their ids, each with its kind."""
    _write(sidecar, agent, {**_read(sidecar, agent), **findings})


def report_again(sidecar: Sidecar, agent: str, ids: frozenset[str] | None = None) -> int:
    """Report these again, all without any; how many there were."""
    left = _read(sidecar, agent)
    stays = {} if ids is None else {id: kind for id, kind in left.items() if id not in ids}
    _write(sidecar, agent, stays)
    return len(left) - len(stays)


def _read(sidecar: Sidecar, agent: str) -> dict[str, str]:
    try:
        known = json.loads(sidecar.get(_KEY + agent) or b"{}")
    except ValueError:
        return {}
    return {str(id): str(kind) for id, kind in known.items()} if isinstance(known, dict) else {}


def _write(sidecar: Sidecar, agent: str, left: Mapping[str, str]) -> None:
    sidecar.put(_KEY + agent, json.dumps(left).encode())
