"""The search words of a question: split in any script, without stop words, stemmed."""

import re
import threading
import unicodedata
from collections.abc import Collection, Iterable
from functools import cache, lru_cache

from msgspec import Struct
from msgspec.structs import replace

from core.model.asks_for_all import words_for_all
from core.model.irregular_words import BASE_OF, IRREGULAR
from core.model.names import of_capitals
from core.model.split_words import hyphenated_words, written_words
from core.model.unspaced_scripts import HAN_AND_KANA, HANGUL, SOUTH_EAST_ASIAN

_STOP_WORDS = """
a about above after again against all also am an and any are aren as at be because been before being
below between both but by can could couldn d did didn do does doesn doing don down during each few
for from further get had hadn has hasn have haven having he her here hers herself him himself his
how i if in into is isn it its itself just like ll m me more most my myself no nor not now of off on
once only or other our ours ourselves out over own please re s same shall she should shouldn so some
such t tell than that the their theirs them themselves then there these they this those through to
too under until up us ve very was wasn we were weren what when where which while who whom whose why
will with would wouldn you your yours yourself yourselves"""
_AT_A_START = """
although always another anyone anything ask back best better come day done either else even ever
every everyone everything find first give go going good got great hello help hey hi however keep
know last later least let little long look made make many may maybe mine much must need never new
next nice nobody none nothing often oh ok okay old one people perhaps put really right said say
see since someone something soon still sure take thank thanks thing things think though three time
today together tomorrow two use used want way well went within without wonderful work wow yeah yes
yesterday yet monday tuesday wednesday thursday friday saturday sunday january february march
april june july august september october november december"""

STOP_WORDS = frozenset(_STOP_WORDS.split())
"""Neither looked for nor compared, unless there is nothing else."""
NO_NAMES = STOP_WORDS | frozenset(_AT_A_START.split())
"""A name only together with others: words that often begin a sentence, with a capital."""


_GERMAN_QUESTION = """
wann warum was welche welchem welchen welcher welches wem wen wer weshalb wessen wie wieso wo woher
wohin womit"""
_GERMAN = """
ab aber als an auch auf aus bei bis bist da das dass dein deine dem den der des die diese diesem
diesen dieser dieses doch du durch ein eine einem einen einer eines er es euch euer für gegen hab
habe haben hast hat hatte hatten ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im ist ja kann kannst
können man mein meine meinem meinen meiner mich mir mit muss nach noch nur ob oder ohne schon sein
seine seinem seinen seiner sich sie sind soll um und uns unser unsere unserem unseren unserer vom
von vor war waren weil wenn werden wir wird wurde wurden zu zum zur über"""


_AFTER_WAS = frozenset((
    "ist", "sind", "hat", "haben", "habe", "steht", "stehen", "gibt", "kommt", "kommen", "passiert",
    "macht", "machen", "kostet", "kosten", "muss", "soll", "wird", "werden", "wurde", "findet"))
_GERMAN_VERBS = frozenset(("gibt", "habe", "haben", "ist", "sind", "muss", "soll", "wird", "kann"))
"""What begins a German question, and no English one."""
_BEFORE_NOUNS = """am an beim das dem den der des die dein deine deinen deiner ein eine
einem einen einer eines fur ihr ihre im ins kein keine keinen mein meine meinem meinen meiner sein
seine unser unsere viel viele welche welchem welchen welcher welches zum zur vom"""
_ADJECTIVE = ("e", "en", "er", "es", "em")
_GENITIVE = re.compile(r"\b([A-ZÄÖÜ]\w*[^\Ws])s (?=[A-ZÄÖÜ])")
_INFLECTIONS = ("en", "er", "es", "em", "e", "n", "s")
SHORTEST_ROOT, _SHORTEST_JOINED = 4, 9
_GERMAN_ORDERS = frozenset(("was", "erzahl", "erzahle", "beschreib", "beschreibe", "alles"))
"""What begins a German sentence that asks for all that is known."""


