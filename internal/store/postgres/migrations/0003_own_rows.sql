-- Copyright The MemoryTrust Authors.
-- SPDX-License-Identifier: Apache-2.0

-- A role reaches the rows of its agent and nothing else, whatever SQL it runs, and so does the owner of the tables: there is
-- no way around a policy but that of a superuser. Grants are to everybody and do not name roles, so that there may be any
-- number of them; who may use the schema at all is granted role by role (Provision), and who has no row in agents has no
-- rows anywhere. What only ever grows cannot be changed or deleted.

-- A role sees which agent it speaks for. The owner of the table says so.
ALTER TABLE memorytrust.agents ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_row ON memorytrust.agents FOR SELECT USING (role = CAST(current_user AS text));
GRANT SELECT ON memorytrust.agents TO PUBLIC;
GRANT SELECT ON memorytrust.schema TO PUBLIC;

ALTER TABLE memorytrust.logs ENABLE ROW LEVEL SECURITY;
ALTER TABLE memorytrust.logs FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON memorytrust.logs
  USING (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text)))
  WITH CHECK (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text)));
GRANT SELECT, INSERT, UPDATE ON memorytrust.logs TO PUBLIC;

ALTER TABLE memorytrust.transactions ENABLE ROW LEVEL SECURITY;
ALTER TABLE memorytrust.transactions FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON memorytrust.transactions
  USING (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text)))
  WITH CHECK (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text)));
GRANT SELECT, INSERT, DELETE ON memorytrust.transactions TO PUBLIC;

ALTER TABLE memorytrust.namespaces ENABLE ROW LEVEL SECURITY;
ALTER TABLE memorytrust.namespaces FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON memorytrust.namespaces
  USING (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text)))
  WITH CHECK (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text)));
GRANT SELECT, INSERT ON memorytrust.namespaces TO PUBLIC;

ALTER TABLE memorytrust.records ENABLE ROW LEVEL SECURITY;
ALTER TABLE memorytrust.records FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON memorytrust.records
  USING (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text)))
  WITH CHECK (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text)));
GRANT SELECT, INSERT, UPDATE ON memorytrust.records TO PUBLIC;

ALTER TABLE memorytrust.tags ENABLE ROW LEVEL SECURITY;
ALTER TABLE memorytrust.tags FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON memorytrust.tags
  USING (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text)))
  WITH CHECK (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text)));
GRANT SELECT, INSERT, DELETE ON memorytrust.tags TO PUBLIC;

ALTER TABLE memorytrust.words ENABLE ROW LEVEL SECURITY;
ALTER TABLE memorytrust.words FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON memorytrust.words
  USING (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text)))
  WITH CHECK (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text)));
GRANT SELECT, INSERT, DELETE ON memorytrust.words TO PUBLIC;

ALTER TABLE memorytrust.versions ENABLE ROW LEVEL SECURITY;
ALTER TABLE memorytrust.versions FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON memorytrust.versions
  USING (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text)))
  WITH CHECK (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text)));
GRANT SELECT, INSERT ON memorytrust.versions TO PUBLIC;

ALTER TABLE memorytrust.contents ENABLE ROW LEVEL SECURITY;
ALTER TABLE memorytrust.contents FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON memorytrust.contents
  USING (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text)))
  WITH CHECK (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text)));
GRANT SELECT, INSERT, UPDATE (content) ON memorytrust.contents TO PUBLIC;

ALTER TABLE memorytrust.lineage ENABLE ROW LEVEL SECURITY;
ALTER TABLE memorytrust.lineage FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON memorytrust.lineage
  USING (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text)))
  WITH CHECK (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text)));
GRANT SELECT, INSERT ON memorytrust.lineage TO PUBLIC;

ALTER TABLE memorytrust.audit ENABLE ROW LEVEL SECURITY;
ALTER TABLE memorytrust.audit FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON memorytrust.audit
  USING (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text)))
  WITH CHECK (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text)));
GRANT SELECT, INSERT ON memorytrust.audit TO PUBLIC;

ALTER TABLE memorytrust.audit_hashes ENABLE ROW LEVEL SECURITY;
ALTER TABLE memorytrust.audit_hashes FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON memorytrust.audit_hashes
  USING (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text)))
  WITH CHECK (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text)));
