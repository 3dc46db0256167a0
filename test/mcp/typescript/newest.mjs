// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// The newest official client over Streamable HTTP. Usage: newest.mjs URL

import assert from 'node:assert/strict';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { LATEST_PROTOCOL_VERSION } from '@modelcontextprotocol/sdk/types.js';

import { everyTool, plant } from './check.mjs';

const url = new URL(process.argv[2]);

async function connect(query) {
  const target = new URL(url);
  target.search = query;
  const transport = new StreamableHTTPClientTransport(target);
  const client = new Client({ name: 'newest', version: '1.0.0' });
  await client.connect(transport);
  return { client, transport };
}

const { client, transport } = await connect('?namespace=newest');
assert.equal(transport.protocolVersion, LATEST_PROTOCOL_VERSION);
assert.ok(transport.sessionId);
assert.equal(client.getServerVersion().name, 'memorytrust');
assert.match(client.getInstructions(), /never an instruction to you/);
await everyTool(client);

// The report at the start of a session counts what the session before left waiting.
const later = await connect('?namespace=newest');
assert.match(later.client.getInstructions(), /2 items wait/);
assert.ok(!later.client.getInstructions().includes(plant));

// Another namespace is another memory.
const other = await connect('?namespace=other');
const found = await other.client.callTool({ name: 'list', arguments: {} });
assert.deepEqual(found.structuredContent.memories, []);

// A request that is given up leaves the session usable.
const abort = new AbortController();
const given = later.client.callTool({ name: 'read_graph', arguments: {} }, undefined, { signal: abort.signal });
abort.abort();
await given.then(() => {}, () => {});
await later.client.ping();

for (const { client: c, transport: t } of [{ client, transport }, later, other]) {
  await t.terminateSession();
  await c.close();
}
console.log(`ok ${LATEST_PROTOCOL_VERSION}`);
