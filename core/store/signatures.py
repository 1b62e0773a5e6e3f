"""Tells what a file is by its first bytes, where it is neither a database nor text."""

from core.errors import OpenError

_PACKED = {
    b"\x1f\x8b": ("gzip", "gunzip"), b"PK\x03\x04": ("zip", "unzip"),
    b"BZh": ("bzip2", "bunzip2"), b"\xfd7zXZ\x00": ("xz", "unxz"),
    b"\x28\xb5\x2f\xfd": ("zstd", "unzstd"), b"7z\xbc\xaf\x27\x1c": ("7-Zip", "7z x"),
}
"""What a packed file begins with: what packed it, and the command that unpacks it."""
_OTHERS = {
    b"\x89PNG\r\n\x1a\n": "a PNG picture", b"\xff\xd8\xff": "a JPEG picture",
    b"GIF8": "a GIF picture", b"%PDF-": "a PDF document", b"\x7fELF": "a program",
}


def other_file(head: bytes, where: str) -> OpenError | None:
    """That the file is packed, or a picture or the like; None for what is none of these.

    Args:
        head: the first bytes of the file, 16 at least.
    """
    for start, (name, command) in _PACKED.items():
        if head.startswith(start):
            return OpenError("foreign", f"The file is packed with {name}", where=where,
                             do=f"Unpack it first, such as with “{command} FILE”")
    for start, what in _OTHERS.items():
        if head.startswith(start):
            return OpenError("foreign", f"This is {what}", where=where,
                             do="Choose a graph, a Signet database or an MCP memory file")
    return None