# How many signs of them make a search word.
_PAIRS, _TRIPLES = HAN_AND_KANA + HANGUL, SOUTH_EAST_ASIAN
_LIKES = re.compile(
    r"\b(?:do|does|did)(?:n['’]?t)?\b"
    r"(?:(?!\b(?:look|sound|feel|taste|smell|seem|be|\w*thing)\b)[^?!])*?\blike\b",
    re.IGNORECASE)
"""Where “like” is what somebody does: “What does Ines like?”, not “What does it look like?”."""
_SENTENCES = re.compile(r"[.!?:\n]\s*")
MOST_CAPITALS = 3
"""Words with a capital, of as many, that a text may have before it is a headline."""
_PLAIN = re.compile(r"[a-z]{4,}\Z")
_ENDINGS = ("s", "es", "ed", "ing", "ings", "e", "ion", "ions", "ly", "ment", "ments", "al", "able",
            "er", "ers", "ive", "ence", "ance")
_AFTER = {"e": ("ed", "ing", "ings"), "i": ("y", "ies", "ied", "ying", "ys", "yed")}
"""What stands in the place of the last letter of a stem in some of its forms."""
_ACCENTED = {"е": "ё", "α": "ά", "ε": "έ", "η": "ή", "ι": "ί", "ο": "ό", "υ": "ύ", "ω": "ώ"}
"""Letters that are often written without their accent, which full text keeps; a word has one."""
_BARE = str.maketrans({accented: bare for bare, accented in _ACCENTED.items()})
_ARTICLES = ("ال", "وال", "بال", "لل", "كال", "فال")
"""The Arabic article, alone and with what is written together with it."""
_ARABIC = re.compile("[\u0621-\u064a]{3,}\\Z")


class Term(Struct, frozen=True):
    """One search term.

    Attributes:
        word: as typed, in lower case, for display.
        forms: every form of the word that matches; the first is folded and is its key.
        anywhere: True if it also matches inside words, because its script has no spaces.
        exact: the forms that alone are looked for where a file holds one of them: a name as it is
            written ("Signe" is no form of "sign"), a compound such as "stand-up" as a whole.
        joined: it may be two German words written as one: "Zahnarzttermin".
    """

    word: str
    forms: tuple[str, ...]
    anywhere: bool = False
    exact: tuple[str, ...] = ()
    joined: bool = False

    def exactly(self) -> "Term":
        """The term in its exact forms only."""
        return replace(self, forms=self.exact, exact=()) if self.exact else self

    def is_in(self, words: Collection[str], text: str) -> bool:
        """True if a folded text holds the term.

        Args:
            words: the words of the text.
            text: they, in order, with one space between them.
        """
        if self.anywhere:
            return self.word in text
        return any(form in words or (" " in form and f" {form} " in f" {text} ")
                   for form in self.forms)


def fold(text: str) -> str:
    """Small letters without accents, as full text sees them."""
    if text.isascii():
        return text.lower()
    apart = unicodedata.normalize("NFD", text.lower())
    return unicodedata.normalize(
        "NFC", "".join(sign for sign in apart if not "\u0300" <= sign <= "\u036f"))


def words(text: str) -> list[str]:
    """The words of a text, folded, in order; an emoji is a word of its own."""
    if text.isascii():
        return written_words(text.lower())
    return [fold(word) for word in written_words(text.lower())]


def width(name: str) -> int:
    """Letters, those of scripts that need fewer of them (Chinese, Korean) counted twice."""
    if name.isascii():
        return len(name)
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in name)


