-- What a graph is known by, so that what is kept beside it is never taken for another file's.
CREATE TABLE graph_identity (id TEXT PRIMARY KEY) WITHOUT ROWID;
INSERT INTO graph_identity VALUES (lower(hex(randomblob(16))));
