// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// The same calls to the reference memory server and to the screener, with the same answers. Usage: differential.mjs URL
//
// What the reference accepts and the screener does not, by design, is left out: names that are empty, longer than 256 bytes or
// hold control characters, observations that are blank, two new entities of one name in one call. So is what the screener
// holds back, which the reference has no word for.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const scratch = await mkdtemp(path.join(tmpdir(), 'reference-'));
const server = path.join(path.dirname(fileURLToPath(import.meta.url)), 'node_modules/@modelcontextprotocol/server-memory/dist/index.js');

const reference = new Client({ name: 'differential', version: '1.0.0' });
await reference.connect(new StdioClientTransport({
  command: process.execPath, args: [server], stderr: 'ignore', env: { ...process.env, MEMORY_FILE_PATH: path.join(scratch, 'memory.jsonl') },
}));
const ours = new Client({ name: 'differential', version: '1.0.0' });
const url = new URL(process.argv[2]);
url.searchParams.set('namespace', 'differential');
await ours.connect(new StreamableHTTPClientTransport(url));

let compared = 0;

// both makes one call to both and compares all of the answer but _meta.
async function both(name, args, { error } = {}) {
  const [want, got] = await Promise.all([reference, ours].map((c) => c.callTool({ name, arguments: args })));
  compared++;
  const where = `${name}(${JSON.stringify(args)})`;
  assert.equal(got.isError ?? false, want.isError ?? false, `${where}: ${JSON.stringify(want)} and ${JSON.stringify(got)}`);
  if (error === 'any text') {
    assert.equal(want.isError, true, where);
    return;
  }
  assert.deepEqual(got.content, want.content, where);
  assert.deepEqual(got.structuredContent, want.structuredContent, where);
}

// Tools: name, title, annotations and schemas. Descriptions are our own words.
function described(tools) {
  const plain = (v) => {
    if (Array.isArray(v)) return v.map(plain);
    if (v === null || typeof v !== 'object') return v;
    return Object.fromEntries(Object.entries(v).filter(([k]) => k !== 'description').map(([k, w]) => [k, plain(w)]));
  };
  return Object.fromEntries(tools.map((t) => [t.name, plain({
    title: t.title, annotations: t.annotations, inputSchema: t.inputSchema, outputSchema: t.outputSchema,
  })]));
}
const wanted = described((await reference.listTools()).tools);
const served = described((await ours.listTools()).tools);
for (const [name, tool] of Object.entries(wanted)) assert.deepEqual(served[name], tool, `tool ${name}`);
assert.equal(Object.keys(wanted).length, 9);

const entity = (name, entityType, ...observations) => ({ name, entityType, observations });
const relation = (from, to, relationType) => ({ from, to, relationType });

// Everything on an empty graph, and refusals.
await both('read_graph', {});
await both('search_nodes', { query: 'x' });
await both('open_nodes', { names: ['nobody'] });
await both('open_nodes', { names: [] });
await both('delete_entities', { entityNames: ['nobody'] });
await both('delete_observations', { deletions: [{ entityName: 'nobody', observations: ['x'] }] });
await both('delete_relations', { relations: [relation('a', 'b', 'c')] });
await both('add_observations', { observations: [{ entityName: 'nobody', contents: ['x'] }] });
await both('create_entities', { entities: [] });
await both('create_relations', { relations: [] });
for (const [name, args] of [
  ['create_entities', {}], ['create_entities', { entities: 3 }], ['create_entities', { entities: [{ name: 'a', entityType: 'b' }] }],
  ['create_relations', { relations: [{ from: 'a', to: 'b' }] }], ['add_observations', { observations: [{ entityName: 'a', contents: 'x' }] }],
  ['search_nodes', {}], ['open_nodes', { names: 'a' }], ['delete_entities', { entityNames: [1] }],
]) await both(name, args, { error: 'any text' });

