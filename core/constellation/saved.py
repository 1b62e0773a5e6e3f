"""Where everything stood when the sky was last seen."""

import io

import numpy as np

from core.model.sky import Positions, SkyRows
from core.store.sidecar import Sidecar

KNOWN_SHARE = 0.5
"""A sky of which less than this has a place is laid out anew: the file is another one by now."""
_DUST, _UNIT = "dust", "unit"


def recall(rows: SkyRows, sidecar: Sidecar) -> Positions:
    """The saved places of these rows; NaN for what has none."""
    known = sidecar.positions()
    nowhere = (np.nan, np.nan, False)
    entities = np.array([known.get(id, nowhere)[:2] for id in rows.entity_ids], np.float32)
    spots = _saved_dust(sidecar)
    dust = np.array([spots.get(id, nowhere[:2]) for id in rows.memory_ids], np.float32)
    return Positions(entities.reshape(-1, 2), dust.reshape(-1, 2),
                     float(sidecar.meta().get(_UNIT, 0)))


def held(rows: SkyRows, sidecar: Sidecar) -> np.ndarray:
    """Where the person has put entities, NaN for the rest."""
    known = sidecar.positions()
    spots = [known[id][:2] if id in known and known[id][2] else (np.nan, np.nan)
             for id in rows.entity_ids]
    return np.array(spots, np.float32).reshape(-1, 2)


def save(rows: SkyRows, positions: Positions, sidecar: Sidecar) -> None:
    """Keep every place beside the file."""
    sidecar.save_positions(rows.entity_ids, positions.entities)
    body = io.BytesIO()
    np.savez(body, ids=np.array(rows.memory_ids, dtype=np.str_),
             spots=positions.memories.astype(np.float32))
    sidecar.put(_DUST, body.getvalue())
    sidecar.remember(_UNIT, repr(positions.unit))


def _saved_dust(sidecar: Sidecar) -> dict[str, tuple[float, float]]:
    data = sidecar.get(_DUST)
    if data is None:
        return {}
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as columns:
            ids, spots = columns["ids"].tolist(), columns["spots"].tolist()
    except (ValueError, KeyError, OSError):
        return {}  # damaged: dust is placed again
    return {id: (spot[0], spot[1]) for id, spot in zip(ids, spots, strict=True)}


def complete(positions: Positions) -> bool:
    """True if everything has a place."""
    return bool(np.isfinite(positions.entities).all() and np.isfinite(positions.memories).all())


def mostly_known(positions: Positions) -> bool:
    """True if enough has a place that the rest can be put among it."""
    known = np.isfinite(positions.entities).all(axis=1)
    return bool(len(known)) and float(known.mean()) >= KNOWN_SHARE
