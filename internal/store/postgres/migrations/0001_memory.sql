-- Copyright The MemoryTrust Authors.
-- SPDX-License-Identifier: Apache-2.0

-- Times are microseconds since 1970, UTC; lists are JSON arrays; NULL stands for "none". Every row belongs to an agent, and
-- every key begins with it. Texts compare byte by byte, so that order depends on no locale. Contents are bytea, since text
-- cannot hold every character. There are no foreign keys: who checks them sees through row level security.

-- Which role speaks for which agent. An agent can have several roles, as while credentials are exchanged.
CREATE TABLE memorytrust.agents (
  role  text COLLATE "C" PRIMARY KEY,
  agent text COLLATE "C" NOT NULL CHECK (agent <> '')
);

-- The head of an agent's audit log, and the numbers given out so far. A transaction that writes holds this row to its end, so
-- that the writers of an agent, in whatever pod, come one after the other.
CREATE TABLE memorytrust.logs (
  agent      text COLLATE "C" PRIMARY KEY,
  size       bigint NOT NULL, -- entries in the audit log
  writes     bigint NOT NULL, -- transactions that wrote
  records    bigint NOT NULL,
  namespaces bigint NOT NULL,
  deliveries bigint NOT NULL,
  turns      bigint NOT NULL,
  traces     bigint NOT NULL,
  at         bigint NOT NULL  -- when a probe wrote last
) WITH (fillfactor = 20);

-- The transactions of late, so that one whose outcome got lost with its connection can be looked up.
CREATE TABLE memorytrust.transactions (
  agent text COLLATE "C" NOT NULL,
  n     bigint NOT NULL,      -- logs.writes after it
  id    bytea NOT NULL,
  at    bigint NOT NULL,
  PRIMARY KEY (agent, n)
);

-- Namespaces that have records. The number stands for the name in the words of the index.
CREATE TABLE memorytrust.namespaces (
  agent text COLLATE "C" NOT NULL,
  name  text COLLATE "C" NOT NULL,
  id    bigint NOT NULL,
  PRIMARY KEY (agent, name)
);

-- The newest version of every record, forgotten ones as well.
CREATE TABLE memorytrust.records (
  agent          text COLLATE "C" NOT NULL,
  rid            bigint NOT NULL,
  id             text COLLATE "C" NOT NULL,
  namespace      text COLLATE "C" NOT NULL,
  seq            bigint NOT NULL,
  branch         text COLLATE "C" NOT NULL,
  zone           text COLLATE "C" NOT NULL,
  state          text COLLATE "C" NOT NULL,
  approved_by    text COLLATE "C" NOT NULL,
  expiry         bigint,
  class          text COLLATE "C" NOT NULL,
  source         text COLLATE "C" NOT NULL,
  channel        text COLLATE "C" NOT NULL,
  principal      text COLLATE "C" NOT NULL,
  parents        text,
  kind           text COLLATE "C" NOT NULL,
  tags           text,
  subject        text COLLATE "C" NOT NULL,
  metadata       text,             -- a JSON object
  session        text COLLATE "C" NOT NULL,
  erased         bytea,
  directive      boolean NOT NULL,
  reasons        text,
  capped_by      text,
  confidence     bigint NOT NULL,  -- per mille, as salience
  salience       bigint NOT NULL,
  pinned         boolean NOT NULL,
  supersedes     text,
  folded_into    text COLLATE "C" NOT NULL,
  tag            bytea,
  commit_hash    bytea NOT NULL,
  commit_parents bytea,            -- hashes of 32 bytes, one after the other
  change         text COLLATE "C" NOT NULL,
  actor          text COLLATE "C" NOT NULL,
  reason         text COLLATE "C" NOT NULL,
  created_at     bigint NOT NULL,
  updated_at     bigint NOT NULL,
  signed_by      bytea,            -- the prefix of the tag, which names its key
  sketch         bigint NOT NULL,  -- of the content, as a signed number
  terms          bigint NOT NULL,  -- how many words the index holds of it
  content        bytea NOT NULL,
  PRIMARY KEY (agent, id)
);
CREATE UNIQUE INDEX records_rid ON memorytrust.records (agent, rid);
-- Answers Counts without touching rows.
CREATE INDEX records_standing ON memorytrust.records (agent, namespace, zone, state, signed_by, folded_into);
-- Listings and searches without a text.
CREATE INDEX records_in ON memorytrust.records (agent, namespace, id);
CREATE INDEX records_kinds ON memorytrust.records (agent, namespace, kind, id) WHERE kind <> '';
CREATE INDEX records_subjects ON memorytrust.records (agent, namespace, subject, id) WHERE subject <> '';
CREATE INDEX records_folded ON memorytrust.records (agent, folded_into, id) WHERE folded_into <> '';
CREATE INDEX records_pinned ON memorytrust.records (agent, namespace, id) WHERE pinned;
CREATE INDEX records_changed ON memorytrust.records (agent, seq);
CREATE INDEX records_sources ON memorytrust.records (agent, namespace, source, id);
CREATE INDEX records_principals ON memorytrust.records (agent, namespace, principal, id) WHERE principal <> '';
-- What a person has to decide.
CREATE INDEX records_items ON memorytrust.records (agent, namespace)
  WHERE state IN ('PendingReview', 'Disputed') AND folded_into = '';
