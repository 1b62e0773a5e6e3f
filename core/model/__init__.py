"""The graph's nouns as frozen dataclasses, with their closed word lists."""
