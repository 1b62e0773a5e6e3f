"""Pairs of names: 60 that stand for one thing, in six kinds, and 60 that only look alike.

Written before the rules that tell them apart were tuned. Every other pair is kept aside: the rules
were tuned on the first half (`TUNED`) and are judged by the second (`ASIDE`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.health.name_matching import Named


@dataclass(frozen=True, slots=True)
class Pair:
    """Two entities.

    Attributes:
        kind: how the names differ, or what makes them look alike.
        alias: another name that the first one has.
        shared: how many neighbours both are linked with, of five each.
        linked: they are linked with each other.
    """

    kind: str
    one: str
    other: str
    entity_type: str
    other_type: str = ""
    alias: str = ""
    shared: int = 0
    linked: bool = False


def _pairs(
    kind: str, entity_type: str, *names: tuple[str, str], shared: int = 0, linked: bool = False
) -> list[Pair]:
    return [Pair(kind, one, other, entity_type, shared=shared, linked=linked)
            for one, other in names]


TRUE = (
    *_pairs("punctuation", "project", ("Harbor Ledger", "harbor-ledger"),
            ("NightFerry", "Night Ferry"), ("tide_api", "Tide API"), ("Mobile App!", "mobile app"),
            ("user.profile.service", "User Profile Service")),
    *_pairs("punctuation", "tool", ("Node.js", "NodeJS"), ("pre-commit", "precommit"),
            ("**Playwright**", "playwright"), ("vs code", "VSCode"),
            ("Docker-Compose:", "docker compose")),
    *(Pair("other name", one, other, kind, alias=alias) for one, other, kind, alias in (
        ("Kubernetes", "k8s", "tool", "K8s"), ("Ines Duarte", "the boss", "person", "The Boss"),
        ("PostgreSQL", "Postgres", "tool", "postgres"),
        ("JavaScript", "JS", "tool", "js"), ("Robert Hale", "Bobby", "person", "Bobby"),
        ("Amazon Web Services", "AWS", "organization", "aws"),
        ("billing service", "invoicer", "system", "Invoicer"),
        ("Old Town Library", "the reading room", "place", "The Reading-Room"),
        ("TypeScript", "TS", "tool", "ts"), ("quarterly review", "QBR", "event", "qbr"))),
    *_pairs("words", "project", ("Ledger Harbor Rewrite", "Harbor Ledger rewrite"),
            ("The Garden Planner", "Garden Planner"), ("invoice's archive", "invoice archive"),
            ("migration of users", "the migration of users"),
            ("Search Index Rebuild", "Rebuild Search Index")),
    *_pairs("words", "person", ("Duarte, Marta", "Marta Duarte"), ("Okafor Chidi", "Chidi Okafor"),
            ("Solvang, Henrik", "Henrik Solvang")),
    *_pairs("words", "system", ("cache layer redis", "Redis Cache Layer"),
            ("a message broker", "message broker")),
    *_pairs("spelling", "project", ("Constellation Explorer", "Constelation Explorer"),
            ("Lighthouse Survey", "Lighthosue Survey"),
            ("Recommendation Engine", "Recomendation Engine"),
            ("accommodation finder", "accomodation finder")),
    *_pairs("spelling", "tool", ("Elasticsearch", "Elastcsearch"), ("Prometheus", "Promethues"),
            ("Terraform", "Terrafrom")),
    *_pairs("spelling", "person", ("Katarzyna Nowak", "Katarzina Nowak"),
            ("Christopher Lund", "Cristopher Lund"), ("Alejandro Ruiz", "Alejandor Ruiz")),
    *_pairs("accents", "person", ("José Álvarez", "Jose Alvarez"), ("Zoë Brandt", "Zoe Brandt"),
            ("Søren Dahl", "So\u0308ren Dahl"), ("François Petit", "Francois Petit"),
            ("Jürgen Weiß", "Jurgen Weiß")),
    *_pairs("accents", "place", ("Café Mocca", "Cafe Mocca"), ("São Tomé", "Sao Tome"),
            ("Ｔｏｋｙｏ office", "Tokyo office"), ("Kraków depot", "Krakow depot"),
            ("Malmö yard", "Malmo yard")),
    *_pairs("short form", "project", ("Orchard", "Orchard Inventory"), ("Beacon", "Beacon Alerts"),
            ("CRM", "Customer Record Manager"), ("Falcon", "Falcon Deployer"),
            ("DWH", "Data Ware House"),
            shared=4),
    *_pairs("short form", "person", ("Petra", "Petra Lindqvist"), ("Yusuf", "Yusuf Demir"),
            ("Dr. Osei", "Dr. Kwame Osei"), shared=4),
    *_pairs("short form", "system", ("settlement", "settlement job"), ("gateway", "gateway proxy"),
            shared=5),
)
ALIKE = (
    *_pairs("number", "system", ("node-1", "node-2"), ("Postgres 14", "Postgres 15"),
            ("release 1.2", "release 12"), ("sprint 2026-03", "sprint 2026-30"), ("web01", "web10"),
            ("Python 2", "Python 3"), ("v1.10", "v11.0"), ("shard 3 of 4", "shard 4 of 3")),
    *_pairs("number", "project", ("Phase I", "Phase II"), ("Apollo 11", "Apollo 13")),
    *_pairs("sign", "tool", ("C", "C++"), ("Objective C", "Objective C++"), ("F", "F#"),
            (".env", "env"), ("Q", "Q#")),
    *_pairs("order", "project", ("Berlin to Munich", "Munich to Berlin"),
            ("import before export", "export before import"), ("front of house", "house of front")),
    *_pairs("near word", "system", ("staging-eu", "staging-us"),
            ("inbound queue", "outbound queue"),
            ("frontend build", "backend build"), ("user service", "uses service"),
            ("publisher", "published"), ("billing worker", "filling worker"),
            ("upload service", "unload service"), ("encoder", "encode"),
            ("read replica", "road replica"),
            ("prod database", "prof database")),
    *_pairs("near word", "project", ("Silver Lake", "Silver Lane"), ("North Tower", "South Tower"),
            ("Mars Rover", "Mars River"), ("Winter Plan", "Winter Plane"),
            ("Green Field", "Green Fields"),
            ("Red Harbor", "Rod Harbor"), ("Stone Bridge", "Stove Bridge")),
    *_pairs("person", "person", ("Anna Meyer", "Anne Meyer"), ("Jon Berg", "Joan Berg"),
            ("Maria Silva", "Mario Silva"), ("Daniel Kim", "Daniela Kim"),
            ("Olaf Berg", "Olga Berg"),
            ("Mark Olsen", "Mary Olsen"), ("Karin Holm", "Karen Holm"), ("Erik Sand", "Erika Sand"),
            ("Paul Winter", "Paula Winter"), ("Marek Novak", "Mirek Novak")),
    *_pairs("part", "project", ("Atlas", "Atlas API"), ("Mercury", "Mercury Docs"),
            ("Nimbus", "Nimbus Mobile"), shared=4, linked=True),
    *_pairs("part", "system", ("Search", "Search Console"), ("Ledger", "Ledger Archive"),
            ("Vault", "Vault Backup"), ("Billing", "Billing Portal"), shared=1),
    *(Pair("other thing", one, other, kind, other_type) for one, other, kind, other_type in (
        ("Mercury Bay", "Bay Mercury", "place", "project"),
        ("Jordan River", "River Jordan", "place", "person"),
        ("Jupiterr", "Jupiter", "tool", "place"), ("Phoenixx", "Phoenix", "project", "place"),
        ("Amazonas", "Amazona", "place", "organization"), ("Oracles", "Oracle", "person", "tool"),
        ("SQL", "Standard Query Library", "tool", "organization"),
        ("Chris", "Chris Boat", "person", "artifact"))),
)
TUNED, ASIDE = "tuned", "aside"


def half(pairs: Sequence[Pair], which: str) -> list[Pair]:
    """Every other pair: those that the rules were tuned on, or those kept aside."""
    return list(pairs[0 if which == TUNED else 1::2])


def entities(pairs: Sequence[Pair]) -> list[Named]:
    """All entities of the pairs; the two of pair n are `n.a` and `n.b`."""
    return [one for number, pair in enumerate(pairs) for one in (
        Named(f"{number}.a", pair.one, pair.entity_type, (pair.alias,) if pair.alias else (), (2,)),
        Named(f"{number}.b", pair.other, pair.other_type or pair.entity_type, (), (1,)))]


def neighbours(pairs: Sequence[Pair]) -> dict[str, set[str]]:
    """What each entity is linked with."""
    near: dict[str, set[str]] = {}
    for number, pair in enumerate(pairs):
        common = {f"{number}.{shared}" for shared in range(pair.shared)}
        for side, other in ("ab", "ba"):
            own = {f"{number}.{side}{rest}" for rest in range(5 - pair.shared)}
            near[f"{number}.{side}"] = common | own | ({f"{number}.{other}"} if pair.linked
                                                       else set())
    return near


def true_ids(pairs: Sequence[Pair], true: Sequence[Pair]) -> Iterator[frozenset[str]]:
    """The ids of the pairs that stand for one thing."""
    known = set(map(id, true))
    for number, pair in enumerate(pairs):
        if id(pair) in known:
            yield frozenset((f"{number}.a", f"{number}.b"))
