"""Windows over the window: palette, key sheet, permission, about, agent switch."""
