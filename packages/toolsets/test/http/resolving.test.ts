import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explore } from '../../../../test/depth.js';
import { fetching, type Judging, serve } from './stage.js';

/** Answers with each list in turn, and counts. */
function answering(...lists: readonly (readonly string[])[]) {
  const asked: string[] = [];
  const resolve = async (name: string): Promise<readonly string[]> => {
    const list = lists[Math.min(asked.length, lists.length - 1)] as readonly string[];
    asked.push(name);
    return list;
  };
  return { resolve, asked };
}

/** No host has these addresses, so a request is cancelled soon. */
const public1 = '203.0.113.7';
const quick = { timeout: 0.1 };

describe('a name with a private address', () => {
  it('restarts the call: it is judged as private before the connection', async () => {
    const host = await serve((_, response) => response.end('inside'));
    const { resolve, asked } = answering(['127.0.0.1']);
    const { fetch, judged, events } = fetching({}, { resolve });
    const url = `http://intranet.example:${host.port}/`;
    expect(await fetch({ url })).toMatchObject({ url, text: 'inside' });
    expect(judged()).toEqual([['net.connect intranet.example'], ['net.connect.private intranet.example']]);
    expect(events.map(({ event }) => event)).toEqual(['decision', 'decision', 'outcome']);
    // Resolved once, though judged twice; and the host is told its name.
    expect([asked, host.asked]).toEqual([['intranet.example'], [`GET / intranet.example:${host.port}`]]);
  });

  it.each([['127.0.0.1'], ['::ffff:127.0.0.1'], ['0:0:0:0:0:ffff:7f00:1'], ['0.0.0.0']])(
    'is not connected to if that is blocked: %s',
    async (address) => {
      const host = await serve((_, response) => response.end('inside'), '0.0.0.0');
      const { call } = fetching({ 'net.connect.private': 'blocked' }, answering([address]));
      const outcome = await call({ url: `http://harmless.example:${host.port}/` });
      expect(outcome).toMatchObject({ status: 'refused', refusal: { code: 'blocked' } });
      expect(host.asked).toEqual([]);
    },
  );

  it('is judged as public and private if one of its addresses is public', async () => {
    const host = await serve((_, response) => response.end('inside'));
    const { call, judged } = fetching(
      { 'net.connect.private': 'blocked' },
      answering([public1, '127.0.0.1']),
    );
    expect(await call({ url: `http://mixed.example:${host.port}/` })).toMatchObject({ status: 'refused' });
    expect(judged()).toEqual([
      ['net.connect mixed.example'],
      ['net.connect mixed.example', 'net.connect.private mixed.example'],
    ]);
    expect(host.asked).toEqual([]);
  });

  it.each([
    ['without a host', { name: 'net.connect.private' }],
    ['of another host', { name: 'net.connect.private', host: 'other.example', port: 80 }],
  ])('is judged as private even if a policy adds a private connection %s', async (_, capability) => {
    const host = await serve((__, response) => response.end('inside'));
    const { fetch, judged } = fetching({}, answering(['127.0.0.1']), [{ tool: 'http.fetch', capability }]);
    expect(await fetch({ url: `http://intranet.example:${host.port}/` })).toMatchObject({ text: 'inside' });
    expect(judged().at(-1)).toContain('net.connect.private intranet.example');
  });

  it('uses its first answer if it changes each time', async () => {
    const host = await serve((_, response) => response.end('inside'));
    const rebinding = answering([public1], ['127.0.0.1']);
    const { call } = fetching({ 'net.connect.private': 'blocked' }, { ...quick, resolve: rebinding.resolve });
    const url = `http://rebinding.example:${host.port}/`;
    expect(await call({ url })).toMatchObject({ status: 'failed' });
    expect([rebinding.asked.length, host.asked]).toEqual([1, []]);
    // The next call asks again, and is judged by what it hears.
    expect(await call({ url })).toMatchObject({ status: 'refused' });
    expect(host.asked).toEqual([]);
  });

  it('cannot lead outside after it was judged as private', async () => {
    const host = await serve((_, response) => response.end('inside'));
    const rebinding = answering(['127.0.0.1'], [public1]);
    const { fetch } = fetching({ 'net.connect': 'pre_approved' }, { resolve: rebinding.resolve });
    expect(await fetch({ url: `http://rebinding.example:${host.port}/` })).toMatchObject({ text: 'inside' });
    expect(rebinding.asked.length).toBe(1);
  });

  it('is judged as private by its spelling and by its addresses', async () => {
    const { call, judged } = fetching({}, { ...quick, ...answering([public1]) });
    await call({ url: 'http://printer.local/' });
    expect(judged()).toEqual([
      ['net.connect.private printer.local'],
      ['net.connect.private printer.local', 'net.connect printer.local'],
    ]);
  });

  it.each([[[]], [['not an address']], [['example.com']]])(
    'is not connected to without valid addresses: %j',
    async (addresses) => {
      const { call } = fetching({}, answering(addresses));
      expect(await call({ url: 'http://nowhere.example/' })).toMatchObject({
        status: 'failed',
        error: 'nowhere.example: there is no such host',
      });
    },
  );
});

