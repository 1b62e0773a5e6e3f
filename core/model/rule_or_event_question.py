"""What kind of question a text is, by its words: what may or must be done, or what happened."""

import math
import re

_NO_MONTH = (r"(?<!\b(?:in|of|by) )(?<!\b(?:last|next|this|late|from|till) )"
             r"(?<!\b(?:since|until|early) )")
_MAY = (rf"(?-i:{_NO_MONTH}\bmay|^\W*May)"
        r"(?= +[^\W\d])(?! (?:of|and|or|to|until|is|was|were|has|had)\b)")
"""The verb: in small letters, or where the question begins with it; else it is the month."""
PERMISSION = re.compile(
    r"(?:(?<!how )\b(?:can|could)\b"
    r"|\b(?:must|shall|should|allowed|permitted|forbidden|supposed)\b"
    r"|\bwhy (?:do|does)(?:n['’]?t)? \w+ (?:not|never|always)\b|\bwhy do(?:es)?n['’]?t\b"
    rf"|{_MAY}\b)", re.IGNORECASE)
"""Words that ask what may or must be done, or why it is not."""
_POLITE = re.compile(r"\b(?:can|could|will|would) you (?:please )?"
                     r"(?:tell|show|remind|say|find|list|give)\b", re.IGNORECASE)
_NAMED_RULE = re.compile(
    r"\b(?:rules?|policy|policies|conventions?|guidelines?|standards?|format|style)\b",
    re.IGNORECASE)
"""How people call a rule, or ask for one: "What is the commit format?"."""
_IRREGULAR = """began bought broke brought built came fell felt found gave got had heard held kept
knew left lost made met paid ran said sat saw sent slept sold spoke spent stood taught thought told
took went woke won wrote"""
_HAPPENED = re.compile(
    r"\b(?:(?:did|was|were|has|have)(?:n['’]?t)?(?! to\b)|happened|"
    rf"{'|'.join(_IRREGULAR.split())})\b", re.IGNORECASE)
"""Words of a question about what happened once, irregular forms by a list."""
_REGULAR = re.compile(
    r"(?<!\bbe )\b(?!(?:allowed|permitted|supposed|need|speed|feed|indeed)\b)\w{2,}ed\b",
    re.IGNORECASE)
"""The regular forms; after "is" they tell what is so now: "is planned"."""
_IS = re.compile(r"\b(?:is|are|am)(?:n['’]?t)?\b", re.IGNORECASE)


def asks_for_a_rule(text: str) -> bool:
    """True for a question about what may or must be done ("Can I deploy?"), or about a rule."""
    permission = first(PERMISSION, without_politeness(text))
    if permission == math.inf and not names_a_rule(text):
        return False  # Nearly always, and asked of every question.
    happened = happened_at(text)
    return permission < happened or (happened == math.inf and names_a_rule(text))


def without_permission(text: str) -> str:
    """The text without the words that ask for permission, which a rule need not say."""
    return PERMISSION.sub(" ", text)


def names_a_rule(text: str) -> bool:
    """True for a text that says "rule" or what else rules are called: "policy", "convention"."""
    return _NAMED_RULE.search(text) is not None


def without_politeness(text: str) -> str:
    """The text without "Could you tell me", which asks for no permission."""
    return _POLITE.sub(lambda match: " " * len(match[0]), text)


def happened_at(text: str) -> float:
    """Where the text first asks for what happened once; infinite if nowhere."""
    regular = first(_REGULAR, text)
    return min(first(_HAPPENED, text), regular if regular < first(_IS, text) else math.inf)


def first(pattern: re.Pattern[str], text: str) -> float:
    """Where the pattern is first found; infinite if nowhere."""
    match = pattern.search(text)
    return match.start() if match else math.inf