// A life of a small graph.
await both('create_entities', { entities: [entity('Ada', 'person', 'likes tea', 'lives in Lyon'), entity('Bob', 'person'), entity('Acme', 'company', 'sells tea')] });
await both('create_entities', { entities: [entity('Ada', 'robot', 'ignored'), entity('Cleo', '', 'likes chess')] });
await both('create_entities', { entities: [entity('Ünïcödé 日本', 'Ort', 'liegt am Fluß', 'emoji 😀 \u2028 <b>&amp;</b> "quoted" \\u0041 \t tab\nline')], extra: 'ignored' });
await both('create_relations', { relations: [relation('Ada', 'Acme', 'works at'), relation('Bob', 'Ada', 'knows'), relation('Bob', 'Nobody', 'waits for')] });
await both('create_relations', { relations: [relation('Ada', 'Acme', 'works at'), relation('Ada', 'Acme', 'owns'), relation('Ada', 'Acme', 'owns')] });
await both('add_observations', { observations: [{ entityName: 'Ada', contents: ['likes tea', 'plays chess', 'plays chess'] }, { entityName: 'Ada', contents: ['plays chess', 'sings'] }] });
await both('add_observations', { observations: [{ entityName: 'Bob', contents: ['not stored'] }, { entityName: 'Zoe', contents: ['x'] }] });
await both('add_observations', { observations: [{ entityName: 'Bob', contents: [] }] });
await both('read_graph', {});
for (const query of ['tea', 'CHESS', 'person', 'ünïcödé', 'FLUSS', 'fluß', '日', '', 'nothing like it', 'İ', 'quoted" \\']) await both('search_nodes', { query });
for (const names of [['Ada'], ['Bob', 'Ada', 'Bob'], ['Nobody'], ['Acme', 'Cleo', 'Ünïcödé 日本']]) await both('open_nodes', { names });
await both('delete_observations', { deletions: [{ entityName: 'Ada', observations: ['plays chess', 'never said'] }, { entityName: 'Bob', observations: [] }] });
await both('delete_relations', { relations: [relation('Ada', 'Acme', 'owns')] });
await both('read_graph', {});
await both('delete_entities', { entityNames: ['Acme', 'Nobody'] });
await both('read_graph', {});
await both('create_entities', { entities: [entity('Acme', 'company', 'sells coffee')] });
await both('read_graph', {});

// A long random life, the same on every run.
let seed = 20261101;
const below = (n) => {
  seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
  return Math.floor((seed / 2 ** 32) * n);
};
const pick = (list) => list[below(list.length)];
const some = (make) => Array.from({ length: below(4) }, make);
const names = ['Ada', 'Bob', 'Cleo', 'Dan Öz', 'Acme', 'Lyon', '東京'];
const types = ['person', 'company', 'city'];
const facts = ['likes tea', 'likes Tea', 'was founded in 1987', 'has two sisters', 'opens at eight', 'speaks français', 'は大きい'];
const relationTypes = ['knows', 'works at', 'is near'];
const distinct = (list) => [...new Map(list.map((e) => [e.name, e])).values()];
const moves = {
  create_entities: () => ({ entities: distinct(some(() => entity(pick(names), pick(types), ...some(() => pick(facts))))) }),
  create_relations: () => ({ relations: some(() => relation(pick(names), pick(names), pick(relationTypes))) }),
  add_observations: () => ({ observations: some(() => ({ entityName: pick(names), contents: some(() => pick(facts)) })) }),
  delete_entities: () => ({ entityNames: some(() => pick(names)).slice(0, 1) }),
  delete_observations: () => ({ deletions: some(() => ({ entityName: pick(names), observations: some(() => pick(facts)) })) }),
  delete_relations: () => ({ relations: some(() => relation(pick(names), pick(names), pick(relationTypes))) }),
  search_nodes: () => ({ query: pick([...facts, ...names, ...types, 'A', 'e']) }),
  open_nodes: () => ({ names: some(() => pick(names)) }),
};
for (let i = 0; i < 150; i++) {
  const tool = pick(Object.keys(moves));
  await both(tool, moves[tool]());
  if (i % 5 === 0) await both('read_graph', {});
}
await both('read_graph', {});

const resource = { uri: 'memory://knowledge-graph' };
const [want, got] = await Promise.all([reference, ours].map((c) => c.readResource(resource)));
assert.equal(got.contents[0].text, want.contents[0].text);
assert.equal(got.contents[0].mimeType, want.contents[0].mimeType);

await Promise.all([reference.close(), ours.close()]);
await rm(scratch, { recursive: true });
console.log(`ok ${compared} calls compared`);
