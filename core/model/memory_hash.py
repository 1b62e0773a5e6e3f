"""The hash that a memory's text is found by when it comes again."""

import base64
import hashlib

_BYTES = 12
"""Bytes of the hash that an import keeps: 96 bits tell any number of texts apart."""


def digest_of(key: str) -> bytes:
    """The bytes of the full hash of a text in canonical form."""
    return hashlib.sha256(key.encode()).digest()


def short_hash(digest: str) -> str:
    """A full hash (sha256 as hexadecimal) as imported memories have it; a short one as it is."""
    return digest if len(digest) != 64 else short_of(bytes.fromhex(digest))


def short_of(digest: bytes) -> str:
    """The same of the bytes of a full hash."""
    return base64.urlsafe_b64encode(digest[:_BYTES]).decode()
