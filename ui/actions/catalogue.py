"""The action catalogue: menus, keys, palette and key sheet are made from it."""

from ui.actions import (
    app,
    claims,
    edit,
    entities,
    file,
    mutes,
    navigation,
    operations,
    pins,
    view,
)
from ui.actions.registry import Action

ACTIONS: tuple[Action, ...] = (
    *file.ACTIONS, *edit.ACTIONS, *view.ACTIONS, *navigation.ACTIONS, *pins.ACTIONS,
    *mutes.ACTIONS, *entities.ACTIONS, *claims.ACTIONS, *operations.ACTIONS, *app.ACTIONS,
)
