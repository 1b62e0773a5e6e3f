"""The words by which people ask for links, assertions and types of entities.

"Who wrote the deploy policy?" is answered by the link "deploy policy authored by Ines", "Which
library parses cron?" by one that leads to a tool: neither is said in the question's words.
"""

from functools import lru_cache

from core.model.names import spoken
from core.model.search_words import STOP_WORDS, fold, stem, words

_LINKS = {
    "uses": "use employ rely run build write language framework library package tool dependency"
            " depend",
    "requires": "require need depend rely use necessary dependency prerequisite",
    "depends_on": "depend need require rely use run dependency",
    "owned_by": "own owner belong charge responsible lead",
    "owns": "own owner belong have charge responsible",
    "blocks": "block blocker stop prevent hold wait obstacle",
    "informs": "inform tell feed help advise influence notify",
    "maintains": "maintain maintainer keep care look responsible own owner",
    "implements": "implement realise realize enforce",
    "built": "build builder make create develop construct write program draw",
    "related_to": "relate relation connection connect do",
    "learned_from": "learn teach lesson come",
    "teaches": "teach teacher learn train show",
    "knows": "know meet acquaintance contact friend",
    "assumes": "assume assumption presume take suppose",
    "supports_claim": "support prove evidence show back",
    "authored_by": "write author writer create draw draft make",
    "links_to": "link refer reference point",
    "contains": "contain include hold part inside consist",
    "contains_note": "contain include note hold",
    "contradicts": "contradict disagree doubt against dispute object",
    "supersedes": "supersede replace instead successor",
    "part_of": "part belong contain include component consist inside",
    "produced_artifact": "produce create make result lead outcome",
    "precedes": "precede before",
    "follows": "follow after come",
    "triggers": "trigger start cause launch begin",
    "may_execute": "execute run open start use operate",
    "requires_approval_from": "approve approval permission permit sign agree allow",
    "impacts": "impact affect hit hurt influence change damage",
    "produces": "produce create make generate write output",
    "consumes": "consume take read need use eat input get",
}
_OF_FILES = {
    "work": "employ employer employee job company colleague", "employ": "work job company",
    "live": "home reside residence address", "resid": "live home address",
    "base": "locate headquarters office", "locat": "base",
    "marri": "wife husband spouse partner", "spous": "wife husband marry partner",
    "wife": "marry husband spouse", "husband": "marry wife spouse",
    "cast": "star act actor actress play", "star": "act actor actress play",
    "author": "write writer", "studi": "student university school learn", "attend": "student go",
    "found": "founder start create", "manag": "lead boss", "lead": "head boss manage",
    "report": "boss manager", "friend": "know", "own": "belong have",
}
"""For what imported files call a link, by its stem, what it is asked for by, too."""
_PARENTS = "parent mother father mum mom dad mutter vater mama papa eltern"
_CHILDREN = "child kid son daughter kind sohn tochter"
_GRANDPARENTS = ("grandparent grandmother grandfather grandma grandpa granny oma opa großmutter"
                 " großvater großeltern")