describe('an address', () => {
  it('is never resolved', async () => {
    const host = await serve((_, response) => response.end('x'));
    const { resolve, asked } = answering(['127.0.0.2']);
    const { fetch } = fetching({}, { resolve });
    expect(await fetch({ url: `http://0x7f.1:${host.port}/` })).toMatchObject({ text: 'x' });
    expect([asked, host.asked]).toEqual([[], [`GET / 127.0.0.1:${host.port}`]]);
  });

  it.each([
    '127.0.0.1',
    '0',
    '2130706433',
    '[::ffff:127.0.0.1]',
    '0177.1',
    'localhost',
    'LOCALHOST.',
    '127.0.0.1.',
  ])('of this machine is private in any spelling: %s', async (written) => {
    const host = await serve((_, response) => response.end('x'));
    const { call } = fetching({ 'net.connect.private': 'blocked' });
    expect(await call({ url: `http://${written}:${host.port}/` })).toMatchObject({ status: 'refused' });
    expect(host.asked).toEqual([]);
  });
});

describe('for any resolution of a name', () => {
  it('no connection is made to an address that was not judged', async () => {
    const addresses = ['127.0.0.1', '127.0.0.2', '127.0.0.3'];
    const asked = new Map<string, string[]>();
    let port = 0;
    for (const address of addresses) {
      const host = await serve((_, response) => response.end(address), address, port);
      port = host.port;
      asked.set(address, host.asked);
    }
    // By round, which is the path: the connection of one round may come while another is tried.
    const permitted: (readonly string[])[] = [];
    const wrong = () =>
      addresses.flatMap((address) =>
        (asked.get(address) ?? []).filter((request) => {
          const round = /^GET \/(\d+) /.exec(request)?.[1];
          return permitted[Number(round)]?.includes(address) !== true;
        }),
      );
    const list = fc.array(fc.constantFrom(...addresses, '::ffff:127.0.0.2', public1, '2001:db8::7'), {
      minLength: 1,
      maxLength: 3,
    });
    const name = fc.constantFrom('a.example', 'b.local', 'localhost');
    const decision = fc.constantFrom('pre_approved' as const, 'blocked' as const);
    await fc.assert(
      fc.asyncProperty(
        fc.array(list, { minLength: 1, maxLength: 3 }),
        name,
        decision,
        async (lists, host, priv) => {
          const first = (lists[0] ?? []).map((address) => address.replace('::ffff:', ''));
          permitted.push(priv === 'blocked' ? [] : first);
          const judging: Judging = { 'net.connect.private': priv };
          const { resolve } = answering(...lists);
          const { call } = fetching(judging, { timeout: 0.05, resolve });
          await call({ url: `http://${host}:${port}/${permitted.length - 1}` });
          expect(wrong()).toEqual([]);
        },
      ),
      explore(200),
    );
    expect(wrong()).toEqual([]);
  });
});
