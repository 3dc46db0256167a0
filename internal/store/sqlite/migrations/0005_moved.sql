-- Copyright The MemoryTrust Authors.
-- SPDX-License-Identifier: Apache-2.0

-- Says that the memory was moved elsewhere. A file with a row here is not opened any more, so that it cannot go on beside the
-- store that took its place.
CREATE TABLE moved (
  id      INTEGER PRIMARY KEY CHECK (id = 1),
  run     TEXT NOT NULL, -- names the move, here and where the memory is now
  at      INTEGER NOT NULL,
  outcome TEXT NOT NULL  -- what was compared, as JSON
) STRICT;
