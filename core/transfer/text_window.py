"""Holds the part of a long text that is being read."""

from collections.abc import Iterable, Iterator


class Window:
    """A text that is read on as far as is asked for, and forgotten up to where it is done.

    Attributes:
        text: what is held of it.
        ended: nothing comes behind what is held.
    """

    def __init__(self, parts: Iterable[str]) -> None:
        self._parts = iter(parts)
        self.text, self.ended = "", False
        self.more()

    def more(self) -> bool:
        """Read on, at least as much again as is held; False where nothing comes."""
        held, wanted = [self.text], max(len(self.text), 1)
        for part in self._parts:
            held.append(part)
            wanted -= len(part)
            if wanted <= 0:
                break
        else:
            self.ended = True
        before, self.text = len(self.text), "".join(held)
        return len(self.text) > before

    def reach(self, length: int) -> None:
        """Read on until so many characters are held, or all that are left."""
        while len(self.text) < length and self.more():
            pass

    def forget(self, place: int) -> None:
        """Hold only what begins there."""
        self.text = self.text[place:]

    def lines(self) -> Iterator[str]:
        """The lines of all that is left, with their ends. Only line feeds part them: U+2028 and
        its kin may stand inside a JSON text.
        """
        done = 0
        while True:
            end = self.text.find("\n", done) + 1
            if end:
                yield self.text[done:end]
                done = end
                continue
            self.forget(done)
            done = 0
            if not self.more():
                break
        if self.text:
            yield self._last()

    def _last(self) -> str:
        """What is left, which is not held any more: it may be very long."""
        line, self.text = self.text, ""
        return line
