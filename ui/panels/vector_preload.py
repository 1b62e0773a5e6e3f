"""Has the vectors read in the background, so that the first question is not the slow one."""

from core.embedding.choose_embedder import choose
from core.errors import ConstellationError
from core.store.reader_and_writer import Reader
from ui.context import Context

SECONDS = 0.15
"""How long a question may have to wait for what is read before it."""


def prepare(context: Context) -> None:
    """Read on, a little at a time, until all is there; the next start finds it beside the graph."""
    settings = context.engine.settings

    def look(reader: Reader) -> bool:
        # Loaded here, beside the window.
        from core.recall.semantic import read_ahead  # noqa: PLC0415
        from core.recall.vector_upkeep import MATRICES  # noqa: PLC0415

        try:
            whole = read_ahead(
                reader, choose(settings.embedding), settings.recall, seconds=SECONDS)
        except ConstellationError:
            # The first question says so, in the place where it matters.
            return True
        if whole:
            MATRICES.save()
        return whole

    def go_on(whole: bool) -> None:
        if not whole:
            prepare(context)

    context.runner.read(look, go_on, key="vectors", question=settings, long=True)
