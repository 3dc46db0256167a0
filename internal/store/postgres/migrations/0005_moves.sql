-- Copyright The MemoryTrust Authors.
-- SPDX-License-Identifier: Apache-2.0

-- Memory that is moved here from another store. While it is, its rows are nobody's memory: nothing is opened, written or read in their
-- agent's name but by the move, which can take all of them away again. That an agent's memory is being moved can be said only while its
-- audit log is empty, so that what cannot be deleted stays so once it is in force.
ALTER TABLE memorytrust.logs ADD COLUMN moving boolean NOT NULL DEFAULT false;

CREATE POLICY only_into_nothing ON memorytrust.logs AS RESTRICTIVE FOR UPDATE USING (true)
  WITH CHECK (NOT moving OR NOT EXISTS (SELECT 1 FROM memorytrust.audit a WHERE a.agent = logs.agent));
CREATE POLICY only_new_into_nothing ON memorytrust.logs AS RESTRICTIVE FOR INSERT
  WITH CHECK (NOT moving OR NOT EXISTS (SELECT 1 FROM memorytrust.audit a WHERE a.agent = logs.agent));

-- The last move of an agent's memory to here.
CREATE TABLE memorytrust.moves (
  agent   text COLLATE "C" PRIMARY KEY,
  run     text COLLATE "C" NOT NULL, -- names the move, here and in the store it comes from
  at      bigint NOT NULL,           -- when it last did something
  sealed  boolean NOT NULL,          -- all of it is here and was compared
  outcome text NOT NULL              -- what was found equal, as JSON; empty before that
) WITH (fillfactor = 50);
ALTER TABLE memorytrust.moves ENABLE ROW LEVEL SECURITY;
ALTER TABLE memorytrust.moves FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON memorytrust.moves
  USING (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text)))
  WITH CHECK (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text) AND NOT a.reads_only));
CREATE POLICY no_update_by_readers ON memorytrust.moves AS RESTRICTIVE FOR UPDATE
  USING ((SELECT NOT a.reads_only FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text)));
GRANT SELECT, INSERT, UPDATE ON memorytrust.moves TO PUBLIC;

-- What otherwise stays for good goes with a move that comes to nothing.
CREATE POLICY kept ON memorytrust.namespaces AS RESTRICTIVE FOR DELETE
  USING ((SELECT l.moving FROM memorytrust.logs l WHERE l.agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text) AND NOT a.reads_only)));
GRANT DELETE ON memorytrust.namespaces TO PUBLIC;
CREATE POLICY kept ON memorytrust.records AS RESTRICTIVE FOR DELETE
  USING ((SELECT l.moving FROM memorytrust.logs l WHERE l.agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text) AND NOT a.reads_only)));
GRANT DELETE ON memorytrust.records TO PUBLIC;
CREATE POLICY kept ON memorytrust.versions AS RESTRICTIVE FOR DELETE
  USING ((SELECT l.moving FROM memorytrust.logs l WHERE l.agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text) AND NOT a.reads_only)));
GRANT DELETE ON memorytrust.versions TO PUBLIC;
CREATE POLICY kept ON memorytrust.contents AS RESTRICTIVE FOR DELETE
  USING ((SELECT l.moving FROM memorytrust.logs l WHERE l.agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text) AND NOT a.reads_only)));
GRANT DELETE ON memorytrust.contents TO PUBLIC;
CREATE POLICY kept ON memorytrust.lineage AS RESTRICTIVE FOR DELETE
  USING ((SELECT l.moving FROM memorytrust.logs l WHERE l.agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text) AND NOT a.reads_only)));
GRANT DELETE ON memorytrust.lineage TO PUBLIC;
CREATE POLICY kept ON memorytrust.audit AS RESTRICTIVE FOR DELETE
  USING ((SELECT l.moving FROM memorytrust.logs l WHERE l.agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text) AND NOT a.reads_only)));
GRANT DELETE ON memorytrust.audit TO PUBLIC;
CREATE POLICY kept ON memorytrust.audit_hashes AS RESTRICTIVE FOR DELETE
  USING ((SELECT l.moving FROM memorytrust.logs l WHERE l.agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text) AND NOT a.reads_only)));
GRANT DELETE ON memorytrust.audit_hashes TO PUBLIC;
CREATE POLICY kept ON memorytrust.deliveries AS RESTRICTIVE FOR DELETE
  USING ((SELECT l.moving FROM memorytrust.logs l WHERE l.agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text) AND NOT a.reads_only)));
GRANT DELETE ON memorytrust.deliveries TO PUBLIC;
CREATE POLICY kept ON memorytrust.delivered AS RESTRICTIVE FOR DELETE
  USING ((SELECT l.moving FROM memorytrust.logs l WHERE l.agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text) AND NOT a.reads_only)));
GRANT DELETE ON memorytrust.delivered TO PUBLIC;
CREATE POLICY kept ON memorytrust.delivered_unbound AS RESTRICTIVE FOR DELETE
  USING ((SELECT l.moving FROM memorytrust.logs l WHERE l.agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text) AND NOT a.reads_only)));
GRANT DELETE ON memorytrust.delivered_unbound TO PUBLIC;
CREATE POLICY kept ON memorytrust.recalls AS RESTRICTIVE FOR DELETE
  USING ((SELECT l.moving FROM memorytrust.logs l WHERE l.agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text) AND NOT a.reads_only)));
GRANT DELETE ON memorytrust.recalls TO PUBLIC;
CREATE POLICY kept ON memorytrust.marks AS RESTRICTIVE FOR DELETE
  USING ((SELECT l.moving FROM memorytrust.logs l WHERE l.agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text) AND NOT a.reads_only)));
GRANT DELETE ON memorytrust.marks TO PUBLIC;
CREATE POLICY kept ON memorytrust.sessions AS RESTRICTIVE FOR DELETE
  USING ((SELECT l.moving FROM memorytrust.logs l WHERE l.agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text) AND NOT a.reads_only)));
GRANT DELETE ON memorytrust.sessions TO PUBLIC;
