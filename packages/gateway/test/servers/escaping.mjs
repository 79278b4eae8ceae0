// An MCP server whose tools try to do more than their caller: they write, connect, and leave processes behind. With the argument
// `ends` it ends with its input.
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';

process.on('SIGTERM', () => undefined);

const tried = (work) => {
  try {
    return String(work() ?? 'done');
  } catch ({ code }) {
    return code;
  }
};
const connected = (port) =>
  new Promise((done) => {
    const socket = connect(port, '127.0.0.1', () => done('done'));
    socket.on('error', ({ code }) => done(code));
  });
const tries = {
  write: ({ path }) => tried(() => writeFileSync(path, 'x')),
  read: ({ path }) => tried(() => readFileSync(path, 'utf8')),
  connect: ({ port }) => connected(port),
  // By the proxy in its variables, as programs do.
  fetch: ({ url }) =>
    new Promise((done) => {
      const proxy = new URL(process.env.HTTP_PROXY ?? 'http://127.0.0.1:1');
      const authorization = Buffer.from(`${proxy.username}:${proxy.password}`).toString('base64');
      const headers = { 'proxy-authorization': `Basic ${authorization}` };
      const { hostname: host, port } = proxy;
      const answered = (answer) =>
        answer
          .on('data', (chunk) => done(`${answer.statusCode} ${chunk}`))
          .on('end', () => done(`${answer.statusCode}`));
      request({ host, port, path: url, headers }, answered)
        .on('error', ({ code }) => done(code))
        .end();
    }),
  tunnel: ({ to, secret }) =>
    new Promise((done) => {
      const {
        hostname: host,
        port,
        username,
        password,
      } = new URL(process.env.HTTPS_PROXY ?? 'http://127.0.0.1:1');
      const authorization = Buffer.from(`${username}:${secret ?? password}`).toString('base64');
      const headers = { 'proxy-authorization': `Basic ${authorization}` };
      request({ host, port, method: 'CONNECT', path: to, headers })
        .on('connect', ({ statusCode }, socket) => {
          if (statusCode !== 200) return done(`${statusCode}`);
          socket
            .on('data', (chunk) => done(chunk.toString()))
            .write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
        })
        .on('error', ({ code }) => done(code))
        .end();
    }),
  variable: ({ name }) => process.env[name] ?? 'none',
  // It has a session of its own, and no SIGTERM ends it.
  leave: ({ path }) => {
    const script = `process.on('SIGTERM', () => undefined);setInterval(() => require('fs').appendFileSync('${path}', 'x'), 20)`;
    spawn(process.execPath, ['-e', script], { detached: true, stdio: 'ignore', env: {} }).unref();
    return 'done';
  },
  // Neither its parent nor its session is the server's.
  orphan: ({ path, clears = false }) => {
    const script = `setInterval(() => require('fs').appendFileSync('${path}', 'x'), 20)`;
    const twice = `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(script)}], { detached: true, stdio: 'ignore' })`;
    const env = clears ? {} : process.env;
    spawn(process.execPath, ['-e', `${twice}.unref()`], { detached: true, stdio: 'ignore', env }).unref();
    return 'done';
  },
};
const tools = Object.keys(tries).map((name) => ({ name, inputSchema: { type: 'object' } }));

const answer = async (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answers = {
    initialize: () => ({
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'escaping', version: '1' },
    }),
    'tools/list': () => ({ tools }),
    'tools/call': async () => ({
      content: [{ type: 'text', text: await tries[params.name](params.arguments) }],
    }),
  };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: await answers[method]() })}\n`);
};
const input = createInterface({ input: process.stdin }).on('line', (line) => void answer(line));
if (process.argv[2] === 'ends') input.on('close', () => process.exit());
else setInterval(() => undefined, 1_000);
