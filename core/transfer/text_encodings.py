"""Tells how the bytes of a text file are encoded, and reads them."""

import codecs
import os
import re
from collections.abc import Callable, Iterator
from typing import BinaryIO

PART = 1_000_000
"""Bytes of a file that are read together."""
_BEGINNING = 65_536
"""Characters by which one knows what a text is."""

_MARKS = (
    (b"\xff\xfe\0\0", "utf-32-le"), (b"\0\0\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"),
)
"""Byte order marks, the longer first."""
_ZEROS = {"x000": "utf-32-le", "000x": "utf-32-be", "x0": "utf-16-le", "0x": "utf-16-be"}
"""Where zero bytes stand among the first, in a file without a mark."""
_NAMES = {"utf-32-le": "UTF-32", "utf-32-be": "UTF-32", "utf-16-le": "UTF-16",
          "utf-16-be": "UTF-16"}
_LETTER = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
"""A letter of several bytes, as UTF-8 writes it; in Latin-1 hardly ever two such signs meet."""

WESTERN = "Latin-1 (Windows-1252)"


def decoded(raw: bytes, complain: Callable[[int, str], None]) -> tuple[str, str]:
    """The text of a file and the name of its encoding, empty for UTF-8.

    Lines that are neither UTF-8 nor part of a Latin-1 file are complained of, with their number.
    """
    wide = _wide(raw)
    if wide:
        return raw.decode(wide, "replace"), _NAMES[wide]
    try:
        return raw.decode("utf-8"), ""
    except UnicodeDecodeError as error:
        cut = error.reason == "unexpected end of data"
    if not cut and not _LETTER.search(raw):
        return raw.decode("cp1252", "replace"), WESTERN
    for number, line in enumerate(raw.split(b"\n"), 1):
        try:
            line.decode("utf-8")
        except UnicodeDecodeError:
            complain(number, "contains bytes that are not UTF-8, shown as \ufffd")
    return raw.decode("utf-8", "replace"), ""


def _wide(raw: bytes) -> str:
    """The encoding of two or four bytes a letter that the file begins in, empty for none."""
    for mark, name in _MARKS:
        if raw.startswith(mark):
            return name
    zeros = "".join("0" if byte == 0 else "x" for byte in raw[:4])
    return _ZEROS.get(zeros) or _ZEROS.get(zeros[:2], "")


class TextParts:
    """The text of a file, a part at a time, so that a long one does not fill the memory.

    Attributes:
        encoding: the name of its encoding, empty for UTF-8.
        share: the share of the file that was read, 0 to 1.
    """

    def __init__(self, stream: BinaryIO, complain: Callable[[int, str], None]) -> None:
        """Looks at all of it, to know its encoding.

        Args:
            stream: a file that is open and can be read twice.
            complain: hears of lines as in `decoded`.
        """
        self._stream, self.share = stream, 0.0
        self._size = max(stream.seek(0, os.SEEK_END), 1)
        stream.seek(0)
        wide = _wide(stream.read(4))
        self.encoding, self._whole = _NAMES.get(wide, ""), ""
        self._decoder = wide or "utf-8"
        if not wide and not self._is_utf8():
            stream.seek(0)
            self._whole, self.encoding = decoded(stream.read(), complain)

    def _is_utf8(self) -> bool:
        decoder = codecs.getincrementaldecoder("utf-8")()
        self._stream.seek(0)
        try:
            while raw := self._stream.read(PART):
                decoder.decode(raw)
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            return False
        return True

    def beginning(self) -> str:
        """What it begins with: some lines, by which one knows what it is."""
        begin = ""
        for part in self:
            begin += part
            if len(begin) >= _BEGINNING:
                break
        return begin

    def __iter__(self) -> Iterator[str]:
        if self._whole:
            yield self._whole
            return
        decoder = codecs.getincrementaldecoder(self._decoder)("replace")
        self._stream.seek(0)
        while raw := self._stream.read(PART):
            self.share = self._stream.tell() / self._size
            yield decoder.decode(raw)
        yield decoder.decode(b"", final=True)
