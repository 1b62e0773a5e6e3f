"""Rows, columns and parts side by side, each made with its margins and spacing at once."""

from collections.abc import Sequence
from typing import Any, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLayout, QSplitter, QVBoxLayout, QWidget

Margins = tuple[int, int, int, int]
"""Left, top, right, bottom, in pixels."""
Layout = TypeVar("Layout", bound=QBoxLayout)
Part = QWidget | QLayout | int | tuple[Any, ...] | None
"""A widget or layout, alone or with its share of the room and its alignment; pixels of space; None
for room that is left over."""


def row_layout(
    parent: QWidget | None = None, margins: Margins | None = None, spacing: int | None = None
) -> QHBoxLayout:
    """A row, in `parent` if one is given; the style decides what is not said."""
    return _spaced(QHBoxLayout() if parent is None else QHBoxLayout(parent), margins, spacing)


def column_layout(
    parent: QWidget | None = None, margins: Margins | None = None, spacing: int | None = None
) -> QVBoxLayout:
    """A column, in `parent` if one is given; the style decides what is not said."""
    return _spaced(QVBoxLayout() if parent is None else QVBoxLayout(parent), margins, spacing)


def _spaced(layout: Layout, margins: Margins | None, spacing: int | None) -> Layout:
    if margins is not None:
        layout.setContentsMargins(*margins)
    if spacing is not None:
        layout.setSpacing(spacing)
    return layout


def put(layout: Layout, *parts: Part) -> Layout:
    """Add parts to a row or column, in their order; returns it."""
    for part in parts:
        if part is None:
            layout.addStretch(1)
        elif isinstance(part, int):
            layout.addSpacing(part)
        else:
            thing, *room = part if isinstance(part, tuple) else (part,)
            add = layout.addLayout if isinstance(thing, QLayout) else layout.addWidget
            add(thing, *room)
    return layout


def side_by_side(
    parts: Sequence[tuple[QWidget, int]], widths: Sequence[int], shares: Sequence[int]
) -> QSplitter:
    """Parts whose borders can be dragged.

    Args:
        parts: each with its least width in pixels.
        widths: how wide they begin.
        shares: how the room of a wider panel is divided among them.
    """
    splitter = QSplitter(Qt.Orientation.Horizontal)
    splitter.setHandleWidth(1)
    splitter.setChildrenCollapsible(False)
    for at, ((part, least), share) in enumerate(zip(parts, shares, strict=True)):
        part.setMinimumWidth(least)
        splitter.addWidget(part)
        splitter.setStretchFactor(at, share)
    splitter.setSizes(widths)
    return splitter
