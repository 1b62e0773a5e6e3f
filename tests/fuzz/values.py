"""Values and bytes that are not what a file should hold."""

import random
import struct

ODD_SQL = (
    "NULL", "''", "' '", "'high'", "'2026-13-45T99:99:99Z'", "'99999-01-01'", "'-1'", "0", "-1",
    "9223372036854775807", "-9223372036854775808", "9007199254740993", "1e308", "1e999", "-1e999",
    "0.1", "x''", "x'00ff10'", "CAST(x'ffFE41' AS TEXT)", "CAST(x'eda080' AS TEXT)",
    "CAST(x'610062' AS TEXT)", "char(0)", "char(8238) || 'abc'", "'[' || char(10)", "'{'", "'[]'",
    "'{}'", "'null'", "'1'", "'\"a\"'", "'[1,null,{\"a\":[]}]'", "'{\"entity\":7}'",
    "replace(hex(zeroblob(20000)), '0', '[')", "replace(hex(zeroblob(50000)), '0', 'long ')",
    "randomblob(7)", "randomblob(400)", "zeroblob(1600)", "'archived'", "'deleted'", "'constraint'",
    "'pending'", "'create_entity'", "'default'", "'rival'", "'1e5'", "'inf'", "'nan'",
    "'Tide API'", "'e-tide'", "'v-seven'", "'a-tide'", "julianday('now')", "1e-320",
    "'<b>&amp;</b>'", "'%s%n{0}'", "char(55296)", "char(1114111)", "char(65279)",
)
ODD_JSON = (
    None, "", " ", "high", 0, -1, 1.5, 10**30, -(2**63), 2**63, 1e308, True, False, [], {}, [[]],
    [None], {"text": None}, "\ud800", "\u202eabc", "a\0b", "x" * 70_000, ["x"] * 300, "\n",
    {"content": {"a": [1, {"b": None}]}}, "2026-13-45", 253402300800000, "entity", "relation",
    "👩‍👩‍👧‍👦", "İ", "ß", "ﬁ", "A\u030a", "Ａ", float("inf"), float("nan"),
)


def harm_bytes(data: bytes, chance: random.Random) -> bytes:
    """The bytes, with something overwritten, cut, doubled or put in."""
    if not data:
        return data
    body = bytearray(data)
    kind = chance.randrange(7)
    at = chance.randrange(len(body))
    if kind == 0:
        for _ in range(chance.choice((1, 1, 3, 20, 200))):
            body[chance.randrange(len(body))] = chance.randrange(256)
    elif kind == 1:
        del body[at:]
    elif kind == 2:
        body[at:at + chance.choice((1, 100, 4096))] = b""
    elif kind == 3:
        body[at:at] = body[at // 2:at // 2 + chance.choice((1, 7, 4096))]
    elif kind == 4:
        size = chance.choice((1, 16, 512, 4096))
        body[at:at + size] = chance.choice((b"\0", b"\xff", b"[", b"{")) * size
    elif kind == 5:
        body[at:at + 8] = struct.pack(">q", chance.choice((-1, 0, 2**63 - 1, 2**31, 1)))
    else:
        body[at:at] = chance.randbytes(chance.choice((1, 16, 5000)))
    return bytes(body)


def harm_database(data: bytes, chance: random.Random) -> bytes:
    """The pages of a database, with a field of its head or of one page, or a page, changed."""
    body = bytearray(data)
    pages = max(len(body) // 4096, 1)
    page = chance.randrange(pages) * 4096
    kind = chance.randrange(7)
    if kind == 0:
        at = chance.choice((16, 18, 19, 20, 21, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 68, 92,
                            96))
        body[at:at + 4] = struct.pack(">I", chance.choice((0, 1, 2, 3, 4, 512, 65536, 2**32 - 1)))
    elif kind == 1:
        other = chance.randrange(pages) * 4096
        body[page:page + 4096], body[other:other + 4096] = (
            body[other:other + 4096], body[page:page + 4096])
    elif kind == 2:
        body[page:page + 4096] = bytes(4096)
    elif kind == 3:  # the head of a page: its kind, free blocks, number of cells
        at = (100 if page == 0 else page) + chance.randrange(12)
        body[at:at + 1] = bytes((chance.choice((0, 1, 2, 5, 10, 13, 255, chance.randrange(256))),))
    elif kind == 4:  # where the cells of a page are
        at = (100 if page == 0 else page) + 8 + 2 * chance.randrange(20)
        body[at:at + 2] = chance.randbytes(2)
    elif kind == 5:
        for _ in range(chance.choice((1, 4, 30))):
            body[min(page + chance.randrange(4096), len(body) - 1)] ^= 1 << chance.randrange(8)
    else:
        return harm_bytes(data, chance)
    return bytes(body)
