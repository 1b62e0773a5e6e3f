"""Has the vectors read in the background, so that the first question is not the slow one."""

from core.embedding.choose_embedder import choose
from core.errors import ConstellationError
from core.recall.semantic import read_ahead
from core.store.handles import Reader
from ui.context import Context

SECONDS = 0.15
"""How long a question may have to wait for what is read before it."""


def prepare(context: Context) -> None:
    """Read on, a little at a time, until all is there."""
    settings = context.engine.settings

    def look(reader: Reader) -> bool:
        try:
            return read_ahead(reader, choose(settings.embedding), settings.recall, seconds=SECONDS)
        except ConstellationError:
            # The first question says so, in the place where it matters.
            return True

    def go_on(whole: bool) -> None:
        if not whole:
            prepare(context)

    context.runner.read(look, go_on, key="vectors")
