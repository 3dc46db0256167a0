-- Copyright The MemoryTrust Authors.
-- SPDX-License-Identifier: Apache-2.0

-- Records say more about themselves, versions form a history that can be read, and contents stand apart from it so that a
-- purge can erase them. Rows of schema 1 are copied by code (upgrade.go), which then drops the tables named …_1.
DROP INDEX records_standing;
DROP INDEX versions_of;
DROP INDEX lineage_children;
DROP INDEX deliveries_to;
DROP INDEX deliveries_when;
DROP INDEX deliveries_of;
DROP TRIGGER versions_stay;
DROP TRIGGER versions_kept;
DROP TABLE records_fts;
ALTER TABLE records RENAME TO records_1;
ALTER TABLE versions RENAME TO versions_1;
ALTER TABLE lineage RENAME TO lineage_1;
ALTER TABLE deliveries RENAME TO deliveries_1;

-- Namespaces that have records. The number stands for the name in the words of the index.
CREATE TABLE namespaces (
  id   INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
) STRICT;

-- The newest version of every record, forgotten ones as well.
CREATE TABLE records (
  rid            INTEGER PRIMARY KEY,
  id             TEXT NOT NULL UNIQUE,
  namespace      TEXT NOT NULL,
  seq            INTEGER NOT NULL,
  branch         TEXT NOT NULL,
  zone           TEXT NOT NULL,
  state          TEXT NOT NULL,
  approved_by    TEXT NOT NULL,
  expiry         INTEGER,
  class          TEXT NOT NULL,
  source         TEXT NOT NULL,
  channel        TEXT NOT NULL,
  principal      TEXT NOT NULL,
  parents        TEXT,
  kind           TEXT NOT NULL,
  tags           TEXT,
  subject        TEXT NOT NULL,
  metadata       TEXT,             -- a JSON object
  session        TEXT NOT NULL,
  erased         BLOB,
  directive      INTEGER NOT NULL,
  reasons        TEXT,
  capped_by      TEXT,
  confidence     INTEGER NOT NULL, -- per mille, as salience
  salience       INTEGER NOT NULL,
  pinned         INTEGER NOT NULL,
  supersedes     TEXT,
  folded_into    TEXT NOT NULL,
  tag            BLOB,
  commit_hash    BLOB NOT NULL,
  commit_parents BLOB,             -- hashes of 32 bytes, one after the other
  change         TEXT NOT NULL,
  actor          TEXT NOT NULL,
  reason         TEXT NOT NULL,
  created_at     INTEGER NOT NULL,
  updated_at     INTEGER NOT NULL,
  signed_by      BLOB,             -- the prefix of the tag, which names its key
  sketch         INTEGER NOT NULL, -- of the content, as a signed number
  terms          INTEGER NOT NULL, -- how many words the index holds of it
  content        TEXT NOT NULL
) STRICT;

-- Answers Counts without touching rows.
CREATE INDEX records_standing ON records (namespace, zone, state, signed_by, folded_into);
-- Listings and searches without a text.
CREATE INDEX records_in ON records (namespace, id);
CREATE INDEX records_kinds ON records (namespace, kind, id) WHERE kind <> '';
CREATE INDEX records_subjects ON records (namespace, subject, id) WHERE subject <> '';
CREATE INDEX records_folded ON records (folded_into, id) WHERE folded_into <> '';
CREATE INDEX records_pinned ON records (namespace, id) WHERE pinned = 1;
CREATE INDEX records_changed ON records (seq);
-- What one writer has waiting, soonest to expire first.
CREATE INDEX records_waiting ON records (namespace, principal, class, expiry) WHERE state = 'PendingReview' AND folded_into = '';

CREATE TABLE tags (
  tag TEXT NOT NULL,
  rid INTEGER NOT NULL REFERENCES records (rid),
  PRIMARY KEY (tag, rid)
) STRICT, WITHOUT ROWID;
CREATE INDEX tags_of ON tags (rid);

-- Words of live records, keyed by rid. Each word carries the number of its namespace and a letter for its zone, so that a
-- search meets nothing outside of them. The text that was indexed is not kept: an entry is removed by handing the same
-- text in again, made from the version it came from. What is removed is removed from the file.
CREATE VIRTUAL TABLE records_fts USING fts5 (body, content = '', columnsize = 0, detail = none, tokenize = 'ascii');
INSERT INTO records_fts (records_fts, rank) VALUES ('secure-delete', 1);

-- Every version of every record.
CREATE TABLE versions (
  seq         INTEGER PRIMARY KEY,
  record_id   TEXT NOT NULL REFERENCES records (id),
  branch      TEXT NOT NULL,
  prev_seq    INTEGER NOT NULL, -- the version before, 0 for the first
  merged_seq  INTEGER,          -- the second parent of a merge
  hash        BLOB NOT NULL,
  layout      INTEGER NOT NULL, -- of the hash: n for memcommit/vn
  change      TEXT NOT NULL,
  actor       TEXT NOT NULL,
  reason      TEXT NOT NULL,
  at          INTEGER NOT NULL,
  content_seq INTEGER NOT NULL, -- the version whose row in contents holds the content: this one or an earlier one
  indexed     TEXT NOT NULL,    -- the keys its words have in the index; empty when they are not in it
  body        TEXT NOT NULL
) STRICT;
CREATE INDEX versions_of ON versions (record_id, seq);

