"""The hash that a memory's text is found by when it comes again."""

SHORT = 24
"""Signs of the hash that an import keeps: 96 bits tell any number of texts apart."""


def short_hash(digest: str) -> str:
    """The beginning of a full hash (sha256 as hexadecimal), as imported memories have it."""
    return digest[:SHORT]
