"""What a person and an agent ask of a graph, all of it, in the world of `tests.contracts.files`."""

from collections.abc import Callable

from core.ingest.payload import Remembered
from core.ingest.remember import remember
from core.learning.confirmed_by_recall import note_hits
from core.ontology import control
from core.ontology.operation_catalog import CATALOG
from core.queries import (
    claims,
    descriptions,
    embedding_texts,
    entities,
    find_by_name_or_id,
    knowledge,
    links,
    memories,
    muted_memories,
    neighborhood,
    sessions,
    stats,
)
from core.recall.config import RecallSettings
from core.recall.filters import Filters
from core.recall.hybrid import recall
from core.review import batch_warnings, proposal_queue
from core.review.warnings import warnings
from core.session.end import close
from core.session.start import start
from core.session.start_record import record
from core.settings import Settings
from core.store.reader_and_writer import Reader
from core.traversal.config import TraversalSettings
from core.traversal.focal import resolve
from core.traversal.focal_signals import Signals
from core.traversal.walk import walk
from core.workspace import Workspace
from explorer import knowledge_json
from tests.contracts.samples import SAMPLES

HARBOR, KEY = "Harbor Ledger", "agent:default:main"
QUESTIONS = ("When does Harbor Ledger start?", "tide limits", "zanzibar trampoline", "海港账本")
USUAL = Settings(recall=RecallSettings(deadline_ms=60_000),
                 traversal=TraversalSettings(timeout_ms=60_000))
"""With time enough on a busy machine, too: nothing is left out."""


def _walks(reader: Reader) -> None:
    for given in (Signals(), Signals(project="/srv/harbor-ledger", session_key=KEY),
                  Signals(entity_ids=("e-harbor",), checkpoint_ids=("e-tide",)),
                  *(Signals(query=question) for question in QUESTIONS)):
        for explain in (False, True):
            focal = resolve(reader, given, USUAL.traversal, explain=explain)
            walk(reader, focal, USUAL.traversal, explain=explain)


def _lists(reader: Reader) -> None:
    entities.list_entities(reader)
    entities.list_entities(reader, types=["tool"])
    entities.pinned_entities(reader)
    for text in ("har", "harbor ledger", "harbr", "seven", '"seven thirty"', "海港", "pinned:yes"):
        entities.list_entities(reader, text=text)


def _one_entity(reader: Reader) -> None:
    entities.get_entity(reader, "e-harbor")
    entities.entities_by_id(reader, ["e-harbor", "e-tide"])
    for name in (HARBOR, "e-harbor"):
        find_by_name_or_id.match_entities(reader, name)
        knowledge_json.entity(reader, name)
    tree = knowledge.aspects_of(reader, "e-harbor", archived=True)
    knowledge.constraints_of(reader, "e-harbor")
    knowledge.heaviest_aspects(reader, "e-harbor")
    links.links_of(reader, "e-harbor", archived=True)
    links.get_link(reader, "d-uses")
    memories.memories_of(reader, "e-tides")
    memories.count_memories_of(reader, "e-tides")
    neighborhood.neighborhood(reader, "e-harbor", 3)
    neighborhood.neighbors(reader, ["e-harbor"], project="x")
    knowledge_json.tree(reader, HARBOR)
    for aspect in tree:
        knowledge_json.groups(reader, HARBOR, aspect.name)
    descriptions.descriptions(reader, ["e-harbor"])
    sessions.sessions_of(reader, "e-harbor")
    proposal_queue.pending_of(reader, "e-harbor")


def _one_value(reader: Reader) -> None:
    claims.get_value(reader, "v-seven")
    slot = claims.slot_of(reader, "v-seven")
    claims.versions(reader, slot)
    claims.voices(reader, slot)
    claims.evidence_of(reader, "v-six")


def _one_memory(reader: Reader) -> None:
    memories.get_memory(reader, "m-1")
    memories.mentioned_in(reader, "m-1")
    find_by_name_or_id.memory_id(reader, "m-1")
    muted_memories.quiet_memories(reader, ["m-1", "m-2"])
    embedding_texts.memory_texts(reader, ["m-1"])
    embedding_texts.entity_texts(reader, ["e-harbor"])


def _review(reader: Reader) -> None:
    waiting = proposal_queue.list_proposals(reader)
    for proposal in waiting:
        warnings(reader, proposal)
        proposal_queue.evidence(reader, proposal.id)
    batch_warnings.batch_risks(reader, [proposal.id for proposal in waiting])
    proposal_queue.conflicts(reader)
    proposal_queue.count_proposals(reader)
    proposal_queue.pending_targets(reader)


def _recalls(reader: Reader) -> None:
    for question in QUESTIONS:
        recall(reader, question, USUAL.recall, traversal=USUAL.traversal, explain=True)
    recall(reader, "", filters=Filters(importance_min=0.1))


def _counts(reader: Reader) -> None:
    stats.counts(reader)
    stats.type_counts(reader)
    stats.list_agents(reader)


READS: tuple[Callable[[Reader], None], ...] = (
    _walks, _lists, _one_entity, _one_value, _one_memory, _review, _recalls, _counts)


def ask_everything(workspace: Workspace, kind: str) -> None:
    """Ask all of it, and do each operation once; what a generation has no room for is left out."""
    for read in READS:
        with workspace.read() as reader:
            read(reader)
    with workspace.read() as reader:
        begun = [start(reader, given, USUAL) for given in (
            Signals(query=QUESTIONS[0], session_key=KEY, project="/srv/harbor-ledger"),
            Signals(session_key="other"))]
    if kind == "native":
        for one in begun:
            workspace.write("Begin", lambda writer, one=one: record(writer, one))
        workspace.write("Hits", lambda writer: note_hits(writer, KEY, ["m-1"]))
        workspace.write("End", lambda writer: close(
            writer, KEY, USUAL, ratings={"m-1": 1.0}))
        with workspace.read() as reader:
            sessions.list_sessions(reader)
            sessions.session_memories(reader, KEY)
    workspace.write("Remember", lambda writer: remember(
        writer, Remembered(content="Harbor Ledger now starts at nine")))
    for name in CATALOG:
        if kind not in SAMPLES[name].refused_on and name != "unmute_entity":
            workspace.write(name, lambda writer, name=name: control.apply(
                writer, name, SAMPLES[name].payload, force=True))
            workspace.undo()
            workspace.redo()
            workspace.undo()
