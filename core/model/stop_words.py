"""The English words that nearly every text holds, and what some readers leave out besides.

Words of other languages are weighed by how many memories hold them. Two lists are not here,
because the seeds fix them word by word: the names that the quality gate refuses
(`ingest/quality`), and the words of change and negation (`learning/contradiction`).
"""

_STOP_WORDS = """
a about above after again against all also am an and any are as at be because been before
being below between both but by can could d did do does doing don down during each few for
from further get had has have having he her here hers herself him himself his how i if in into
is isn it its itself just like ll m me more most my myself no nor not now of off on once only or
other our ours ourselves out over own please re s same she should so some such t tell than that
the their theirs them themselves then there these they this those through to too under until up
us ve very was wasn we were what when where which while who whom whose why will with would you
your yours yourself yourselves"""
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
