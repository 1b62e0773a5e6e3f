-- A name is known without the signs of it that are not seen. Where another entity has that name
-- already, the second one keeps its spelling until a person merges the two.
UPDATE OR IGNORE entities SET canonical_name = name_key(canonical_name)
WHERE canonical_name GLOB '*[^ -~]*' AND canonical_name <> name_key(canonical_name);
UPDATE OR IGNORE entity_aspects SET canonical_name = name_key(canonical_name)
WHERE canonical_name GLOB '*[^ -~]*' AND canonical_name <> name_key(canonical_name);
UPDATE OR IGNORE entity_aliases SET canonical_alias = name_key(canonical_alias)
WHERE canonical_alias GLOB '*[^ -~]*' AND canonical_alias <> name_key(canonical_alias);
