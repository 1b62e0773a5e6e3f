"""Vectors that are kept beside the graph: a new process maps them, and never trusts a bad file."""

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from core.embedding.backfill import keep, missing
from core.recall import semantic, vector_file
from core.recall.config import RecallSettings
from core.recall.vector_matrix import VectorKind
from core.recall.vector_upkeep import MatrixCache
from core.workspace import Workspace
from tests.core.graphs import Graph
from tests.core.recalling import WordAxes

MANY = 300
VOCABULARY = "car dog ship note tea red rain about my is the a an"


def axes(name: str = "axes") -> WordAxes:
    """An embedder that gives a text the same vector in each process."""
    embedder = WordAxes(name)
    embedder.embed([VOCABULARY])
    embedder.asked.clear()
    return embedder


@dataclass
class Process:
    """One process on the graph: what it reads and computes anew is counted."""

    workspace: Workspace
    cache: MatrixCache = field(default_factory=MatrixCache)
    embedder: WordAxes = field(default_factory=axes)
    settings: RecallSettings = RecallSettings(deadline_ms=60_000)

    def best(self, question: str = "car") -> list[str]:
        """The ids of the memories that mean the same."""
        with self.workspace.read() as reader:
            meaning = self.compared = semantic.similar(
                reader, question, self.embedder, self.settings, cache=self.cache)
            rows = meaning.best(5)
            rows = rows[meaning.of(rows) > 0.3]
            return [row["id"] for row in reader.rows(
                "SELECT m.id FROM json_each(:rows) f JOIN memories m ON m.rowid = f.value"
                " WHERE :agent = :agent", rows=rows.tolist())]

    @property
    def computed(self) -> int:
        """Texts that were given a vector, without the question."""
        return len(self.embedder.asked) - 1

    def ended(self) -> None:
        """Its answer was given, and its vectors are kept."""
        self.cache.save()


def files(workspace: Workspace) -> list[Path]:
    side = workspace.sidecar._path
    return sorted(side.parent.glob(f"{side.stem}-*{vector_file.SUFFIX}*"))


@pytest.fixture
def many(graph: Callable[..., Workspace]) -> Workspace:
    def fill(made: Graph) -> None:
        for number in range(MANY):
            made.memory("note about tea", id=f"m{number}")
        made.memory("the automobile is red", id="red")

    return graph(fill)


@pytest.fixture
def kept(many: Workspace) -> Workspace:
    """A graph of which an earlier process has kept the vectors."""
    first = Process(many)
    first.best()
    first.ended()
    assert len(files(many)) == 1
    return many


def test_a_new_process_computes_no_vector_that_an_earlier_one_kept(kept: Workspace) -> None:
    process = Process(kept)
    assert process.best() == ["red"]
    assert process.computed == 0


def test_only_what_is_new_or_changed_is_computed(kept: Workspace) -> None:
    def change(writer) -> None:
        Graph(writer).memory("my lorry", id="lorry")
        writer.update("memories", "m7", content="an automobile", updated_at="2027-01-01")
        writer.update("memories", "red", is_deleted=1, updated_at="2027-01-01")

    kept.write("change", change)
    process = Process(kept)
    assert sorted(process.best()) == ["lorry", "m7"]
    assert process.computed == 2


def test_a_change_that_the_times_do_not_tell_is_seen_by_the_text(kept: Workspace) -> None:
    kept.write("change", lambda w: w.update("memories", "m7", content="an automobile"))
    assert sorted(Process(kept).best()) == ["m7", "red"]


def test_an_undone_change_is_undone_for_the_next_process(kept: Workspace) -> None:
    kept.write("more", lambda w: Graph(w).memory("my lorry", id="lorry"))
    assert sorted(Process(kept).best()) == ["lorry", "red"]
    kept.undo()
    assert Process(kept).best() == ["red"]


def test_stored_vectors_are_mapped_too_and_replaced_ones_read(many: Workspace) -> None:
    model = axes()
    with many.read() as reader:
        wanted = missing(reader, model, most=1_000)
    vectors = model.embed([each.text for each in wanted])
    many.write("vectors", lambda w: keep(w, model, wanted, vectors))
    first = Process(many, embedder=model)
    first.best()
    first.ended()
    model.asked.clear()
    assert Process(many, embedder=model).best() == ["red"]
    tea = next(each for each in wanted if each.memory_id == "m7")
    many.write("again", lambda w: keep(w, model, [tea], model.embed(["lorry"])))
    model.asked.clear()
    second = Process(many, embedder=model)
    assert sorted(second.best()) == ["m7", "red"]
    assert model.asked == ["car"]