-- Contents of versions. A purge sets them NULL; the hash stays.
CREATE TABLE contents (
  seq       INTEGER PRIMARY KEY,
  record_id TEXT NOT NULL,
  sha256    BLOB NOT NULL,
  content   TEXT
) STRICT;

-- Which records a record was derived from. Only ever grows.
CREATE TABLE lineage (
  child  TEXT NOT NULL REFERENCES records (id),
  parent TEXT NOT NULL,
  PRIMARY KEY (child, parent)
) STRICT, WITHOUT ROWID;
CREATE INDEX lineage_children ON lineage (parent, child);

-- What was shown to whom. Refers to nothing, because it outlives sessions and records.
CREATE TABLE deliveries (
  id        INTEGER PRIMARY KEY,
  namespace TEXT NOT NULL,
  session   TEXT NOT NULL,
  record_id TEXT NOT NULL,
  seq       INTEGER NOT NULL,
  class     TEXT NOT NULL,
  score     REAL NOT NULL,
  at        INTEGER NOT NULL
) STRICT;
CREATE INDEX deliveries_to ON deliveries (namespace, session, at);
CREATE INDEX deliveries_of ON deliveries (record_id, at);
INSERT INTO deliveries (id, namespace, session, record_id, seq, class, score, at)
  SELECT d.id, coalesce(r.namespace, ''), d.session, d.record_id, d.seq, d.class, d.score, d.at
  FROM deliveries_1 d LEFT JOIN records_1 r ON r.id = d.record_id;

-- Which classes were delivered to a session, and when last; under the empty name, to any session. A write asks for them, and
-- must not have to walk through everything that was shown in the last half hour.
CREATE TABLE delivered (
  namespace TEXT NOT NULL,
  session   TEXT NOT NULL,
  class     TEXT NOT NULL,
  last_at   INTEGER NOT NULL,
  PRIMARY KEY (namespace, session, class)
) STRICT, WITHOUT ROWID;
INSERT INTO delivered SELECT namespace, session, class, max(at) FROM deliveries WHERE session <> '' GROUP BY 1, 2, 3;
INSERT INTO delivered SELECT namespace, '', class, max(at) FROM deliveries GROUP BY 1, 3;

-- How often a record was delivered, and when last.
CREATE TABLE recalls (
  record_id TEXT PRIMARY KEY,
  recalls   INTEGER NOT NULL,
  last_at   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO recalls SELECT record_id, count(*), max(at) FROM deliveries GROUP BY record_id;

-- Requests that took effect, by the name their client gave them.
CREATE TABLE idempotency (
  namespace TEXT NOT NULL,
  writer    TEXT NOT NULL,
  key       TEXT NOT NULL,
  digest    BLOB NOT NULL,
  record_id TEXT NOT NULL,
  at        INTEGER NOT NULL,
  PRIMARY KEY (namespace, writer, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_age ON idempotency (at);

-- Pairs of records that cannot both hold.
CREATE TABLE contradictions (
  id         TEXT PRIMARY KEY,
  namespace  TEXT NOT NULL,
  a          TEXT NOT NULL,
  b          TEXT NOT NULL,
  seq_a      INTEGER NOT NULL,
  seq_b      INTEGER NOT NULL,
  signs      TEXT,
  found_at   INTEGER NOT NULL,
  verdict    TEXT NOT NULL,
  decided_by TEXT NOT NULL,
  decided_at INTEGER,
  reason     TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX contradictions_pair ON contradictions (namespace, min(a, b), max(a, b));
CREATE INDEX contradictions_a ON contradictions (a);
CREATE INDEX contradictions_b ON contradictions (b);
CREATE INDEX contradictions_open ON contradictions (namespace, id) WHERE verdict = '';

-- How far tasks have come.
CREATE TABLE marks (
  name  TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Against mistakes of our own code; against others there is the Merkle tree.
CREATE TRIGGER versions_stay BEFORE UPDATE ON versions BEGIN SELECT RAISE(ABORT, 'versions are immutable'); END;
CREATE TRIGGER versions_kept BEFORE DELETE ON versions BEGIN SELECT RAISE(ABORT, 'versions are immutable'); END;
CREATE TRIGGER contents_stay BEFORE UPDATE ON contents
  WHEN NEW.content IS NOT NULL OR NEW.seq <> OLD.seq OR NEW.record_id <> OLD.record_id OR NEW.sha256 <> OLD.sha256
    OR (SELECT erased FROM records WHERE id = OLD.record_id) IS NULL
  BEGIN SELECT RAISE(ABORT, 'contents are immutable until their record is purged'); END;
CREATE TRIGGER contents_kept BEFORE DELETE ON contents BEGIN SELECT RAISE(ABORT, 'contents are immutable'); END;
