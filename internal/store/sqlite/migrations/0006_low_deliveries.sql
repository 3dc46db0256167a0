-- Copyright The MemoryTrust Authors.
-- SPDX-License-Identifier: Apache-2.0

-- Deliveries that lower a session below what the agent can say by itself. A write asks for them, and must not have to walk through
-- everything else that was shown. The condition is that of a query, word for word.
CREATE INDEX deliveries_low_to ON deliveries (namespace, session, at)
  WHERE class NOT IN ('UserInput', 'Manual', 'SystemMemory', 'AgentInferred');
CREATE INDEX deliveries_low ON deliveries (namespace, at)
  WHERE class NOT IN ('UserInput', 'Manual', 'SystemMemory', 'AgentInferred');