def terms(text: str, *, stemming: bool = True) -> tuple[Term, ...]:
    """The search terms, each once; stop words only if there is nothing else."""
    asked = written_words(text.lower())
    silent = silent_words(text)
    telling = [word for word in asked if fold(word) not in silent] or asked
    exact = {name: _name_forms(name) for name in names_by_capital(text)} | compounds(text)
    sharp = {word.lower(): of_capitals(word) for word in written_words(text) if "SS" in word}
    by_form: dict[str, Term] = {}
    german = stemming and is_german(text)
    for word in telling:
        for term in _terms_of(word, stemming):
            if german and not term.anywhere:
                endings = inflected(fold(term.word))
                term = replace(term, forms=tuple(dict.fromkeys((*term.forms, *endings))),
                               joined=len(term.word) >= _SHORTEST_JOINED)
            also = tuple(fold(each.lower()) for each in sharp.get(word, ()))
            term = replace(term, forms=term.forms + also) if also else term
            by_form.setdefault(term.forms[0], replace(term, exact=exact.get(fold(word), ()))
                               if not term.anywhere else term)
    return tuple(by_form.values())


def silent_words(text: str) -> frozenset[str]:
    """The stop words of a question: those of German only in a German one, since "die" and "hat" are
    English words, too."""
    for_all = frozenset(map(fold, words_for_all(text)))
    if is_german(text) or for_all and not _GERMAN_ORDERS.isdisjoint(words(text)[:1]):
        return STOP_WORDS | _german() | for_all
    return (STOP_WORDS - {"like"} if _LIKES.search(text) else STOP_WORDS) | for_all


def is_german(text: str) -> bool:
    """True for a question in German: it begins with one of its question words, or "seit wann".

    "Was" begins English questions, too; then the verb after it tells.
    """
    begin = words(text)[:2]
    return (not _german_questions().isdisjoint(begin) or not _GERMAN_VERBS.isdisjoint(begin[:1])
            or begin[:1] == ["was"] and not _AFTER_WAS.isdisjoint(begin[1:]))


@cache
def _german_questions() -> frozenset[str]:
    return frozenset(map(fold, _GERMAN_QUESTION.split())) - STOP_WORDS


@cache
def _german() -> frozenset[str]:
    return frozenset(map(fold, (*_GERMAN_QUESTION.split(), *_GERMAN.split())))


def with_names(terms: Iterable[Term], names: Iterable[str]) -> tuple[Term, ...]:
    """The terms, those that are a word of one of these names to be looked for as written.

    Only a name whose words all have a capital says that they are names: "Development rules" is a
    heading.
    """
    written = [written_words(name) for name in names]
    known = {fold(word.lower()) for several in written
             if all(word[0].isupper() for word in several) for word in several}
    return tuple(replace(term, exact=_name_forms(folded))
                 if (folded := fold(term.word)) in known and not (term.anywhere or term.exact)
                 and term.forms != _name_forms(folded) else term for term in terms)


def _name_forms(name: str) -> tuple[str, ...]:
    """A name as it is written, and several of it: Fridays, the Hansens."""
    return name, f"{name}s"


def names_by_capital(text: str) -> frozenset[str]:
    """The words, folded, that are names: those with a capital within a sentence.

    Nothing where all have one, as in a headline. German writes every noun with one: there a word
    after an article or another name is none.
    """
    later = [word for sentence in _SENTENCES.split(text) for word in written_words(sentence)[1:]]
    capital = [word for word in later if word[0].isupper()]
    if len(capital) == len(later) > MOST_CAPITALS:
        return frozenset()
    nouns = _german_nouns(text) if is_german(text) else frozenset[str]()
    return frozenset(fold(word.lower()) for word in capital) - nouns


def _german_nouns(text: str) -> frozenset[str]:
    """The words, folded, of a German question that have a capital as nouns: "Katzen" in "Wie viele
    Katzen hat Anna?", "Mutter" in "Tims Mutter"."""
    nouns, after = set[str](), False
    for word in written_words(text)[1:]:
        if not word[0].isupper():
            after = _is_article(word) or after and not _ends_what_an_article_begins(word)
            continue
        if after:
            nouns.add(fold(word.lower()))
        after = True
    return frozenset(nouns)


def _is_article(word: str) -> bool:
    return fold(word.lower()) in _before_nouns()


