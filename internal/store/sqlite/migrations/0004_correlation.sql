-- Copyright The MemoryTrust Authors.
-- SPDX-License-Identifier: Apache-2.0

-- Texts of low classes that carry a part of a plan, by what they name. There is no text in it: entities are hashes, signals are
-- bits that say what kind of thing a text says about the entity.
CREATE TABLE fragments (
  namespace INTEGER NOT NULL REFERENCES namespaces (id),
  entity    INTEGER NOT NULL,
  record_id TEXT NOT NULL,
  signals   INTEGER NOT NULL,
  root      TEXT NOT NULL, -- record that the text goes back to
  class     TEXT NOT NULL,
  at        INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX fragments_of ON fragments (namespace, entity, record_id, signals);
CREATE INDEX fragments_record ON fragments (namespace, record_id);
CREATE INDEX fragments_root ON fragments (namespace, root);
CREATE INDEX fragments_age ON fragments (at);
-- Entities of which somebody says that nobody needs to be asked, or less: few, and only they can be part of a plan.
CREATE INDEX fragments_telling ON fragments (namespace, entity) WHERE signals & 224 <> 0;