-- What one writer has waiting, soonest to expire first.
CREATE INDEX records_waiting ON memorytrust.records (agent, namespace, principal, class, expiry, id)
  WHERE state = 'PendingReview' AND folded_into = '';

CREATE TABLE memorytrust.tags (
  agent text COLLATE "C" NOT NULL,
  tag   text COLLATE "C" NOT NULL,
  rid   bigint NOT NULL,
  PRIMARY KEY (agent, tag, rid)
);
CREATE INDEX tags_of ON memorytrust.tags (agent, rid);

-- Words of live records, the inverted index. Each word carries the number of its namespace and a letter for its zone, so that
-- a search meets nothing outside of them.
CREATE TABLE memorytrust.words (
  agent text COLLATE "C" NOT NULL,
  word  text COLLATE "C" NOT NULL,
  rid   bigint NOT NULL,
  PRIMARY KEY (agent, word, rid)
);

-- Every version of every record.
CREATE TABLE memorytrust.versions (
  agent       text COLLATE "C" NOT NULL,
  seq         bigint NOT NULL,
  record_id   text COLLATE "C" NOT NULL,
  branch      text COLLATE "C" NOT NULL,
  prev_seq    bigint NOT NULL, -- the version before, 0 for the first
  merged_seq  bigint,          -- the second parent of a merge
  hash        bytea NOT NULL,
  layout      bigint NOT NULL, -- of the hash: n for memcommit/vn
  change      text COLLATE "C" NOT NULL,
  actor       text COLLATE "C" NOT NULL,
  reason      text COLLATE "C" NOT NULL,
  at          bigint NOT NULL,
  content_seq bigint NOT NULL, -- the version whose row in contents holds the content: this one or an earlier one
  indexed     text COLLATE "C" NOT NULL, -- the keys its words have in the index; empty when they are not in it
  body        text NOT NULL,
  PRIMARY KEY (agent, seq)
);
CREATE INDEX versions_of ON memorytrust.versions (agent, record_id, seq);

-- Contents of versions. A purge sets them NULL; the hash stays.
CREATE TABLE memorytrust.contents (
  agent     text COLLATE "C" NOT NULL,
  seq       bigint NOT NULL,
  record_id text COLLATE "C" NOT NULL,
  sha256    bytea NOT NULL,
  content   bytea,
  PRIMARY KEY (agent, seq)
);

-- Which records a record was derived from. Only ever grows.
CREATE TABLE memorytrust.lineage (
  agent  text COLLATE "C" NOT NULL,
  child  text COLLATE "C" NOT NULL,
  parent text COLLATE "C" NOT NULL,
  PRIMARY KEY (agent, child, parent)
);
CREATE INDEX lineage_children ON memorytrust.lineage (agent, parent, child);

-- The audit log: leaves and the hashes of their Merkle tree.
CREATE TABLE memorytrust.audit (
  agent     text COLLATE "C" NOT NULL,
  seq       bigint NOT NULL,
  record_id text COLLATE "C" NOT NULL,
  leaf      bytea NOT NULL,
  PRIMARY KEY (agent, seq)
);
CREATE INDEX audit_of ON memorytrust.audit (agent, record_id, seq);
CREATE TABLE memorytrust.audit_hashes (
  agent text COLLATE "C" NOT NULL,
  idx   bigint NOT NULL,
  hash  bytea NOT NULL,
  PRIMARY KEY (agent, idx)
);

