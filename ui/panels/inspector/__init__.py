"""Everything that is known about the selected entity."""
