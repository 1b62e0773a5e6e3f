"""The hash that a memory's text is found by when it comes again."""

import base64

_BYTES = 12
"""Bytes of the hash that an import keeps: 96 bits tell any number of texts apart."""


def short_hash(digest: str) -> str:
    """A full hash (sha256 as hexadecimal) as imported memories have it; a short one as it is."""
    if len(digest) != 64:
        return digest
    return base64.urlsafe_b64encode(bytes.fromhex(digest)[:_BYTES]).decode()
