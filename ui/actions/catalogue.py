"""The action catalogue: menus, keys, palette and key sheet are made from it."""

from ui.actions import (
    activity,
    app,
    claim_history,
    claims,
    edit,
    entities,
    file,
    inspector,
    maintenance,
    mutes,
    navigation,
    operation_forms,
    pins,
    proposals,
    sky,
    view,
)
from ui.actions.registry import Action

ACTIONS: tuple[Action, ...] = (
    *file.ACTIONS, *edit.ACTIONS, *view.ACTIONS, *sky.ACTIONS, *navigation.ACTIONS, *pins.ACTIONS,
    *mutes.ACTIONS, *entities.ACTIONS, *claims.ACTIONS, *proposals.ACTIONS,
    *claim_history.ACTIONS, *inspector.ACTIONS, *activity.ACTIONS,
    *operation_forms.ACTIONS, *maintenance.ACTIONS, *app.ACTIONS,
)
