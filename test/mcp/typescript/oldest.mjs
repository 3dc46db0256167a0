// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// A client of the first protocol version over stdio, through the bridge. Usage: oldest.mjs SCREENER URL

import assert from 'node:assert/strict';

import { Client } from 'sdk-2024-11-05/client/index.js';
import { StdioClientTransport } from 'sdk-2024-11-05/client/stdio.js';
import { LATEST_PROTOCOL_VERSION } from 'sdk-2024-11-05/types.js';

import { everyTool } from './check.mjs';

const [screener, url] = process.argv.slice(2);

// This client knows no newer version and refuses a server that answers with one.
assert.equal(LATEST_PROTOCOL_VERSION, '2024-11-05');

const transport = new StdioClientTransport({ command: screener, args: ['mcp', '--url', url, '--namespace', 'oldest'], env: process.env });
const client = new Client({ name: 'oldest', version: '1.0.0' }, { capabilities: {} });
let negotiated;
await client.connect({
  start: () => transport.start(),
  close: () => transport.close(),
  send: (m) => transport.send(m),
  set onclose(f) { transport.onclose = f; },
  set onerror(f) { transport.onerror = f; },
  set onmessage(f) {
    transport.onmessage = (m) => {
      negotiated ??= m.result?.protocolVersion;
      f(m);
    };
  },
});
assert.equal(negotiated, '2024-11-05');
assert.equal(client.getServerVersion().name, 'memorytrust');
await everyTool(client);

// Many requests at a time come back to those who asked.
const found = await Promise.all(Array.from({ length: 40 }, (_, i) =>
  client.callTool({ name: 'remember', arguments: { content: `Locker ${i} belongs to team ${i}.`, subject: `locker ${i}` } })
    .then(() => client.callTool({ name: 'list', arguments: { subject: `locker ${i}` } }))));
found.forEach((r, i) => assert.equal(r.structuredContent.memories[0].content, `Locker ${i} belongs to team ${i}.`));

await client.close();
console.log(`ok ${negotiated}`);
