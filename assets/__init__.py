"""Themes, stylesheet, icons and the demo graph; read through `importlib.resources`."""
