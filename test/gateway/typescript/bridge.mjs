// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// Serves an MCP server that only knows standard input and output over streamable HTTP, one process a session, as people do who put
// one into a cluster. Every message passes as it is. Callers show the bearer token in CREDENTIAL. Usage: bridge.mjs SERVER.js

import { randomUUID } from 'node:crypto';
import http from 'node:http';

import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';

const server = process.argv[2];
const sessions = new Map();

async function openSession() {
  const outer = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID, onsessioninitialized: (id) => { sessions.set(id, outer); },
  });
  const inner = new StdioClientTransport({ command: process.execPath, args: [server], stderr: 'ignore', env: process.env });
  outer.onmessage = (m) => inner.send(m);
  // An answer belongs to the request that it answers; progress to the one whose token it carries, which is its id in the official clients.
  inner.onmessage = (m) => outer.send(m, { relatedRequestId: m.params?.progressToken });
  outer.onclose = () => { sessions.delete(outer.sessionId); inner.close(); };
  inner.onclose = () => outer.close();
  await inner.start();
  await outer.start();
  return outer;
}

http.createServer(async (request, response) => {
  if (request.headers.authorization !== `Bearer ${process.env.CREDENTIAL}`) {
    response.writeHead(401, { 'WWW-Authenticate': 'Bearer' }).end();
    return;
  }
  const id = request.headers['mcp-session-id'];
  if (id && !sessions.has(id)) {
    response.writeHead(404).end();
    return;
  }
  await (sessions.get(id) ?? (await openSession())).handleRequest(request, response);
}).listen(0, '127.0.0.1', function () { console.log(`127.0.0.1:${this.address().port}`); });