def test_a_vector_that_is_taken_out_of_the_file_is_computed(many: Workspace) -> None:
    model = axes()
    with many.read() as reader:
        wanted = missing(reader, model, most=1_000)
    many.write("wrong", lambda w: keep(
        w, model, wanted, model.embed(["car" for _ in wanted])))
    assert len(Process(many).best()) == 5
    process = Process(many)
    process.best()
    process.ended()
    many.undo()
    assert Process(many).best() == ["red"]


# -- files that can't be trusted -----------------------------------------------------------------


def rewritten(change: Callable[[dict], object]) -> Callable[[Path], None]:
    """A header that says something else, and whose own checksum is right."""
    def change_header(path: Path) -> None:
        data = path.read_bytes()
        header = json.loads(data[:vector_file.HEADER].decode().rstrip().partition("\n")[2])
        change(header)
        line = json.dumps(header)
        text = f"{vector_file._digest(line)}\n{line}".encode()
        path.write_bytes(text.ljust(vector_file.HEADER) + data[vector_file.HEADER:])

    return change_header


def flipped(share: float) -> Callable[[Path], None]:
    """One byte that is another, so far into the file."""
    def flip(path: Path) -> None:
        data = bytearray(path.read_bytes())
        data[int(share * (len(data) - 1))] ^= 0x40
        path.write_bytes(data)

    return flip


