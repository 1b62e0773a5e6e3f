"""What an answer must hold by the kind of question: a length for "How far", years for "How old"."""

import re

from msgspec import Struct

_COUNT = (
    r"(?:\d[\d,.]*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen"
    r"|(?:twen|thir|for|fif|six|seven|eigh|nine)t(?:y|ies)(?:-\w+)?|half|hundreds?|thousands?)")
_LENGTH = r"(?:km|cm|mm|m|kilomet\w+|(?:centi|milli)?met(?:re|er)s?|miles?|feet|foot|inch(?:es)?)"
_SPAN = (r"(?:minutes?|mins?|hours?|days?|weeks?|months?|years?|seconds?|ms|s|h|nights?|decades?"
         r"|words?|pages?|lines?|characters?|units?|bars?|signs?|letters?)")
_NUMBER = (
    r"(?<![\w.#/-])\d[\d,]*(?!\d|\.\d+\.)|\b(?:no|none|nobody|one|two|three|four|five|six|seven"
    r"|eight|nine|ten|eleven|twelve|\w+teen|twent\w+|thirt\w+|fort\w+|fift\w+|sixt\w+|hundreds?"
    r"|thousands?|dozens?|half|both|several|few)\b")
_GERMAN_NUMBER = (
    r"(?<![\w.#/-])\d[\d.]*(?!\d)|\b(?:kein\w*|eine[nmrs]?|ein|zwei|drei|vier|fünf|sechs|sieben"
    r"|acht|neun|zehn|elf|zwölf|\w+zehn|\w+(?:zig|ßig)|hundert|tausend|mehrere|einige|beide)\b")
_BORN = (r"\b(?:born|aged?|birth\w*|bday|geboren|geburt\w*|jahre alt"
         r"|\d+[- ]?(?:years?|jahre)(?: old)?)\b")
_MONEY = (rf"\b{_COUNT} ?(?:euros?|eur|dollars?|pounds?|krone\w*|cents?|franken|chf|k)\b"
          r"|[€$£] ?\d|\d ?[€$£]")
"""A number, not that of a version."""
_COLOURS = (r"\b(?:red|green|blue|yellow|orange|black|white|gr[ae]y|brown|pink|purple|violet"
            r"|turquoise|silver|gold(?:en)?|beige|dark|light|pale|colou?rless)\b")


class AnswerKind(Struct, frozen=True):
    """A kind of question.

    Attributes:
        asks: what such a question says.
        holds: what its answer says.
        unsaid: words of the question that an answer of this kind need not say.
        shows: its answer shows what these words say: a path is a folder, a number alone no age.
    """

    asks: re.Pattern[str]
    holds: re.Pattern[str]
    unsaid: frozenset[str] = frozenset()
    shows: bool = False


def _kind(asks: str, holds: str, unsaid: str = "", *, shows: bool = False) -> AnswerKind:
    return AnswerKind(re.compile(asks, re.IGNORECASE), re.compile(holds, re.IGNORECASE),
                      frozenset(unsaid.split()), shows)


