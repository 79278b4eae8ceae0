import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isJsonObject } from '@ambit/core';
import { type Finding, finding } from './finding.js';

/** Packages that decide, enforce or record: a toolset that needs one knows too much. */
const deciding = ['@ambit/policy', '@ambit/analysis', '@ambit/runtime', '@ambit/audit', '@ambit/cli'];

/** The mistakes of a module's package; none without a package. */
export async function checkPackage(module: string): Promise<readonly Finding[]> {
  const manifest = await nearestManifest(dirname(module));
  if (manifest === null) return [];
  const needed = ['dependencies', 'peerDependencies', 'optionalDependencies'].flatMap((key) => {
    const names = manifest[key];
    return isJsonObject(names) ? Object.keys(names) : [];
  });
  return deciding
    .filter((name) => needed.includes(name))
    .map((name) =>
      finding(
        'NOT_NEUTRAL',
        `its package depends on ${name}; a toolset states facts, and needs @ambit/core alone`,
      ),
    );
}

async function nearestManifest(folder: string): Promise<Record<string, unknown> | null> {
  const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => null);
  if (text !== null) {
    try {
      const manifest: unknown = JSON.parse(text);
      return isJsonObject(manifest) ? manifest : null;
    } catch {
      return null;
    }
  }
  const above = dirname(folder);
  return above === folder ? null : nearestManifest(above);
}