-- What was shown to whom. Refers to nothing, because it outlives sessions and records.
CREATE TABLE memorytrust.deliveries (
  agent     text COLLATE "C" NOT NULL,
  id        bigint NOT NULL,
  namespace text COLLATE "C" NOT NULL,
  session   text COLLATE "C" NOT NULL,
  record_id text COLLATE "C" NOT NULL,
  seq       bigint NOT NULL,
  class     text COLLATE "C" NOT NULL,
  score     double precision NOT NULL,
  at        bigint NOT NULL,
  PRIMARY KEY (agent, id)
);
CREATE INDEX deliveries_to ON memorytrust.deliveries (agent, namespace, session, at, id);
CREATE INDEX deliveries_of ON memorytrust.deliveries (agent, record_id, at, id);
-- What set the mark of a session that nobody opened was delivered to any session.
CREATE INDEX deliveries_when ON memorytrust.deliveries (agent, namespace, at, id);

-- Which classes were delivered to a session, and when last; under the empty name, to any session. A write asks for them, and
-- must not have to walk through everything that was shown in the last half hour.
CREATE TABLE memorytrust.delivered (
  agent     text COLLATE "C" NOT NULL,
  namespace text COLLATE "C" NOT NULL,
  session   text COLLATE "C" NOT NULL,
  class     text COLLATE "C" NOT NULL,
  last_at   bigint NOT NULL,
  PRIMARY KEY (agent, namespace, session, class)
) WITH (fillfactor = 70);
-- The same outside of sessions that a user channel opened.
CREATE TABLE memorytrust.delivered_unbound (
  agent     text COLLATE "C" NOT NULL,
  namespace text COLLATE "C" NOT NULL,
  class     text COLLATE "C" NOT NULL,
  last_at   bigint NOT NULL,
  PRIMARY KEY (agent, namespace, class)
) WITH (fillfactor = 50);

-- How often a record was delivered, and when last.
CREATE TABLE memorytrust.recalls (
  agent     text COLLATE "C" NOT NULL,
  record_id text COLLATE "C" NOT NULL,
  recalls   bigint NOT NULL,
  last_at   bigint NOT NULL,
  PRIMARY KEY (agent, record_id)
) WITH (fillfactor = 70);

-- Requests that took effect, by the name their client gave them.
CREATE TABLE memorytrust.idempotency (
  agent     text COLLATE "C" NOT NULL,
  namespace text COLLATE "C" NOT NULL,
  writer    text COLLATE "C" NOT NULL,
  key       text COLLATE "C" NOT NULL,
  digest    bytea NOT NULL,
  record_id text COLLATE "C" NOT NULL,
  at        bigint NOT NULL,
  PRIMARY KEY (agent, namespace, writer, key)
);
CREATE INDEX idempotency_age ON memorytrust.idempotency (agent, at);

-- Pairs of records that cannot both hold.
CREATE TABLE memorytrust.contradictions (
  agent      text COLLATE "C" NOT NULL,
  id         text COLLATE "C" NOT NULL,
  namespace  text COLLATE "C" NOT NULL,
  a          text COLLATE "C" NOT NULL,
  b          text COLLATE "C" NOT NULL,
  low        text COLLATE "C" NOT NULL, -- the lower one of a and b
  high       text COLLATE "C" NOT NULL,
  seq_a      bigint NOT NULL,
  seq_b      bigint NOT NULL,
  signs      text,
  found_at   bigint NOT NULL,
  verdict    text COLLATE "C" NOT NULL,
  decided_by text COLLATE "C" NOT NULL,
  decided_at bigint,
  reason     text COLLATE "C" NOT NULL,
  PRIMARY KEY (agent, id)
);
CREATE UNIQUE INDEX contradictions_pair ON memorytrust.contradictions (agent, namespace, low, high);
CREATE INDEX contradictions_a ON memorytrust.contradictions (agent, a);
CREATE INDEX contradictions_b ON memorytrust.contradictions (agent, b);
CREATE INDEX contradictions_open ON memorytrust.contradictions (agent, namespace, id) WHERE verdict = '';

