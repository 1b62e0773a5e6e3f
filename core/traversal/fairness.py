"""Shares the memory budget: entities take turns, so that none takes all while another has any."""

from collections.abc import Iterable, Sequence

from core.traversal.walk_rows import Candidate


class Basket:
    """The memories of a walk, at most `room` of them.

    Attributes:
        taken: what points at each memory that is in, in the order in which they came.
        left: candidates that found no room.
    """

    def __init__(self, room: int) -> None:
        self.room = room
        self.taken: dict[str, list[Candidate]] = {}
        self.left: list[Candidate] = []

    @property
    def free(self) -> int:
        """How many memories still fit."""
        return self.room - len(self.taken)

    def share(self, entities: Iterable[Sequence[Candidate]]) -> None:
        """Let each entity in turn put in its best memory that is not in yet, until it is full."""
        waiting = [iter(candidates) for candidates in entities]
        while waiting:
            waiting = [candidates for candidates in waiting if self._take_one(candidates)]

    def _take_one(self, candidates: Iterable[Candidate]) -> bool:
        """Take the next new memory of one entity; False once it has no more."""
        for each in candidates:
            if each.memory_id in self.taken:
                self.taken[each.memory_id].append(each)
            elif self.free > 0:
                self.taken[each.memory_id] = [each]
                return True
            else:
                self.left.append(each)
        return False
