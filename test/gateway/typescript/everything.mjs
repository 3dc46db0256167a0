// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// The official TypeScript client with the server of all features of the protocol, through the screener and without it.
// Usage: everything.mjs URL SERVER.js

import assert from 'node:assert/strict';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const [url, server] = process.argv.slice(2);

const direct = new Client({ name: 'everything', version: '1.0.0' });
await direct.connect(new StdioClientTransport({ command: process.execPath, args: [server, 'stdio'], stderr: 'ignore', env: process.env }));
const agent = new Client({ name: 'everything', version: '1.0.0' });
await agent.connect(new StreamableHTTPClientTransport(new URL(`${url}?session=typescript`)));

assert.deepEqual(agent.getServerVersion(), direct.getServerVersion());
assert.equal(agent.getInstructions(), direct.getInstructions());

const byName = (list) => Object.fromEntries(list.map((e) => [e.name, e]));
const [want, got] = await Promise.all([direct, agent].map(async (c) => [
  byName((await c.listTools()).tools), byName((await c.listPrompts()).prompts),
  byName((await c.listResources()).resources), byName((await c.listResourceTemplates()).resourceTemplates),
]));
assert.deepEqual(got, want);
assert.ok(Object.keys(got[0]).length > 8);

const both = async (name, args) => {
  const [a, b] = await Promise.all([direct, agent].map((c) => c.callTool({ name, arguments: args })));
  assert.deepEqual(b.content, a.content, name);
  assert.deepEqual(b.structuredContent, a.structuredContent, name);
};
await both('echo', { message: 'Grüße, 東京 \u2028 "quoted"' });
await both('get-structured-content', { location: 'New York' });
await both('get-tiny-image', {});
await both('get-annotated-message', { messageType: 'debug', includeImage: false });

const seen = [];
const done = await agent.callTool({ name: 'trigger-long-running-operation', arguments: { duration: 1, steps: 4 } }, undefined,
  { onprogress: (p) => seen.push(p.progress), resetTimeoutOnProgress: true });
assert.ok(!done.isError);
assert.deepEqual(seen, [1, 2, 3, 4].slice(0, seen.length));
assert.ok(seen.length >= 3, `saw ${seen}`);

const abort = new AbortController();
const given = agent.callTool({ name: 'trigger-long-running-operation', arguments: { duration: 120, steps: 2 } }, undefined, { signal: abort.signal });
setTimeout(() => abort.abort(), 200);
await assert.rejects(given);
await agent.ping();

// Many calls at a time come back to those who made them.
const echoes = await Promise.all(Array.from({ length: 30 }, (_, i) => agent.callTool({ name: 'echo', arguments: { message: `number ${i}` } })));
echoes.forEach((e, i) => assert.match(e.content[0].text, new RegExp(`number ${i}$`)));

const prompt = await agent.getPrompt({ name: 'args-prompt', arguments: { city: 'Paris', state: 'Texas' } });
assert.deepEqual(prompt.messages, (await direct.getPrompt({ name: 'args-prompt', arguments: { city: 'Paris', state: 'Texas' } })).messages);
await assert.rejects(agent.readResource({ uri: 'demo://resource/../../etc/passwd' }));

await Promise.all([direct.close(), agent.close()]);
console.log(`ok ${Object.keys(got[0]).length} tools, ${seen.length} notifications`);
