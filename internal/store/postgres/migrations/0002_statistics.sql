-- Copyright The MemoryTrust Authors.
-- SPDX-License-Identifier: Apache-2.0

-- Whoever plans a query has to know that an agent has many rows and an id has one. Of tables that nobody has looked at yet the
-- server assumes that either is about one, and then reads all of an agent's rows to find one of them, until it has looked: at an
-- empty database that is filled, from another store for one, for minutes. So each table holds some rows for a moment, is looked
-- at, and is emptied again; what was learned stays until there are rows to learn more from.
INSERT INTO memorytrust.transactions SELECT 'a', g, 'x', g FROM generate_series(1, 500) g;
INSERT INTO memorytrust.records SELECT 'a', g, g, 'n', g, 'main', 'Working', 'Active', '', NULL, 'AgentInferred', 'agent', '', '', NULL,
  CASE WHEN g % 5 = 0 THEN 'k' || g % 7 ELSE '' END, NULL, '', NULL, '', NULL, false, NULL, NULL, 0, 0, g % 50 = 0, NULL, '', NULL, 'x',
  NULL, 'create', 'agent', '', g, g, NULL, 0, 10, 'x' FROM generate_series(1, 500) g;
INSERT INTO memorytrust.tags SELECT 'a', 't' || g % 20, g FROM generate_series(1, 500) g;
INSERT INTO memorytrust.words SELECT 'a', 'w' || (g * g) % 331, g FROM generate_series(1, 2000) g;
INSERT INTO memorytrust.versions SELECT 'a', g, g, 'main', 0, NULL, 'x', 2, 'create', 'agent', '', g, g, '', '' FROM generate_series(1, 500) g;
INSERT INTO memorytrust.contents SELECT 'a', g, g, 'x', 'x' FROM generate_series(1, 500) g;
INSERT INTO memorytrust.lineage SELECT 'a', g, g / 2 FROM generate_series(1, 500) g;
INSERT INTO memorytrust.audit SELECT 'a', g, g, 'x' FROM generate_series(1, 500) g;
INSERT INTO memorytrust.audit_hashes SELECT 'a', g, 'x' FROM generate_series(1, 500) g;
INSERT INTO memorytrust.deliveries SELECT 'a', g, 'n', g % 50, g % 300, g, 'AgentInferred', 1, g FROM generate_series(1, 500) g;
INSERT INTO memorytrust.delivered SELECT 'a', 'n', g, 'AgentInferred', g FROM generate_series(1, 500) g;
INSERT INTO memorytrust.recalls SELECT 'a', g, 1, g FROM generate_series(1, 500) g;
INSERT INTO memorytrust.idempotency SELECT 'a', 'n', 'agent', g, 'x', g, g FROM generate_series(1, 500) g;
INSERT INTO memorytrust.contradictions SELECT 'a', g, 'n', g, g + 500, g, g + 500, 1, 1, NULL, g, CASE WHEN g % 9 > 0 THEN 'x' ELSE '' END, '',
  NULL, '' FROM generate_series(1, 500) g;
INSERT INTO memorytrust.sessions SELECT 'a', 'n', g, 'c', 'p', g, 'x' FROM generate_series(1, 500) g;
INSERT INTO memorytrust.turns SELECT 'a', g, 'n', g % 50, g, 'c', 'p', g, 'x', CASE WHEN g % 10 = 0 THEN CAST('x' AS bytea) END
  FROM generate_series(1, 500) g;
INSERT INTO memorytrust.traces SELECT 'a', g, 1, g, g % 2 = 0, '', 'WebContent', '', g, '{1,2,3}' FROM generate_series(1, 500) g;
INSERT INTO memorytrust.features SELECT 'a', 1, (g * g) % 331, 1, g FROM generate_series(1, 2000) g;
INSERT INTO memorytrust.fragments SELECT 'a', 1, g % 100, g, g % 64, g, 'WebContent', g FROM generate_series(1, 500) g;
ANALYZE memorytrust.transactions, memorytrust.records, memorytrust.tags, memorytrust.words, memorytrust.versions, memorytrust.contents,
  memorytrust.lineage, memorytrust.audit, memorytrust.audit_hashes, memorytrust.deliveries, memorytrust.delivered, memorytrust.recalls,
  memorytrust.idempotency, memorytrust.contradictions, memorytrust.sessions, memorytrust.turns, memorytrust.traces, memorytrust.features,
  memorytrust.fragments;
TRUNCATE memorytrust.transactions, memorytrust.records, memorytrust.tags, memorytrust.words, memorytrust.versions, memorytrust.contents,
  memorytrust.lineage, memorytrust.audit, memorytrust.audit_hashes, memorytrust.deliveries, memorytrust.delivered, memorytrust.recalls,
  memorytrust.idempotency, memorytrust.contradictions, memorytrust.sessions, memorytrust.turns, memorytrust.traces, memorytrust.features,
  memorytrust.fragments;
