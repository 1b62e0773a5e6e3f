"""The native schema's numbered steps, never edited once released."""
