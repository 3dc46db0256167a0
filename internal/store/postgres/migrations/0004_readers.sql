-- Copyright The MemoryTrust Authors.
-- SPDX-License-Identifier: Apache-2.0

-- A role can speak for an agent and only read. Grants are to everybody, so that policies have to tell it from one that writes: no row
-- of its agent may be added or become another by it, and none be deleted or held.
ALTER TABLE memorytrust.agents ADD COLUMN reads_only boolean NOT NULL DEFAULT false;

ALTER POLICY own_rows ON memorytrust.logs
  WITH CHECK (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text) AND NOT a.reads_only));
CREATE POLICY no_update_by_readers ON memorytrust.logs AS RESTRICTIVE FOR UPDATE
  USING ((SELECT NOT a.reads_only FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text)));
ALTER POLICY own_rows ON memorytrust.transactions
  WITH CHECK (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text) AND NOT a.reads_only));
CREATE POLICY no_delete_by_readers ON memorytrust.transactions AS RESTRICTIVE FOR DELETE
  USING ((SELECT NOT a.reads_only FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text)));
ALTER POLICY own_rows ON memorytrust.namespaces
  WITH CHECK (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text) AND NOT a.reads_only));
ALTER POLICY own_rows ON memorytrust.records
  WITH CHECK (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text) AND NOT a.reads_only));
CREATE POLICY no_update_by_readers ON memorytrust.records AS RESTRICTIVE FOR UPDATE
  USING ((SELECT NOT a.reads_only FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text)));
ALTER POLICY own_rows ON memorytrust.tags
  WITH CHECK (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text) AND NOT a.reads_only));
CREATE POLICY no_delete_by_readers ON memorytrust.tags AS RESTRICTIVE FOR DELETE
  USING ((SELECT NOT a.reads_only FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text)));
ALTER POLICY own_rows ON memorytrust.words
  WITH CHECK (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text) AND NOT a.reads_only));
CREATE POLICY no_delete_by_readers ON memorytrust.words AS RESTRICTIVE FOR DELETE
  USING ((SELECT NOT a.reads_only FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text)));
ALTER POLICY own_rows ON memorytrust.versions
  WITH CHECK (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text) AND NOT a.reads_only));
ALTER POLICY own_rows ON memorytrust.contents
  WITH CHECK (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text) AND NOT a.reads_only));
CREATE POLICY no_update_by_readers ON memorytrust.contents AS RESTRICTIVE FOR UPDATE
  USING ((SELECT NOT a.reads_only FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text)));
ALTER POLICY own_rows ON memorytrust.lineage
  WITH CHECK (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text) AND NOT a.reads_only));
ALTER POLICY own_rows ON memorytrust.audit
  WITH CHECK (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text) AND NOT a.reads_only));
ALTER POLICY own_rows ON memorytrust.audit_hashes
  WITH CHECK (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text) AND NOT a.reads_only));
ALTER POLICY own_rows ON memorytrust.deliveries
  WITH CHECK (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text) AND NOT a.reads_only));
ALTER POLICY own_rows ON memorytrust.delivered
  WITH CHECK (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text) AND NOT a.reads_only));
CREATE POLICY no_update_by_readers ON memorytrust.delivered AS RESTRICTIVE FOR UPDATE
  USING ((SELECT NOT a.reads_only FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text)));
ALTER POLICY own_rows ON memorytrust.delivered_unbound
  WITH CHECK (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text) AND NOT a.reads_only));
CREATE POLICY no_update_by_readers ON memorytrust.delivered_unbound AS RESTRICTIVE FOR UPDATE
  USING ((SELECT NOT a.reads_only FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text)));
ALTER POLICY own_rows ON memorytrust.recalls
  WITH CHECK (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text) AND NOT a.reads_only));
CREATE POLICY no_update_by_readers ON memorytrust.recalls AS RESTRICTIVE FOR UPDATE
  USING ((SELECT NOT a.reads_only FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text)));
ALTER POLICY own_rows ON memorytrust.idempotency
  WITH CHECK (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text) AND NOT a.reads_only));
CREATE POLICY no_delete_by_readers ON memorytrust.idempotency AS RESTRICTIVE FOR DELETE
  USING ((SELECT NOT a.reads_only FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text)));
ALTER POLICY own_rows ON memorytrust.contradictions
  WITH CHECK (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text) AND NOT a.reads_only));
CREATE POLICY no_delete_by_readers ON memorytrust.contradictions AS RESTRICTIVE FOR DELETE
  USING ((SELECT NOT a.reads_only FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text)));
ALTER POLICY own_rows ON memorytrust.marks
  WITH CHECK (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text) AND NOT a.reads_only));
CREATE POLICY no_update_by_readers ON memorytrust.marks AS RESTRICTIVE FOR UPDATE
  USING ((SELECT NOT a.reads_only FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text)));
ALTER POLICY own_rows ON memorytrust.sessions
  WITH CHECK (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text) AND NOT a.reads_only));
ALTER POLICY own_rows ON memorytrust.turns
  WITH CHECK (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text) AND NOT a.reads_only));
CREATE POLICY no_update_by_readers ON memorytrust.turns AS RESTRICTIVE FOR UPDATE
  USING ((SELECT NOT a.reads_only FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text)));
CREATE POLICY no_delete_by_readers ON memorytrust.turns AS RESTRICTIVE FOR DELETE
  USING ((SELECT NOT a.reads_only FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text)));
ALTER POLICY own_rows ON memorytrust.traces
  WITH CHECK (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text) AND NOT a.reads_only));
CREATE POLICY no_update_by_readers ON memorytrust.traces AS RESTRICTIVE FOR UPDATE
  USING ((SELECT NOT a.reads_only FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text)));
CREATE POLICY no_delete_by_readers ON memorytrust.traces AS RESTRICTIVE FOR DELETE
  USING ((SELECT NOT a.reads_only FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text)));
ALTER POLICY own_rows ON memorytrust.features
  WITH CHECK (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text) AND NOT a.reads_only));
CREATE POLICY no_delete_by_readers ON memorytrust.features AS RESTRICTIVE FOR DELETE
  USING ((SELECT NOT a.reads_only FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text)));
ALTER POLICY own_rows ON memorytrust.fragments
  WITH CHECK (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text) AND NOT a.reads_only));
CREATE POLICY no_delete_by_readers ON memorytrust.fragments AS RESTRICTIVE FOR DELETE
  USING ((SELECT NOT a.reads_only FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text)));
