"""English words with forms that no ending tells: `built` is a form of `build`."""

from collections.abc import Mapping

_VERBS = """
begin began begun|bite bit bitten|blow blew blown|break broke broken|bring brought|build built
|burn burnt|buy bought|catch caught|choose chose chosen|come came|creep crept|dig dug
|draw drew drawn|dream dreamt|drink drank drunk|drive drove driven|eat ate eaten
|fall fell fallen|feed fed|feel felt|fight fought|find found|fly flew flown
|forbid forbade forbidden|forget forgot forgotten|forgive forgave forgiven|freeze froze frozen
|get got gotten|give gave given|go goes going went gone|grow grew grown|hang hung|hear heard
|hide hid hidden|hold held|keep kept|know knew known|lead led|learn learnt|leave left|lend lent
|lose lost|make made|meet met|pay paid|ride rode ridden|ring rang rung|rise rose risen|run ran
|say said|see saw seen|seek sought|sell sold|send sent|shake shook shaken|shine shone
|shoot shot|show shown|sing sang sung|sink sank sunk|sit sat|sleep slept|slide slid
|speak spoke spoken|spell spelt|spend spent|spin spun|spoil spoilt|stand stood
|steal stole stolen|stick stuck|strike struck|swear swore sworn|sweep swept|swim swam swum
|swing swung|take took taken|teach taught|tear tore torn|tell told|think thought
|throw threw thrown|understand understood|wake woke woken|wear wore worn|win won
|withdraw withdrew withdrawn|write wrote written|become became|overcome overcame
|undertake undertook undertaken|own owner owners"""
_NOUNS = """
child children|person people|man men|woman women|foot feet|tooth teeth|mouse mice|goose geese
|wife wives|knife knives|half halves|shelf shelves|wolf wolves|thief thieves|loaf loaves
|criterion criteria|datum data|analysis analyses|crisis crises|index indices|matrix matrices
|vertex vertices"""

_FAMILIES = tuple(tuple(family.split()) for family in f"{_VERBS}|{_NOUNS}".split("|"))
BASE_OF: Mapping[str, str] = {form: family[0] for family in _FAMILIES for form in family[1:]}
"""The plain word for each of its irregular forms: `build` for `built`."""
IRREGULAR: Mapping[str, tuple[str, ...]] = {family[0]: family[1:] for family in _FAMILIES}
"""The irregular forms of each plain word."""
