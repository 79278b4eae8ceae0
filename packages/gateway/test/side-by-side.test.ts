import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DependentCalls, deferred } from '@ambit/core';
import { expect, it, vi } from 'vitest';
import * as z from 'zod';
import { PlaceBeside } from '../src/serve/place-beside.js';
import type { NamedServer } from '../src/upstream/server-of.js';
import { createWorld, policyOf } from './world.js';

const script = new URL('servers/links.mjs', import.meta.url).pathname;
const rules = `
  mcp.call: pre_approved
  fs.write: { decision: pre_approved, match: { path: ./** } }
  secret.read: blocked
`;
const path = { arg: ['path'] };

async function opened(more: Partial<NamedServer> = {}, policy = rules, answer?: () => unknown) {
  const at = createWorld(policyOf(policy));
  const place = (name: string) => join(at.folder, name);
  writeFileSync(place('.env'), 'the secret');
  writeFileSync(place('plain'), 'plain');
  const server: NamedServer = {
    name: 'links',
    command: [process.execPath, script, place('asked')],
    folder: at.folder,
    environment: {},
    trusted: false,
    carries: {
      link: [{ name: 'fs.write', facts: { path } }],
      read: [{ name: 'fs.read', facts: { path } }],
      hang: [{ name: 'fs.read', facts: { path } }],
    },
    ...more,
  };
  const { client } = await at.open('good', answer, [server]);
  const call = async (name: string, file: string, signal?: AbortSignal) => {
    const args = { name, arguments: { path: place(file) } };
    const result = await client.callTool(args, undefined, { ...(signal && { signal }) });
    return JSON.stringify(result.content);
  };
  return { at, call };
}

it('a call waits for one that changes its file, and is judged afterwards', async () => {
  const { at, call } = await opened();
  const [linked, read] = await Promise.all([call('link', 'l'), call('read', 'l')]);
  expect(linked).toContain('linked');
  expect(read).toContain('BLOCKED by policy');
  expect(at.asked()).toEqual(['link']);
});

it('a call waits for one whose effects nobody states', async () => {
  const { call } = await opened({ carries: { read: [{ name: 'fs.read', facts: { path } }] } });
  const [, read] = await Promise.all([call('link', 'l'), call('read', 'l')]);
  expect(read).toContain('BLOCKED by policy');
});

it('a call is judged when one that it waits for has failed', async () => {
  const { call } = await opened();
  const [first, second, read] = await Promise.all([
    call('link', 'l'),
    call('link', 'l/x'),
    call('read', 'l'),
  ]);
  expect([first, second]).toEqual([expect.stringContaining('linked'), expect.any(String)]);
  expect(read).toContain('BLOCKED by policy');
});

it('calls of a trusted server that read run side by side, and a cancelled one holds none', async () => {
  const { at, call } = await opened({ trusted: true });
  const cancelling = new AbortController();
  const hung = call('hang', 'l', cancelling.signal).catch(() => 'cancelled');
  expect(await call('read', 'plain')).toContain('plain');
  const linked = call('link', 'l');
  cancelling.abort();
  expect([await hung, await linked]).toEqual(['cancelled', expect.stringContaining('linked')]);
  expect(at.asked()).toEqual(['hang', 'read', 'link']);
});

it('a call that waits for a person holds none, and waits for the others after the answer', async () => {
  const read = deferred();
  const answer = () => read.promise.then(() => ({ action: 'accept', content: { decision: 'approve' } }));
  const { at, call } = await opened(
    {},
    rules.replace('./** }', './other }').concat('  fs: { decision: needs_approval, match: { path: ./l } }\n'),
    answer,
  );
  const asked = call('link', 'l');
  expect(await call('read', 'plain')).toContain('plain');
  const hung = call('link', 'other');
  read.resolve();
  expect(await asked).toContain('linked');
  await hung;
  expect(at.asked()).toEqual(['read', 'link', 'link']);
});

it('a request that is never answered holds others for half a minute', async () => {
  vi.useFakeTimers();
  try {
    const dependent = new DependentCalls();
    const effectsOf = async () => ({ args: {}, capabilities: [{ name: 'fs.write', path: '/w/a' }] });
    const placeOf = (tool: string) =>
      new PlaceBeside({ tool, args: {} }, { dependent, effectsOf, signal: new AbortController().signal });
    const [first, second] = [placeOf('first'), placeOf('second')];
    await first.begin();
    first.pass();
    let hasBegun = false;
    const begun = second.begin().then(() => {
      hasBegun = true;
    });
    await vi.advanceTimersByTimeAsync(29_000);
    expect([hasBegun, second.hasWaited]).toEqual([false, true]);
    await vi.advanceTimersByTimeAsync(2_000);
    await begun;
    second.end();
  } finally {
    vi.useRealTimers();
  }
});

it('a call waits for a task of one that changes its file', async () => {
  const at = createWorld(policyOf(rules));
  const carries = { echo: [{ name: 'fs.write', facts: { path: { is: './a' } } }] };
  const { client } = await at.open('tasks', undefined, { carries });
  const any = z.looseObject({});
  const request = (method: string, params: object) => client.request({ method, params } as never, any);
  await request('tools/call', { name: 'echo', arguments: { text: 'a' }, task: {} });
  const second = client.callTool({ name: 'echo', arguments: { text: 'b' } });
  // Meanwhile a call that does not wait is passed on.
  for (let time = 0; time < 50; time += 1) await request('tasks/get', { taskId: 'a' });
  await request('tasks/cancel', { taskId: 'a' });
  await second;
  const asked = at.asked().filter((line) => /^tasks\/cancel|^tools\/call/.test(line));
  expect(asked.map((line) => line.split(' ')[0])).toEqual(['tools/call', 'tasks/cancel', 'tools/call']);
});