-- How far tasks have come.
CREATE TABLE memorytrust.marks (
  agent text COLLATE "C" NOT NULL,
  name  text COLLATE "C" NOT NULL,
  value bigint NOT NULL,
  PRIMARY KEY (agent, name)
) WITH (fillfactor = 50);

-- Sessions that an authenticated user channel opened.
CREATE TABLE memorytrust.sessions (
  agent     text COLLATE "C" NOT NULL,
  namespace text COLLATE "C" NOT NULL,
  id        text COLLATE "C" NOT NULL,
  channel   text COLLATE "C" NOT NULL,
  principal text COLLATE "C" NOT NULL,
  opened_at bigint NOT NULL,
  tag       bytea NOT NULL,
  PRIMARY KEY (agent, namespace, id)
);

-- What users said. A content goes when its time is over or another turn of its session comes; the ids stay longer, so that
-- none is used twice.
CREATE TABLE memorytrust.turns (
  agent     text COLLATE "C" NOT NULL,
  n         bigint NOT NULL,
  namespace text COLLATE "C" NOT NULL,
  session   text COLLATE "C" NOT NULL,
  id        text COLLATE "C" NOT NULL,
  channel   text COLLATE "C" NOT NULL, -- empty: reported on the agent's port
  principal text COLLATE "C" NOT NULL,
  at        bigint NOT NULL,
  tag       bytea NOT NULL,
  content   bytea,
  PRIMARY KEY (agent, n)
);
CREATE UNIQUE INDEX turns_once ON memorytrust.turns (agent, namespace, channel, principal, id);
CREATE INDEX turns_of ON memorytrust.turns (agent, namespace, session, (channel <> ''), n);
CREATE INDEX turns_age ON memorytrust.turns (agent, at);
CREATE INDEX turns_kept ON memorytrust.turns (agent, at) WHERE content IS NOT NULL;

-- Texts that reached the agent or were kept from it, to be recognized in later ones.
CREATE TABLE memorytrust.traces (
  agent     text COLLATE "C" NOT NULL,
  n         bigint NOT NULL,
  namespace bigint NOT NULL,
  id        text COLLATE "C" NOT NULL, -- of the record, or of the observation
  record    boolean NOT NULL,
  session   text COLLATE "C" NOT NULL,
  class     text COLLATE "C" NOT NULL,
  source    text COLLATE "C" NOT NULL,
  at        bigint NOT NULL,
  features  bigint[] NOT NULL, -- what there is of it in features
  PRIMARY KEY (agent, n)
);
CREATE UNIQUE INDEX traces_of ON memorytrust.traces (agent, namespace, id);
CREATE INDEX traces_age ON memorytrust.traces (agent, at) WHERE NOT record;

-- Hashes of the parts of those texts. The rank of the class comes before the trace, so that a feature which many texts share
-- leads to those of the lowest class first.
CREATE TABLE memorytrust.features (
  agent     text COLLATE "C" NOT NULL,
  namespace bigint NOT NULL,
  feature   bigint NOT NULL,
  rank      bigint NOT NULL, -- 0 is the lowest class
  trace     bigint NOT NULL,
  PRIMARY KEY (agent, namespace, feature, rank, trace)
);

-- Texts of low classes that carry a part of a plan, by what they name. There is no text in it: entities are hashes, signals are
-- bits that say what kind of thing a text says about the entity.
CREATE TABLE memorytrust.fragments (
  agent     text COLLATE "C" NOT NULL,
  namespace bigint NOT NULL,
  entity    bigint NOT NULL,
  record_id text COLLATE "C" NOT NULL,
  signals   bigint NOT NULL,
  root      text COLLATE "C" NOT NULL, -- record that the text goes back to
  class     text COLLATE "C" NOT NULL,
  at        bigint NOT NULL,
  PRIMARY KEY (agent, namespace, entity, record_id, signals)
);
CREATE INDEX fragments_record ON memorytrust.fragments (agent, namespace, record_id);
CREATE INDEX fragments_root ON memorytrust.fragments (agent, namespace, root);
CREATE INDEX fragments_age ON memorytrust.fragments (agent, at);
-- Entities of which somebody says that nobody needs to be asked, or less: few, and only they can be part of a plan.
CREATE INDEX fragments_telling ON memorytrust.fragments (agent, namespace, entity) WHERE signals & 224 <> 0;
