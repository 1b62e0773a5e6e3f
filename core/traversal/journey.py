"""What one walk has found on its way; the report and the explanation are made from it."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from core.store.handles import Reader
from core.traversal import collect
from core.traversal.config import TraversalSettings
from core.traversal.fairness import Basket
from core.traversal.walk_rows import Narrowing, Rule, Side, Stop


@dataclass(slots=True)
class Journey:
    """One walk under way.

    Attributes:
        focal: the active entities that it starts from.
        hops: those one link away, the surest of each focal entity first.
        rules: every constraint of both.
        whole: False once time ran out.
        visited: the entities whose memories were looked for.
        sides: their aspects that were read.
        mentioned: those of them that mentions were asked for.
    """

    settings: TraversalSettings
    asked: Narrowing
    focal: list[Stop]
    hops: list[Stop]
    rules: list[Rule]
    basket: Basket
    whole: bool = True
    visited: list[Stop] = field(default_factory=list)
    sides: list[Side] = field(default_factory=list)
    mentioned: list[Stop] = field(default_factory=list)

    @property
    def stops(self) -> dict[str, Stop]:
        """Every walked entity by id, focal ones first."""
        return {stop.id: stop for stop in (*self.focal, *self.hops)}

    def visit(self, reader: Reader, stops: Sequence[Stop]) -> None:
        """Fill the basket from these entities: by their values, then by mentions if room is left.

        What time does not allow is left out.
        """
        if not stops:
            return
        self.visited += stops
        sides, self.whole = collect.aspects(reader, stops, self.settings, self.asked)
        if self.whole:
            self.sides += sides
            found, self.whole = collect.attributes(
                reader, sides, self.rules, self.settings, self.asked)
            self.basket.share(found.get(stop.id, ()) for stop in stops)
        if self.whole and self.basket.free:
            self.mentioned += stops
            found, self.whole = collect.mentions(
                reader, stops, self.settings, self.asked, self.basket.free,
                self.basket.taken)
            self.basket.share(found.get(stop.id, ()) for stop in stops)


def set_out(
    reader: Reader, focal: Sequence[str], settings: TraversalSettings, asked: Narrowing
) -> Journey:
    """A journey with its entities and all their constraints; the clock does not stop these."""
    with reader.uninterrupted():
        start = collect.entities(reader, dict.fromkeys(focal)) if focal else []
        hops = collect.links(reader, start, settings) if start else []
        rules = collect.constraints(reader, [*start, *hops], asked) if start else []
    return Journey(settings, asked, start, hops, rules, Basket(settings.max_traversal_paths))
