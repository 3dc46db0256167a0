-- Copyright The MemoryTrust Authors.
-- SPDX-License-Identifier: Apache-2.0

-- Where words came from: sessions that users opened, what users said, and what the agent met elsewhere.

-- Sessions that an authenticated user channel opened.
CREATE TABLE sessions (
  namespace TEXT NOT NULL,
  id        TEXT NOT NULL,
  channel   TEXT NOT NULL,
  principal TEXT NOT NULL,
  opened_at INTEGER NOT NULL,
  tag       BLOB NOT NULL,
  PRIMARY KEY (namespace, id)
) STRICT, WITHOUT ROWID;

-- What users said. A content goes when its time is over or another turn of its session comes; the ids stay longer, so that
-- none is used twice.
CREATE TABLE turns (
  n         INTEGER PRIMARY KEY,
  namespace TEXT NOT NULL,
  session   TEXT NOT NULL,
  id        TEXT NOT NULL,
  channel   TEXT NOT NULL, -- empty: reported on the agent's port
  principal TEXT NOT NULL,
  at        INTEGER NOT NULL,
  tag       BLOB NOT NULL,
  content   TEXT
) STRICT;
CREATE UNIQUE INDEX turns_once ON turns (namespace, channel, principal, id);
CREATE INDEX turns_of ON turns (namespace, session, (channel <> ''), n);
CREATE INDEX turns_age ON turns (at);
CREATE INDEX turns_kept ON turns (at) WHERE content IS NOT NULL;

-- Which classes were delivered outside of sessions that a user channel opened, and when last.
CREATE TABLE delivered_unbound (
  namespace TEXT NOT NULL,
  class     TEXT NOT NULL,
  last_at   INTEGER NOT NULL,
  PRIMARY KEY (namespace, class)
) STRICT, WITHOUT ROWID;
INSERT INTO delivered_unbound SELECT namespace, class, last_at FROM delivered WHERE session = '';
-- What set the mark of a session that nobody opened was delivered to any session.
CREATE INDEX deliveries_when ON deliveries (namespace, at);

-- Texts that reached the agent or were kept from it, to be recognized in later ones.
CREATE TABLE traces (
  n         INTEGER PRIMARY KEY,
  namespace INTEGER NOT NULL REFERENCES namespaces (id),
  id        TEXT NOT NULL, -- of the record, or of the observation
  record    INTEGER NOT NULL,
  session   TEXT NOT NULL,
  class     TEXT NOT NULL,
  source    TEXT NOT NULL,
  at        INTEGER NOT NULL,
  features  BLOB NOT NULL -- what there is of it in features, eight bytes each
) STRICT;
CREATE UNIQUE INDEX traces_of ON traces (namespace, id);
CREATE INDEX traces_age ON traces (at) WHERE record = 0;

-- Hashes of the parts of those texts. The rank of the class comes before the trace, so that a feature which many texts share
-- leads to those of the lowest class first.
CREATE TABLE features (
  namespace INTEGER NOT NULL,
  feature   INTEGER NOT NULL,
  rank      INTEGER NOT NULL, -- 0 is the lowest class
  trace     INTEGER NOT NULL,
  PRIMARY KEY (namespace, feature, rank, trace)
) STRICT, WITHOUT ROWID;

-- Records signed by a key, and those of a source or principal.
CREATE INDEX records_sources ON records (namespace, source, id);
CREATE INDEX records_principals ON records (namespace, principal, id) WHERE principal <> '';