DAMAGES: dict[str, Callable[[Path], object]] = {
    "empty": lambda path: path.write_bytes(b""),
    "no such file": lambda path: path.write_bytes(b"PK\x03\x04" + bytes(9_000)),
    "zeros": lambda path: path.write_bytes(bytes(path.stat().st_size)),
    "truncated": lambda path: path.write_bytes(path.read_bytes()[:-200]),
    "only a header": lambda path: path.write_bytes(path.read_bytes()[:vector_file.HEADER]),
    "longer": lambda path: path.write_bytes(path.read_bytes() + bytes(64)),
    "header": flipped(0.0),
    "header, inside": flipped(0.001),
    "first vectors": flipped(0.05),
    "middle": flipped(0.5),
    "keys": flipped(0.97),
    "other model": rewritten(lambda header: header.update(kind=["other", 64, False])),
    "other format": rewritten(lambda header: header.update(format="constellation vectors 0")),
    "no places": rewritten(lambda header: header.update(arrays=[])),
    "endless": rewritten(lambda header: header["arrays"]["rows"].update(shape=[2**62, 2**62])),
    "no arrays": rewritten(lambda header: header.update(arrays={})),
    "arrays elsewhere": rewritten(lambda header: header["arrays"]["vectors"].update(at=-8)),
    "no numbers": rewritten(lambda header: header["arrays"]["rows"].update(kind="|O")),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
def test_a_file_that_is_not_as_it_should_be_is_computed_anew(
    kept: Workspace, damage: Callable[[Path], object]
) -> None:
    damage(files(kept)[0])
    process = Process(kept)
    assert process.best() == ["red"]
    assert process.computed == MANY + 1
    process.ended()
    after = Process(kept)
    assert after.best() == ["red"]
    assert after.computed == 0


def test_every_byte_of_the_vectors_is_checked(kept: Workspace) -> None:
    path = files(kept)[0]
    whole = path.read_bytes()
    kind = VectorKind("axes", 64)
    vector_file._read(path, kind)
    for at in range(0, len(whole), 997):
        data = bytearray(whole)
        if at >= vector_file.HEADER and data[at] == 0 == data[at - 1]:
            continue  # Perhaps only what fills the room between two arrays.
        data[at] ^= 1
        path.write_bytes(data)
        with pytest.raises((ValueError, KeyError, TypeError)):
            vector_file._read(path, kind)


def test_the_file_of_another_graph_brings_no_memory_of_it(
    kept: Workspace, tmp_path: Path
) -> None:
    other = Workspace.open(tmp_path / "other.db", data_dir=tmp_path / "data", create=True)
    other.write("fill", lambda w: [Graph(w).memory("rain", id=f"m{n}") for n in range(300)]
                and Graph(w).memory("a hound", id="dog"))
    with other.read() as reader:
        path = vector_file.path_beside(reader, VectorKind("axes", 64))
    assert path is not None
    path.write_bytes(files(kept)[0].read_bytes())
    process = Process(other)
    assert process.best("puppy") == ["dog"]
    assert process.computed == 301
    other.close()


def test_another_agent_has_vectors_of_its_own(kept: Workspace) -> None:
    kept.agent = "guest"
    process = Process(kept)
    assert process.best() == []
    assert process.computed == 0


# -- where nothing can be written, and where two write -------------------------------------------


def test_a_folder_that_can_t_be_written_is_no_failure(
    many: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Path.open

    def refused(path: Path, mode: str = "r", *rest: object, **named: object) -> object:
        if "x" in mode:
            raise PermissionError(13, "Permission denied", str(path))
        return real(path, mode, *rest, **named)  # type: ignore[call-overload]

    monkeypatch.setattr(Path, "open", refused)
    process = Process(many)
    assert process.best() == ["red"]
    process.ended()
    assert files(many) == []
    assert process.best() == ["red"]


def test_a_full_disk_leaves_nothing_behind(
    kept: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = files(kept)[0].read_bytes()
    kept.write("more", lambda w: [Graph(w).memory("rain") for n in range(300)])

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("core.recall.vector_file.os.fsync", full)
    process = Process(kept)
    process.best()
    process.ended()
    assert [file.read_bytes() for file in files(kept)] == [before]


WRITER = """
import sys
from pathlib import Path
from core.workspace import Workspace
from tests.core.recall.test_vector_file import Process
workspace = Workspace.open(sys.argv[1], data_dir=Path(sys.argv[2]))
for _ in range(12):
    process = Process(workspace)
    assert process.best() == ["red"]
    for matrix in process.cache._kept.values():
        matrix.unsaved = 1_000
    process.ended()
workspace.close()
"""


def test_processes_that_write_at_the_same_moment_never_leave_half_a_file(
    many: Workspace, tmp_path: Path
) -> None:
    data = many.sidecar._path.parent.parent
    running = [subprocess.Popen([sys.executable, "-c", WRITER, str(many.path), str(data)])
               for _ in range(2)]
    assert [process.wait(120) for process in running] == [0, 0]
    assert len(files(many)) == 1
    process = Process(many)
    assert process.best() == ["red"]
    assert process.computed == 0


# -- when it is written --------------------------------------------------------------------------


def test_a_few_new_memories_are_not_worth_writing_all_vectors_again(kept: Workspace) -> None:
    before = files(kept)[0].stat()
    kept.write("more", lambda w: Graph(w).memory("my lorry", id="lorry"))
    process = Process(kept)
    process.best()
    process.ended()
    assert files(kept)[0].stat() == before


def test_reading_and_keeping_never_touch_the_graph(kept: Workspace) -> None:
    def state() -> list[bytes]:
        return [path.read_bytes() for path in sorted(kept.path.parent.glob(f"{kept.path.name}*"))
                if not path.name.endswith("-shm")]

    files(kept)[0].unlink()
    before = state()
    process = Process(kept)
    process.best()
    process.ended()
    assert files(kept)
    assert state() == before


def test_each_process_goes_on_where_the_last_one_had_to_stop(many: Workspace) -> None:
    few = RecallSettings(deadline_ms=60_000, vectors_made=270)
    first = Process(many, settings=few)
    first.best()
    assert first.computed == 270
    assert any("31 of 301 memories have no vector yet" in note for note in first.compared.notes)
    first.ended()
    second = Process(many, settings=few)
    assert second.best() == ["red"]
    assert second.computed == 31
    assert second.compared.notes == ()


def test_files_of_models_that_are_long_out_of_use_are_removed(kept: Workspace) -> None:
    for number in range(vector_file.FILES + 2):
        process = Process(kept, embedder=axes(f"model {number}"))
        process.best()
        process.ended()
    assert len(files(kept)) == vector_file.FILES
    process = Process(kept, embedder=axes(f"model {number}"))
    process.best()
    assert process.computed == 0


def test_after_writing_the_same_process_answers_as_before(many: Workspace) -> None:
    process = Process(many)
    before = process.best("note tea")
    process.ended()
    computed = process.computed
    assert process.best("note tea") == before
    assert process.computed == computed + 1, "only the question"
    many.write("more", lambda w: Graph(w).memory("my lorry", id="lorry"))
    assert sorted(process.best()) == ["lorry", "red"]


def test_vectors_of_one_length_are_mapped_not_copied(kept: Workspace) -> None:
    process = Process(kept)
    process.best()
    with kept.read() as reader:
        matrix = process.cache.matrix(reader, VectorKind("axes", 64))
    assert not matrix.held.mapped.vectors.flags.owndata
    assert not matrix.held.mapped.vectors.flags.writeable
    assert isinstance(matrix.held.mapped.vectors, np.ndarray)


def test_what_a_rehearsal_read_is_kept_beside_the_graph_itself(many: Workspace) -> None:
    process = Process(many)
    many.rehearse(lambda writer: semantic.similar(
        writer, "car", process.embedder, process.settings, cache=process.cache))
    assert process.best() == ["red"]
    process.ended()
    assert len(files(many)) == 1
