"""The merge wizard's last page: the sky with the merge drawn in, and what it changes."""

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from core.constellation.merge_ghosts import with_merge
from core.expectations.forecast import Forecast
from core.review.effects import Effect
from core.review.merge_conflicts import MergePlan
from ui.constellation.neighborhood_camera import surroundings
from ui.constellation.view import SkyView
from ui.context import Context
from ui.widgets.expectation_forecast_lines import put_forecast
from ui.widgets.labels import label
from ui.widgets.layouts import put, row_layout
from ui.widgets.lines_of_text import signed_line
from ui.widgets.scroll_column import ScrollColumn

SIGNS = {"+": "good", "−": "bad", "~": "soft"}


class ResultPage(QWidget):
    """A sky of its own, so that the window's stays where it is."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self.sky = SkyView(context.theme, reduced_motion=True)
        self.sky.bare = True
        self.sky.setMinimumSize(300, 200)
        self.lines = ScrollColumn("What the merge changes", margins=(12, 4, 4, 4))
        put(row_layout(self, (0, 0, 0, 0), 8), (self.sky, 3), (self.lines, 2))

    def show_sky(self, plan: MergePlan) -> None:
        """The window's sky as it is, with the merge drawn as a proposal is."""
        window = self._context.shell.sky()
        with self.lines.filling() as column:
            column.addWidget(label("Trying it…", "soft"))
        self.sky.setVisible(isinstance(window, SkyView))
        if isinstance(window, SkyView):
            self.sky.set_scene(with_merge(
                window.scene, plan.target.id, [one.id for one in plan.sources]))
            self.sky.look_at(surroundings(
                window.scene, plan.target.id, self.sky.width(), self.sky.height()))

    def show_effects(
        self, effects: Sequence[Effect], warnings: Sequence[str], forecast: Forecast | None = None
    ) -> None:
        """What it changes; what it does to the expectations once that is known."""
        with self.lines.filling() as column:
            for warning in warnings:
                column.addWidget(signed_line("⚠", "proposal", warning))
            for effect in effects:
                column.addWidget(signed_line(effect.sign, SIGNS[effect.sign], effect.text))
            put_forecast(column, forecast)