@cache
def _before_nouns() -> frozenset[str]:
    return frozenset(map(fold, _BEFORE_NOUNS.split()))


def _ends_what_an_article_begins(word: str) -> bool:
    """True for a word that is no adjective: "hat" in "die Katzen hat", not "alte" in "der alte"."""
    return not word.lower().endswith(_ADJECTIVE) or fold(word.lower()) in _german()


def genitives(text: str) -> tuple[str, ...]:
    """The names, in small letters, of which a German question says what is theirs: "tim" of "Tims
    Mutter"."""
    return tuple(name.lower() for name in _GENITIVE.findall(text)) if is_german(text) else ()


def inflected(word: str) -> tuple[str, ...]:
    """A German word with the endings of its other cases and numbers: "katze" of "katzen"."""
    root = next((word.removesuffix(ending) for ending in _INFLECTIONS
                 if word.endswith(ending) and len(word) - len(ending) >= SHORTEST_ROOT), word)
    return tuple(dict.fromkeys((word, root, *(root + ending for ending in _INFLECTIONS))))


def compounds(text: str) -> dict[str, tuple[str, ...]]:
    """By its first telling word, folded, each hyphenated word with a stop word in it.

    "stand-up" is no standing: the two words tell something only side by side, or as one.
    """
    found: dict[str, tuple[str, ...]] = {}
    for joined in hyphenated_words(text.lower()):
        parts = words(joined)
        telling = [part for part in parts if part not in STOP_WORDS]
        if telling and len(parts) > len(telling):
            found[telling[0]] = (" ".join(parts), "".join(parts))
    return found


def cores(forms: Iterable[str]) -> tuple[str, ...]:
    """The shortest texts such that every form contains one of them."""
    shortest: list[str] = []
    for form in sorted(forms, key=len):
        if not any(core in form for core in shortest):
            shortest.append(form)
    return tuple(shortest)


def telling(text: str) -> str:
    """The text without its stop words, or unchanged if there is nothing else."""
    silent = silent_words(text)
    return " ".join(word for word in words(text) if word not in silent) or text


@cache
def _parts() -> re.Pattern[str]:
    """Made when a question is asked: patterns of so many signs take long to make."""
    return re.compile(f"(?P<pair>[{_PAIRS}]+)|(?P<triple>[{_TRIPLES}]+)|[^{_PAIRS}{_TRIPLES}]+")


def _terms_of(word: str, stemming: bool) -> list[Term]:
    word_terms: list[Term] = []
    for part in _parts().finditer(word):
        text, size = part[0], {"pair": 2, "triple": 3}.get(part.lastgroup or "", 0)
        if size:
            pieces = [text[n:n + size] for n in range(max(1, len(text) - size + 1))]
            word_terms += [Term(piece, (piece,), anywhere=True) for piece in map(fold, pieces)]
        elif not text.isalnum() and unicodedata.category(text[0]) == "So":
            word_terms.append(Term(text, (text,), anywhere=True))
        else:
            plain = fold(text)
            known = forms(plain) if stemming else (plain,)
            known += tuple(form for twin in spelling_twins(plain)
                           for form in (forms(twin) if stemming else (twin,)))
            word_terms.append(Term(unicodedata.normalize("NFC", text),
                              tuple(dict.fromkeys((*known, *_spellings(text))))))
    return word_terms


def _spellings(word: str) -> tuple[str, ...]:
    """How full text may hold a word: it takes the accents off some letters, and keeps others."""
    if word.isascii():
        return ()
    whole = unicodedata.normalize("NFC", word)
    bare = whole.translate(_BARE)
    double = whole.replace("ß", "ss")
    accented = (bare[:place] + _ACCENTED[sign] + bare[place + 1:]
                for place, sign in enumerate(bare) if sign in _ACCENTED)
    return (word, whole, bare, double, *accented, *_with_articles(bare))


