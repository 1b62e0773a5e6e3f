"""Says in words why a hit is there: what each channel saw in it, and what changed its score."""

from collections.abc import Mapping, Sequence

from core.model.text_formatting import one_line
from core.model.walk import AskedRule, WalkedMemory
from core.recall.candidates import ScoredMemory

LONGEST_RULE = 80
"""Characters of a rule in a reason."""
_STEPS = {
    "speaker": "said by the one who is asked about",
    "repeat": "says the same as a better one", "rule": "states a rule",
    "called": "of the one whom a link calls so",
    "correction": "corrects a link",
    "asks": "only asks", "negation": "says what is not so",
    "kind": "tells what kind of thing is asked for",
    "direction": "leads the way that is asked for",
    "state": "its mark says how far it is",
    "rehearsal": "used often and recently", "gravity": "shares no word with the question",
}


def reason_in_words(
    channels: Mapping[str, float], steps: Mapping[str, float], *, held: Sequence[str],
    around: Sequence[str], about: Sequence[str],
    walked: WalkedMemory | None, names: Mapping[str, str], mentioned: str,
    neighbor: ScoredMemory | None, candidate: ScoredMemory, rule: AskedRule | None = None,
) -> str:
    """One line: what each channel saw in it, the strongest first."""
    phrases = {
        "keyword": _words(held, around, about),
        "semantic": "similar in meaning",
        "neighbor": _beside(neighbor, candidate),
        "traversal": _way(walked, names),
        "mention": f"mentions {mentioned}",
        "hint": "stored for a similar question",
        "rule": f"states “{one_line(rule.content, LONGEST_RULE)}”" if rule else "states a rule",
        "date": "from that time",
        "listed": "matches the filters",
    }
    strongest = sorted(channels.items(), key=lambda item: -item[1])
    parts = [f"{phrases[name]} ({value:.2f})" for name, value in strongest]
    parts += [_STEPS[name] for name in steps if name != "rule" or rule is None]
    return "; ".join(parts)


def _words(held: Sequence[str], around: Sequence[str], about: Sequence[str]) -> str:
    """`contains red near harbour, about Vega`: from the text, those around it, its place."""
    phrases = ("contains", held), (" near", around), (", about", about)
    return "".join(f"{word} {', '.join(terms)}" for word, terms in phrases if terms).lstrip(" ,")


def _beside(neighbor: ScoredMemory | None, candidate: ScoredMemory) -> str:
    if neighbor is None:
        return "next to a good match"
    if neighbor.row > candidate.row:
        return "right before a good match"
    answers = candidate.may_answer(neighbor)
    return "answers a similar question" if answers else "right after a good match"


def _way(walked: WalkedMemory | None, names: Mapping[str, str]) -> str:
    if walked is None:
        return "reached by the walk"
    if walked.belongs:
        return walked.belongs
    start = names.get(walked.path.entity_ids[0], "") if walked.path.entity_ids else ""
    links = len(walked.path.dependency_ids)
    far = "" if not links else ", one link away" if links == 1 else f", {links} links away"
    return f"reached from {start}{far}" if start else "reached by the walk"
