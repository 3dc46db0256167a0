-- Copyright The MemoryTrust Authors.
-- SPDX-License-Identifier: Apache-2.0

-- Times are microseconds since 1970, UTC; lists are JSON arrays; NULL stands for "none".

-- The newest version of every record, forgotten ones as well.
CREATE TABLE records (
  rid         INTEGER PRIMARY KEY,
  id          TEXT NOT NULL UNIQUE,
  namespace   TEXT NOT NULL,
  seq         INTEGER NOT NULL,
  branch      TEXT NOT NULL,
  zone        TEXT NOT NULL,
  state       TEXT NOT NULL,
  approved_by TEXT NOT NULL,
  expiry      INTEGER,
  class       TEXT NOT NULL,
  source      TEXT NOT NULL,
  channel     TEXT NOT NULL,
  principal   TEXT NOT NULL,
  parents     TEXT,
  kind        TEXT NOT NULL,
  tags        TEXT,
  session     TEXT NOT NULL,
  directive   INTEGER NOT NULL,
  reasons     TEXT,
  capped_by   TEXT,
  tag         BLOB,
  created_at  INTEGER NOT NULL,
  updated_at  INTEGER NOT NULL,
  content     TEXT NOT NULL,
  signed_by   BLOB -- the prefix of the tag, which names its key; a generated column would keep the index from covering
) STRICT;

-- Answers Counts without touching rows.
CREATE INDEX records_standing ON records (namespace, zone, state, signed_by);

-- Words of live records, keyed by rid. Contentless: the index holds a text prepared for search and not the content,
-- and an entry is removed without knowing what was indexed, so that a tampered row cannot damage the index.
CREATE VIRTUAL TABLE records_fts USING fts5 (
  body, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
);

-- Every version of every record.
CREATE TABLE versions (
  seq       INTEGER PRIMARY KEY,
  record_id TEXT NOT NULL REFERENCES records (id),
  prev_seq  INTEGER NOT NULL,
  hash      BLOB NOT NULL,
  body      TEXT NOT NULL
) STRICT;
CREATE INDEX versions_of ON versions (record_id, seq);

-- Which records a record was derived from. Only ever grows.
CREATE TABLE lineage (
  child  TEXT NOT NULL REFERENCES records (id),
  parent TEXT NOT NULL,
  PRIMARY KEY (child, parent)
) STRICT, WITHOUT ROWID;
CREATE INDEX lineage_children ON lineage (parent, child);

-- The audit log: leaves and the hashes of their Merkle tree.
CREATE TABLE audit (
  seq       INTEGER PRIMARY KEY,
  record_id TEXT NOT NULL,
  leaf      BLOB NOT NULL
) STRICT;
CREATE INDEX audit_of ON audit (record_id, seq);
CREATE TABLE audit_hashes (
  idx  INTEGER PRIMARY KEY,
  hash BLOB NOT NULL
) STRICT;

-- Against mistakes of our own code; against others there is the Merkle tree.
CREATE TRIGGER versions_stay BEFORE UPDATE ON versions BEGIN SELECT RAISE(ABORT, 'versions are immutable'); END;
CREATE TRIGGER versions_kept BEFORE DELETE ON versions BEGIN SELECT RAISE(ABORT, 'versions are immutable'); END;
CREATE TRIGGER audit_stays BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
CREATE TRIGGER audit_kept BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;

-- What was shown to whom. Refers to nothing, because it outlives sessions and records.
CREATE TABLE deliveries (
  id        INTEGER PRIMARY KEY,
  session   TEXT NOT NULL,
  record_id TEXT NOT NULL,
  seq       INTEGER NOT NULL,
  class     TEXT NOT NULL,
  score     REAL NOT NULL,
  at        INTEGER NOT NULL
) STRICT;
CREATE INDEX deliveries_to ON deliveries (session, at, class);
CREATE INDEX deliveries_when ON deliveries (at, class);
CREATE INDEX deliveries_of ON deliveries (record_id, at);

-- One row that Ping rewrites to learn whether the volume still takes writes.
CREATE TABLE liveness (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  at INTEGER NOT NULL
) STRICT;
INSERT INTO liveness VALUES (1, 0);
