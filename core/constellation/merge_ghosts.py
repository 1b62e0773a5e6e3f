"""What a merge would change in the sky, drawn as pending proposals are."""

from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace

from core.constellation.scene import Ghosts, Scene
from core.model.sky_columns import CHANGE, GO, LINK


def with_merge(scene: Scene, target: str, sources: Sequence[str]) -> Scene:
    """The scene with the merge alone: the sources go, and their links begin at the target.

    A link that the target has already, and one between the two, is none that it gains.
    """
    into = scene.index.get(target, -1)
    going = [node for node in map(scene.index.get, sources) if node is not None]
    if into < 0:
        return scene
    known = {into, *going, *scene.neighbours(into).tolist()}
    gained = sorted({end for node in going for end in scene.neighbours(node).tolist()} - known)
    marks = [(GO, node, -1) for node in going] + [(CHANGE, into, -1)] + [
        (LINK, into, end) for end in gained]
    effect, node, other = np.array(marks, np.int32).T
    nowhere = np.zeros(len(marks), np.float32)
    return replace(scene, ghosts=Ghosts(
        ids=[f"merge-{at}" for at in range(len(marks))], labels=[""] * len(marks),
        effect=effect.astype(np.int8), x=nowhere, y=nowhere, node=node, other=other))
