import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename } from 'node:path';

export interface Registry {
  readonly url: string;
  close(): Promise<void>;
}

/** A package registry on loopback that offers tarballs, for clients that ask it for the scope `@ambit`. */
export async function startRegistry(tarballs: readonly string[]): Promise<Registry> {
  const documents = new Map<string, (url: string) => object>();
  const files = new Map<string, Buffer>();
  for (const tarball of tarballs) {
    const bytes = readFileSync(tarball);
    const manifest = JSON.parse(
      execFileSync('tar', ['xzOf', tarball, 'package/package.json'], { encoding: 'utf8' }),
    ) as { name: string; version: string };
    const { name, version } = manifest;
    const path = `/-/${basename(tarball)}`;
    files.set(path, bytes);
    const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
    documents.set(`/${name}`, (url) => ({
      name,
      'dist-tags': { latest: version },
      versions: { [version]: { ...manifest, dist: { tarball: `${url}${path}`, integrity } } },
      time: { [version]: '2026-01-01T00:00:00.000Z' },
    }));
  }
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const document = documents.get(path);
    const file = files.get(path);
    if (document !== undefined) response.setHeader('content-type', 'application/json');
    if (document === undefined && file === undefined) response.statusCode = 404;
    response.end(file ?? JSON.stringify(document?.(url) ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
