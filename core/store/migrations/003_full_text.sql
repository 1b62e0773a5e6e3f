-- Full text over names, facts and memories, kept by triggers.
CREATE VIRTUAL TABLE entities_fts USING fts5(
    name, canonical_name, content='entities', content_rowid='seq',
    tokenize='unicode61 remove_diacritics 2', prefix='2 3');
CREATE TRIGGER entities_fts_ai AFTER INSERT ON entities BEGIN
    INSERT INTO entities_fts(rowid, name, canonical_name)
    VALUES (new.seq, new.name, new.canonical_name);
END;
CREATE TRIGGER entities_fts_ad AFTER DELETE ON entities BEGIN
    INSERT INTO entities_fts(entities_fts, rowid, name, canonical_name)
    VALUES ('delete', old.seq, old.name, old.canonical_name);
END;
CREATE TRIGGER entities_fts_au AFTER UPDATE OF seq, name, canonical_name ON entities BEGIN
    INSERT INTO entities_fts(entities_fts, rowid, name, canonical_name)
    VALUES ('delete', old.seq, old.name, old.canonical_name);
    INSERT INTO entities_fts(rowid, name, canonical_name)
    VALUES (new.seq, new.name, new.canonical_name);
END;

CREATE VIRTUAL TABLE attributes_fts USING fts5(
    content, content='entity_attributes', content_rowid='seq',
    tokenize='unicode61 remove_diacritics 2', prefix='2 3');
CREATE TRIGGER attributes_fts_ai AFTER INSERT ON entity_attributes BEGIN
    INSERT INTO attributes_fts(rowid, content) VALUES (new.seq, new.content);
END;
CREATE TRIGGER attributes_fts_ad AFTER DELETE ON entity_attributes BEGIN
    INSERT INTO attributes_fts(attributes_fts, rowid, content)
    VALUES ('delete', old.seq, old.content);
END;
CREATE TRIGGER attributes_fts_au AFTER UPDATE OF seq, content ON entity_attributes BEGIN
    INSERT INTO attributes_fts(attributes_fts, rowid, content)
    VALUES ('delete', old.seq, old.content);
    INSERT INTO attributes_fts(rowid, content) VALUES (new.seq, new.content);
END;

CREATE VIRTUAL TABLE memories_fts USING fts5(
    content, content='memories', content_rowid='seq', tokenize='unicode61 remove_diacritics 2');
CREATE TRIGGER memories_ai AFTER INSERT ON memories BEGIN
    INSERT INTO memories_fts(rowid, content) VALUES (new.seq, new.content);
END;
CREATE TRIGGER memories_ad AFTER DELETE ON memories BEGIN
    INSERT INTO memories_fts(memories_fts, rowid, content)
    VALUES ('delete', old.seq, old.content);
END;
CREATE TRIGGER memories_au AFTER UPDATE OF seq, content ON memories BEGIN
    INSERT INTO memories_fts(memories_fts, rowid, content)
    VALUES ('delete', old.seq, old.content);
    INSERT INTO memories_fts(rowid, content) VALUES (new.seq, new.content);
END;