_GRANDCHILDREN = "grandchild grandson granddaughter enkel enkelin enkelkind"
_SIBLINGS = "sibling geschwister"
_SPOUSES = "wife husband spouse partner marry married frau mann ehefrau ehemann verheiratet"
_DOCTORS = "doctor physician dentist therapist vet arzt arztin kinderarzt zahnarzt behandelt"
_TEACHERS = "teacher lehrer lehrerin unterrichtet"
_KIN = {
    **{each: (f"{each} parent eltern", _CHILDREN) for each in _PARENTS.split()},
    "parent": (_PARENTS, _CHILDREN), "mother": ("mum mom parent mutter mama eltern", _CHILDREN),
    "father": ("dad parent vater papa eltern", _CHILDREN),
    "mutter": ("mother parent mama eltern", _CHILDREN),
    "vater": ("father parent papa eltern", _CHILDREN),
    **dict.fromkeys(_CHILDREN.split(), (_CHILDREN, _PARENTS)),
    "grandmother": ("grandma granny grandparent oma großmutter großeltern", _GRANDCHILDREN),
    "grandfather": ("grandpa grandparent opa großvater großeltern", _GRANDCHILDREN),
    "grandparent": (_GRANDPARENTS, _GRANDCHILDREN),
    "oma": ("grandmother grandparent großmutter großeltern", _GRANDCHILDREN),
    "opa": ("grandfather grandparent großvater großeltern", _GRANDCHILDREN),
    **dict.fromkeys(_GRANDCHILDREN.split(), (_GRANDCHILDREN, _GRANDPARENTS)),
    "sister": (f"schwester {_SIBLINGS}", f"brother bruder sister schwester {_SIBLINGS}"),
    "brother": (f"bruder {_SIBLINGS}", f"brother bruder sister schwester {_SIBLINGS}"),
    **dict.fromkeys(("sibling", "siblings"), (f"brother sister bruder schwester {_SIBLINGS}",) * 2),
    **dict.fromkeys(_SPOUSES.split(), (_SPOUSES, _SPOUSES)),
    "aunt": ("tante", "niece nephew nichte neffe"), "uncle": ("onkel", "niece nephew nichte neffe"),
    "treats": (_DOCTORS, "patient"), "teaches": (_TEACHERS, "pupil student schüler"),
}
"""For a word of a link how its beginning is asked for ("mother" of the mother of Tim), and how its
end is, of which the question names the other."""
_DOER = ("er", "or")
_PREDICATES = {
    "claims": "claim say state tell argue maintain",
    "believes": "believe think opinion expect view say belief",
    "observed": "observe see notice find say report happen",
    "decided": "decide decision choose agree settle say",
    "prefers": "prefer preference like want favour wish rather say",
    "denies": "deny disagree contradict dispute reject say",
    "questions": "question ask wonder doubt",
}
_TYPES = {
    "tool": "tool library framework package program software app dependency technology module",
    "system": "system service component package app application software module",
    "project": "project app application product program",
    "person": "person people human",
    "agent": "agent assistant bot",
    "policy": "policy rule",
    "task": "task todo job",
    "event": "event",
    "artifact": "artifact document file",
    "source": "source document file",
}


def asked_for_link(dependency_type: str) -> tuple[str, ...]:
    """The plain words by which such a link is asked for, beside its own."""
    return tuple(_LINKS.get(dependency_type, "").split())


@lru_cache(maxsize=5_000)
def asked_for_words(said: str) -> tuple[str, ...]:
    """The plain words by which a link is asked for that an imported file calls so: what a director
    does is to direct.
    """
    found: list[str] = []
    for word in words(said):
        if word not in STOP_WORDS:
            found += _OF_FILES.get(stem(word), "").split()
            found += _done_by(word)
    return tuple(dict.fromkeys(found))


@lru_cache(maxsize=5_000)
def asked_for_kin(said: str, *, of_source: bool) -> tuple[str, ...]:
    """The plain words by which one end of such a link is asked for: "mother" of the mother of Tim.

    Args:
        of_source: the question names where the link begins, so that its end is asked for: "child".
    """
    found = (_KIN.get(word, ("", ""))[of_source == _tells_of_beginning(said, word)]
             for word in words(said))
    return tuple(dict.fromkeys(fold(word) for several in found for word in several.split()))


@lru_cache(maxsize=5_000)
def kin_words(said: str) -> frozenset[str]:
    """The words of a link that say what its beginning is to its end: "mother" of the mother of Tim;
    not those that hold for both ends, such as "sister" or "married"."""
    return frozenset(
        word for word in words(said) if word in _KIN and word not in _KIN[word][1].split()
        and _tells_of_beginning(said, word))


def _tells_of_beginning(said: str, word: str) -> bool:
    """True for "mother of", "treats"; "has mother" and "mother" tell what the end is."""
    return words(said)[-1] in ("of", "von") or word in ("treats", "teaches")


def _done_by(word: str) -> tuple[str, ...]:
    """The verbs that somebody's name for what they do may come from: manager, director, creator."""
    bare = word.removesuffix("s")
    return (bare[:-2], f"{bare[:-2]}e") if bare.endswith(_DOER) and len(bare) > 5 else ()


def asked_for_assertion(predicate: str) -> tuple[str, ...]:
    """The plain words by which such an assertion is asked for, beside its own."""
    return tuple(_PREDICATES.get(predicate, "").split())


def asked_for_type(entity_type: str) -> tuple[str, ...]:
    """The plain words by which people call something of this type."""
    return tuple(_TYPES.get(entity_type, spoken(entity_type).lower()).split())


def points_back(dependency_type: str) -> bool:
    """True for a type that is said the other way round: what is `owned_by` somebody, they own."""
    return dependency_type.endswith("_by")
