import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openPipe, type PartsBelow, partsBelow } from '../src/hook/pipe.js';

const kinds: readonly [string, PartsBelow | null][] = [
  ['streams', null],
  ['the parts below them', partsBelow()],
];

/** The path of a Unix socket on which a server answers. */
async function serverWith(answer: (connection: Socket) => void): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'pipe-'));
  const server = createServer({ allowHalfOpen: true }, (connection) => {
    connection.on('error', () => undefined);
    answer(connection);
  });
  const path = join(folder, 'socket');
  await new Promise<void>((resolve) => server.listen(path, resolve));
  onTestFinished(() => {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return path;
}

/** What comes back for these texts until the end, or what was wrong. */
function exchanged(path: string, texts: readonly string[], below: PartsBelow | null): Promise<string> {
  const parts: Buffer[] = [];
  return new Promise((resolve) => {
    const end = (error: Error | null) =>
      resolve(error === null ? Buffer.concat(parts).toString() : 'it failed');
    const pipe = openPipe(path, { part: (bytes) => void parts.push(bytes), end }, below);
    for (const text of texts) pipe.write(text);
  });
}

describe('a pipe', () => {
  it('uses internals that exist in every known version of Node', () => {
    expect(partsBelow() === null).toBe(!/^v(?:20|22|24)\./.test(process.version));
    expect(partsBelow('v26.0.0')).toBe(null);
    expect(partsBelow('v200.0.0')).toBe(null);
  });

  describe.each(kinds)('of %s', (_, below) => {
    it.each([1, 100_000, 2_000_000])('transfers %d characters in both directions', async (length) => {
      const text = 'é'.repeat(length);
      const path = await serverWith((connection) => {
        connection.setEncoding('utf8');
        let got = '';
        connection.on('data', (part: string) => {
          got += part;
          if (got.endsWith('\n')) connection.end(got);
        });
      });
      const back = await exchanged(path, [text, '\n'], below);
      expect(back === `${text}\n`).toBe(true);
    });

    it('ends if the other side ends without data', async () => {
      const path = await serverWith((connection) => connection.end());
      expect(await exchanged(path, [], below)).toBe('');
    });

    it('reports a socket without a listener', async () => {
      expect(await exchanged('/nowhere/socket', ['x'], below)).toBe('it failed');
    });

    it('reports nothing after it is closed', async () => {
      const said: unknown[] = [];
      const path = await serverWith((connection) => connection.end('more'));
      const note = (each: unknown) => void said.push(each);
      const pipe = openPipe(path, { part: note, end: note }, below);
      pipe.close();
      await exchanged(path, [], below);
      expect(said).toEqual([]);
    });
  });
});
