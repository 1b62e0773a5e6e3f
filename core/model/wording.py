"""Fits text into a line, and says how many there are of something."""


def clip(text: str, limit: int, mark: str = "…") -> str:
    """The beginning of a text of more than `limit` characters, `mark` at its end included."""
    return text if len(text) <= limit else text[:limit - len(mark)].rstrip() + mark


def one_line(text: str, limit: int = 300, mark: str = "…") -> str:
    """The beginning of a text with each run of white space one space."""
    return clip(" ".join(text[:limit * 4].split()), limit, mark)
