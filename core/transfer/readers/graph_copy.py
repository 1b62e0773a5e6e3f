"""Copies a whole graph file, Signet's or our own, into the open graph: every row of it."""

from contextlib import closing
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from weakref import finalize

from core.progress import Report, part
from core.store.database import connect, in_words
from core.store.graph_file import open_file
from core.transfer.bundle import write_bundle
from core.transfer.bundle_import import Bundle, read_bundle


def copied_graph(path: Path, report: Report) -> Bundle:
    """The rows of the file as a bundle that goes with the last mention of it.

    The file itself is only read: an older one is brought up to date in the copy.
    """
    folder = Path(mkdtemp(prefix="constellation-"))
    try:
        lines = _bundled(path, folder, part(report, 0, 0.3))
        bundle = read_bundle(lines, part(report, 0.3, 1))
    except BaseException:
        rmtree(folder, ignore_errors=True)
        raise
    finalize(bundle, rmtree, folder, ignore_errors=True)
    return bundle


def _bundled(path: Path, folder: Path, report: Report) -> Path:
    """The rows of a graph as the lines of a bundle in the folder."""
    copy, lines = folder / path.name, folder / "graph.bundle.jsonl"
    with in_words(path), closing(connect(path)) as source, \
            closing(connect(copy, mode="rwc")) as target:
        source.backup(target)
    file = open_file(copy, folder, create=False, report=report)
    try:
        with closing(file.open_reader("default")) as reader:
            write_bundle(reader, lines, None)
    finally:
        file.close()
    return lines
