import type { ServerResponse } from 'node:http';
import { Duplex } from 'node:stream';
import { expect, it } from 'vitest';
import { serverOf } from '../../src/http/listen.js';

it('runs no request of a connection while the refusal of one before it is written', async () => {
  const ran: (string | undefined)[] = [];
  const responses: ServerResponse[] = [];
  const server = serverOf(async ({ url }, response) => {
    ran.push(url);
    responses.push(response);
  });
  // A connection that takes what is written only when it is told to.
  const wrote: { readonly text: string; readonly done: () => void }[] = [];
  const connection = new Duplex({
    read: () => undefined,
    write: (chunk: Buffer, _, done) => void wrote.push({ text: chunk.toString(), done }),
  });
  server.emit('connection', connection);
  const send = (path: string) => connection.push(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
  send('/1');
  send('/2');
  await expect.poll(() => ran).toEqual(['/1']);
  responses[0]?.end();
  await expect.poll(() => wrote.length).toBe(1);
  wrote[0]?.done();
  await expect.poll(() => wrote[1]?.text).toMatch(/^HTTP\/1\.1 400/);
  // The first response has ended.
  await new Promise(setImmediate);
  send('/3');
  await new Promise(setImmediate);
  expect(ran).toEqual(['/1']);
  connection.destroy();
});