def _with_articles(word: str) -> tuple[str, ...]:
    """An Arabic word without and with its article."""
    if not _ARABIC.match(word):
        return ()
    article = next((a for a in _ARTICLES if word.startswith(a) and len(word) > len(a) + 1), "")
    rest = word.removeprefix(article)
    return (rest, *(article + rest for article in _ARTICLES))


def spelling_twins(word: str) -> tuple[str, ...]:
    """How the other side of the Atlantic spells an English word: `license` for `licence`."""
    if len(word) < SHORTEST_TWIN or not word.isascii():
        return ()
    twins = (re.sub(f"{british}(?=s?$)", american, word) for pair in _SPELLINGS
             for british, american in (pair, pair[::-1]))
    return tuple(dict.fromkeys(twin for twin in twins if twin != word))


SHORTEST_TWIN = 5
"""Letters of a word that may be spelled in two ways; "four" is no "for"."""
_SPELLINGS = (("our", "or"), ("ise", "ize"), ("yse", "yze"), ("isation", "ization"),
              ("ising", "izing"), ("ised", "ized"), ("ence", "ense"), ("tre", "ter"),
              ("ogue", "og"), ("grey", "gray"), ("elled", "eled"), ("elling", "eling"))


_of_thread = threading.local()


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """The word without its English ending: `studies`, `studied` and `study` are one.

    Snowball knows more languages, but full text stores words as written: only the forms that
    `forms` makes can be found, which are English.
    """
    if not _PLAIN.match(word):
        return word
    # A stemmer holds the word that it works on, and several threads recall at once.
    if not hasattr(_of_thread, "stemmer"):
        # Its package loads a stemmer for each of its languages.
        from snowballstemmer.english_stemmer import EnglishStemmer  # noqa: PLC0415

        _of_thread.stemmer = EnglishStemmer()
    return str(_of_thread.stemmer.stemWord(word))


@lru_cache(maxsize=5_000)
def forms(word: str) -> tuple[str, ...]:
    """The stem, then every other form of the word, with the irregular ones: `built` of `build`."""
    plain = BASE_OF.get(word, word)
    if plain != word:
        return forms(plain)
    irregular = IRREGULAR.get(_stems().get(stem(word), word), ())
    return tuple(dict.fromkeys((*_regular(word), *irregular)))


def _regular(word: str) -> tuple[str, ...]:
    root = stem(word)
    if root == word and not _PLAIN.match(word + "s"):
        return (word,)
    last = root[-1]
    made = [word, *(root + ending for ending in _ENDINGS),
            *(root + last + ending for ending in ("ed", "ing")),
            *(root[:-1] + ending for ending in _AFTER.get(last, ()))]
    late = _SECOND_REGION.match(root) is not None
    return (root, *dict.fromkeys(
        form for form in made if form != root and _is_form(form, root, late=late)))


def _is_form(form: str, root: str, *, late: bool) -> bool:
    """True if the stem of a form is `root`; stemming takes most of the time of a question's words.

    Args:
        late: the root may have a second region, without which some endings stay.
    """
    ending = form[len(root):]
    if not late and ending.removesuffix("s") in _LATE_ENDINGS:
        return False
    return stem(root + _TWINS[ending] if ending in _TWINS else form) == root


_TWINS = {"ings": "ing", "ions": "ion", "ments": "ment", "ers": "er", "ance": "ence"}
"""Endings that come off a word if, and only if, others do."""
_LATE_ENDINGS = frozenset({"ion", "ment", "al", "able", "er", "ive", "ence", "ance"})
"""Endings that Porter's stemmer takes off in a word's second region only."""
_SECOND_REGION = re.compile(r".*?[aeiouy][^aeiou].*?[aeiouy][^aeiou]")
"""A word that may have one: what follows the first consonant after a vowel, twice."""


@cache
def _stems() -> dict[str, str]:
    """The words with irregular forms by their stems."""
    return {stem(word): word for word in IRREGULAR}
