"""Facts to sizes, brightness and lines: what a thing's numbers make it look like."""

import numpy as np

from core.model.vocabulary import DEPENDENCY_FAMILIES, family_of

REFERENCE_STEP = 84.0
"""Pixels between neighbours at which sizes are exactly as written here."""

ENTITY_SIZE = (10.0, 22.0)
ASPECT_SIZE = (5.0, 8.0)
ATTRIBUTE_SIZE = (3.0, 4.0)
CONSTRAINT_SIZE = 4.2
MEMORY_SIZE = (0.9, 1.5)
EDGE_WIDTH = (0.8, 2.0)
EDGE_ALPHA = (0.12, 0.35)

_MANY_MENTIONS = 500.0
_LUMINOUS_CONSTRAINTS = 8.0

FAMILIES = (*DEPENDENCY_FAMILIES, "other")
DASHES = {"core": 0, "structural": 0, "other": 0, "knowledge": 1, "execution": 2, "impact": 3}
"""Line patterns by family: 0 whole, 1 long dashes, 2 short dashes, 3 dots."""


def _between(share: np.ndarray, limits: tuple[float, float]) -> np.ndarray:
    low, high = limits
    share = np.nan_to_num(np.asarray(share, np.float32)).clip(0.0, 1.0)
    return np.asarray(low + (high - low) * share, np.float32)


def fame(mentions: np.ndarray) -> np.ndarray:
    """How well known, 0..1, by the logarithm of mentions."""
    counted = np.maximum(np.asarray(mentions, np.float32), 0.0)
    share = np.log1p(counted) / np.log1p(_MANY_MENTIONS)
    return np.asarray(share.clip(0.0, 1.0), np.float32)


def entity_size(mentions: np.ndarray) -> np.ndarray:
    """A hexagon's radius."""
    return _between(fame(mentions), ENTITY_SIZE)


def brightness(constraints: np.ndarray) -> np.ndarray:
    """Glow by constraint density: none at 0, full at 8 or more."""
    counted = np.maximum(np.asarray(constraints, np.float32), 0.0)
    share = np.log1p(counted) / np.log1p(_LUMINOUS_CONSTRAINTS)
    return np.asarray(share.clip(0.0, 1.0), np.float32)


def presence(mentions: np.ndarray, constraints: np.ndarray) -> np.ndarray:
    """How solid a hexagon is filled: the well-known are full, the new are dim."""
    known = np.maximum(brightness(constraints), 0.85 * fame(mentions))
    return np.asarray((0.12 + 0.88 * known).clip(0.0, 1.0), np.float32)


def aspect_size(weight: np.ndarray) -> np.ndarray:
    """A disc's radius by the aspect's weight."""
    return _between(weight, ASPECT_SIZE)


def value_size(importance: np.ndarray, constraint: np.ndarray) -> np.ndarray:
    """A small disc's radius by importance; constraints are all alike."""
    size = _between(importance, ATTRIBUTE_SIZE)
    return np.where(constraint, np.float32(CONSTRAINT_SIZE), size).astype(np.float32)


def memory_size(importance: np.ndarray) -> np.ndarray:
    """A memory's radius."""
    return _between(importance, MEMORY_SIZE)


def edge_width(strength: np.ndarray) -> np.ndarray:
    """A line's width by strength."""
    return _between(strength, EDGE_WIDTH)


def edge_alpha(confidence: np.ndarray) -> np.ndarray:
    """A line's opacity by confidence."""
    return _between(confidence, EDGE_ALPHA)


def family_codes(words: tuple[str, ...]) -> np.ndarray:
    """The family of each dependency word, as an index into `FAMILIES`."""
    return np.array([FAMILIES.index(family_of(word)) for word in words], np.uint8)


def dash_codes(words: tuple[str, ...]) -> np.ndarray:
    """The line pattern of each dependency word."""
    return np.array([DASHES[family_of(word)] for word in words], np.uint8)