_KINDS = (
    _kind(r"\bhow old (?:is|was|are|were) (?:(?-i:[A-Z])|he\b|she\b|they\b|my\b|his\b|her\b)",
          rf"\b(?:born|aged?|birth\w*|years? old|from the {_COUNT}|{_COUNT}[- ]years?)\b", "old"),
    _kind(r"\bwie alt\b|\b(?:older|younger|oldest|youngest|elder|eldest)\b"
          r"|\b(?:älter|jünger|älteste\w?|jüngste\w?)\b",
          _BORN, "alt older younger oldest youngest elder eldest älter jünger älteste ältesten"
                 " jüngste jüngsten"),
    _kind(r"\bwhen (?:was|were|is)\b.*\b(?:born|birth ?(?:day|date))\b|\bdate of birth\b"
          r"|\bbirth ?(?:day|date)\W*$|\bwann\b.*\b(?:geboren|geburtstag)\b",
          rf"\b(?:born|birth\w*|bday|(?:turn(?:ed|s|ing)?|aged?) {_COUNT}|years? old"
          r"|geboren|geburts\w*)\b",
          "born birthday birthdate birth date geboren geburtstag hat"),
    _kind(r"\bhow far\b",
          rf"\b{_COUNT}[- ]?(?:{_LENGTH}|minutes?|hours?|stops?|blocks?|doors?|floors?)\b"
          r"|\bnext (?:to|door)\b", "far"),
    _kind(r"\bhow (?:tall|deep|wide|thick)\b", rf"\b{_COUNT}[- ]?{_LENGTH}\b",
          "tall deep wide thick"),
    # A tower, but a budget, a rate and a temperature, too.
    _kind(r"\bhow (?:high|low) (?:is|are|was|were|will)\b|\bwie (?:hoch|niedrig)\b",
          r"(?<![\w.,#/-])(?!(?:19|20)\d\d\b(?![.,]\d))\d", "high low hoch niedrig"),
    _kind(r"\bhow long\b",
          rf"\b{_COUNT}[- ]?(?:{_LENGTH}|{_SPAN})\b|\d:\d\d"
          r"|\b(?:until|since|till|hour|day|week|month|year|while|always|ever|never|night)\b",
          "long"),
    _kind(r"\bhow heavy\b|\bweighs?\b",
          rf"\b{_COUNT}[- ]?(?:kg|kilos?|g|grams?|pounds?|lbs?|tons?|tonnes?)\b",
          "heavy weigh weighs"),
    _kind(r"\bhow much (?:do(?:es)?|did|is|are|was|were|will|would)\b.*\b(?:cost|earn|spend)"
          r"|\b(?:price|salary|rent) of\b|['’]s (?:price|salary|rent)\b",
          _MONEY, "much cost costs"),
    _kind(r"\bwie ?viel\b.*\b(?:kostet|kosten|verdient|zahl\w*)|\bwas kostet\b|\bwie teuer\b",
          _MONEY, "viel wieviel teuer kostet kosten"),
    _kind(r"\bwie ?viele?\b", _GERMAN_NUMBER, "viel viele wieviel wieviele"),
    _kind(r"\b(?:phone|telephone|mobile) number", r"\+?\d[\d ()/-]{5,}\d",
          "phone telephone mobile number"),
    _kind(r"\be-?mail address|\be-?mail of\b|(?:['’]s|\b(?:the|my|our|his|her|their)) e-?mail\W*$",
          r"\S@\S", "e mail email address"),
    _kind(r"(?<!the )(?<!what )(?<!which )\b\w+ number\b(?! of)", r"\d{3,}|\d[-.]\d", "number"),
    _kind(r"\b(?:which|what|the) colou?rs?\b", _COLOURS, "colour color colours colors"),
    _kind(r"\bhow many\b", _NUMBER, "many"),
    _kind(r"\b(?:which|what) (?:folder|directory|path)\b", r"(?<![\w@/])[\w.-]+/[\w./-]+",
          "folder directory path live lives lie lies kept stored located found", shows=True),
    _kind(r"\bwhere (?:is|are|was|were)\b.+\b(?:defined|declared|implemented|configured|handled"
          r"|described|documented)\b", "",
          "defined declared implemented configured handled described documented"),
    _kind(r"\bhow (?:much|often|soon)\b", "", "much often soon"),
    _kind(r"\bwhere (?:do|does|did|is|are|was|were) (?:(?:the|my|our|your) )?(?-i:[a-z])", "",
          "live lives lie lies stand stands stay stays kept stored located found"),
    _kind(r"\b(?:which|what) (?:day|date|month|year|time|hour|weekday)s?\b", "",
          "day date month year time hour weekday days dates months years times hours weekdays"),
)


def kind_of(question: str) -> AnswerKind | None:
    """The first kind that the question is of, None if it may be answered by anything."""
    return next((kind for kind in _KINDS if kind.asks.search(question)), None)
