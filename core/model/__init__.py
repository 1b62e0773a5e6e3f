"""The graph's nouns as frozen structs, with their closed word lists."""
