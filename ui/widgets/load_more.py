"""The end of a list that is read page by page: how many of how many, and the way to the next."""

from ui.widgets.buttons import KeyButton


class MoreButton(KeyButton):
    """`400 of 602 · show the next 202`, with its key; hidden where nothing is left."""

    def __init__(self, key: str) -> None:
        super().__init__("", key)
        self.hide()

    def show_rest(self, shown: int, total: int, page: int) -> None:
        """Say how many are shown of all, and offer the next page."""
        rest = total - shown
        self.setVisible(rest > 0)
        if rest > 0:
            self.set_words(f"{shown:,} of {total:,} · show the next {min(page, rest):,}")


def more_words(next_ones: int, rest: int) -> str:
    """What the last row of a list offers: `8 more of 40`, or `3 more` where these are all."""
    return f"{next_ones:,} more of {rest:,}" if next_ones < rest else f"{rest:,} more"
