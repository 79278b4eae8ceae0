import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const folder = new URL('../../src/mcp/', import.meta.url);

describe('a program that uses no server', () => {
  it('loads no part of the SDK before a server is started', () => {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const texts = names
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(new URL(name, folder), 'utf8'));
    const using = texts.filter((text) => isUsed(text));
    expect(using.length).toBeGreaterThan(2);
    expect(
      using.filter((text) =>
        isUsed(text.replace(/^import type [^;]*;|=> import\([^)]*\)|loadOptional\(\s*'[^']*'/gm, '')),
      ),
    ).toEqual([]);
  });
});

function isUsed(text: string): boolean {
  return /'(@modelcontextprotocol\/|undici')/.test(text);
}
