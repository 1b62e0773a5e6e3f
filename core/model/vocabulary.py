"""The closed word lists of the graph (seed 001, `ENTITY_TYPES`, `DependencyType`, statuses)."""

from core.model.names import canonical

ENTITY_TYPES = (
    "person", "project", "system", "tool", "concept", "skill", "task", "source", "artifact",
    "agent", "policy", "action", "workflow", "event", "object_type", "interface", "observation",
    "claim_slot", "claim_value", "unknown",
)
"""Types an operation may give an entity; files may hold others, which are shown as they are."""

DEPENDENCY_FAMILIES = {
    "core": ("uses", "requires", "owned_by", "owns", "blocks", "informs", "maintains",
             "implements"),
    "knowledge": ("built", "depends_on", "related_to", "learned_from", "teaches", "knows",
                  "assumes", "supports_claim", "authored_by", "links_to"),
    "structural": ("contains", "contains_note", "contradicts", "supersedes", "part_of",
                   "produced_artifact"),
    "execution": ("precedes", "follows", "triggers", "may_execute", "requires_approval_from"),
    "impact": ("impacts", "produces", "consumes"),
}
DEPENDENCY_TYPES = tuple(word for family in DEPENDENCY_FAMILIES.values() for word in family)

BELONGING = {"part_of": "contains", "owned_by": "owns", "maintains": "maintained_by"}
"""Types of links by which their source belongs to their target, and the link read from there."""

IMPORTED = "mcp"
"""The source kind of what came from an MCP memory file."""
OBSERVATIONS = "observations"
"""The aspect under which an MCP memory file's observations are stored."""
NAMED_ONLY = "Named only by a relation in the imported file"
"""What describes an entity of which a file says nothing itself."""
WITHDRAWN = "The notes no longer say it"
"""The reason why a value is archived that watched notes said: it holds no more where it stood."""
LONGEST_TEXT = 1_000_000
"""Characters of a memory, where the settings say nothing else, and of an imported fact: one of four
million takes SQLite half a gigabyte to write and to index."""

TASK_STATUSES = ("open", "in_progress", "blocked", "done", "cancelled")
FINISHED_TASKS = ("done", "cancelled")
PREDICATES = ("claims", "believes", "observed", "decided", "prefers", "denies", "questions")
"""How something can be asserted."""
ASSERTION_STATUSES = ("active", "archived", "superseded")
MEMORY_TYPES = ("fact", "preference", "decision", "rationale", "daily-log", "episodic",
                "procedural", "semantic", "system")


EXTRACTED, CO_OCCURRED = "extracted from memory", "co-occurred in extracted entities for memory"
"""How the reasons of links begin that remembering has made; the memory's id follows."""
HELD = "held back"
"""What is said of what no agent is told before a person has seen it in the inbox."""


def plain_type(words: str) -> str:
    """A known entity type under any spelling; other words stay, in lower case."""
    plain = canonical(words)
    key = plain.replace(" ", "_").replace("-", "_")
    return key if key in ENTITY_TYPES else plain or "unknown"


def family_of(dependency_type: str) -> str:
    """The family of a dependency type, `other` for a word that is not in the list."""
    for family, words in DEPENDENCY_FAMILIES.items():
        if dependency_type in words:
            return family
    return "other"