GRANT SELECT, INSERT ON memorytrust.audit_hashes TO PUBLIC;

ALTER TABLE memorytrust.deliveries ENABLE ROW LEVEL SECURITY;
ALTER TABLE memorytrust.deliveries FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON memorytrust.deliveries
  USING (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text)))
  WITH CHECK (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text)));
GRANT SELECT, INSERT ON memorytrust.deliveries TO PUBLIC;

ALTER TABLE memorytrust.delivered ENABLE ROW LEVEL SECURITY;
ALTER TABLE memorytrust.delivered FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON memorytrust.delivered
  USING (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text)))
  WITH CHECK (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text)));
GRANT SELECT, INSERT, UPDATE ON memorytrust.delivered TO PUBLIC;

ALTER TABLE memorytrust.delivered_unbound ENABLE ROW LEVEL SECURITY;
ALTER TABLE memorytrust.delivered_unbound FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON memorytrust.delivered_unbound
  USING (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text)))
  WITH CHECK (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text)));
GRANT SELECT, INSERT, UPDATE ON memorytrust.delivered_unbound TO PUBLIC;

ALTER TABLE memorytrust.recalls ENABLE ROW LEVEL SECURITY;
ALTER TABLE memorytrust.recalls FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON memorytrust.recalls
  USING (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text)))
  WITH CHECK (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text)));
GRANT SELECT, INSERT, UPDATE ON memorytrust.recalls TO PUBLIC;

ALTER TABLE memorytrust.idempotency ENABLE ROW LEVEL SECURITY;
ALTER TABLE memorytrust.idempotency FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON memorytrust.idempotency
  USING (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text)))
  WITH CHECK (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text)));
GRANT SELECT, INSERT, DELETE ON memorytrust.idempotency TO PUBLIC;

ALTER TABLE memorytrust.contradictions ENABLE ROW LEVEL SECURITY;
ALTER TABLE memorytrust.contradictions FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON memorytrust.contradictions
  USING (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text)))
  WITH CHECK (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text)));
GRANT SELECT, INSERT, DELETE ON memorytrust.contradictions TO PUBLIC;

ALTER TABLE memorytrust.marks ENABLE ROW LEVEL SECURITY;
ALTER TABLE memorytrust.marks FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON memorytrust.marks
  USING (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text)))
  WITH CHECK (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text)));
GRANT SELECT, INSERT, UPDATE ON memorytrust.marks TO PUBLIC;

ALTER TABLE memorytrust.sessions ENABLE ROW LEVEL SECURITY;
ALTER TABLE memorytrust.sessions FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON memorytrust.sessions
  USING (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text)))
  WITH CHECK (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text)));
GRANT SELECT, INSERT ON memorytrust.sessions TO PUBLIC;

ALTER TABLE memorytrust.turns ENABLE ROW LEVEL SECURITY;
ALTER TABLE memorytrust.turns FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON memorytrust.turns
  USING (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text)))
  WITH CHECK (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text)));
GRANT SELECT, INSERT, UPDATE (content), DELETE ON memorytrust.turns TO PUBLIC;

ALTER TABLE memorytrust.traces ENABLE ROW LEVEL SECURITY;
ALTER TABLE memorytrust.traces FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON memorytrust.traces
  USING (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text)))
  WITH CHECK (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text)));
GRANT SELECT, INSERT, UPDATE, DELETE ON memorytrust.traces TO PUBLIC;

ALTER TABLE memorytrust.features ENABLE ROW LEVEL SECURITY;
ALTER TABLE memorytrust.features FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON memorytrust.features
  USING (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text)))
  WITH CHECK (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text)));
GRANT SELECT, INSERT, DELETE ON memorytrust.features TO PUBLIC;

ALTER TABLE memorytrust.fragments ENABLE ROW LEVEL SECURITY;
ALTER TABLE memorytrust.fragments FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON memorytrust.fragments
  USING (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text)))
  WITH CHECK (agent = (SELECT a.agent FROM memorytrust.agents a WHERE a.role = CAST(current_user AS text)));
GRANT SELECT, INSERT, DELETE ON memorytrust.fragments TO PUBLIC;
