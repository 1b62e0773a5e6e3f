"""Says how many there are of something."""


def counted(number: int, words: str, many: str = "") -> str:
    """`1 memory`, `3 values confirmed`: the first word is the noun, unless `many` says it all."""
    if number != 1 and many:
        return f"{number:,} {many}"
    noun, _, rest = words.partition(" ")
    if number != 1:
        noun = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{number:,} {noun} {rest}".rstrip()
