import { checkPolicies } from '@ambit/analysis';
import type { DiagnosticCode } from '@ambit/policy';
import { describe, expect, it } from 'vitest';
import { listedFindings, sectionsAbout } from '../../../test/diagnostics.js';
import { worldOf } from '../../policy/test/world.js';

const head = 'version: 1\ndefault: needs_approval\n';
const levels = Array.from(
  { length: 9 },
  (_, level) =>
    `b${level}: &b${level} [${Array(10)
      .fill(`*b${level - 1}`)
      .join(', ')}]`,
);

/** Codes without an example on the page. */
const unshown: Partial<Readonly<Record<DiagnosticCode, string | Uint8Array>>> = {
  NOT_UTF8: Uint8Array.from([...new TextEncoder().encode(head), 0x23, 0xe4, 0x0a]),
  FILE_TOO_LARGE: `${head}#${'x'.repeat(9_000_000)}`,
  CONTROL_CHARACTER: `${head}# \u001b[2J`,
  TOO_DEEP: `${head}capabilities: ${'['.repeat(101)}${']'.repeat(101)}`,
  TOO_MANY_ALIASES: `${head}b0: &b0 [x]\n${levels.slice(1).join('\n')}`,
  TOO_MANY_PROBLEMS: `${head}${Array.from({ length: 300 }, (_, index) => `k${index}: 1`).join('\n')}`,
};

async function checked(content: string | Uint8Array) {
  const chain = Object.fromEntries(
    Array.from({ length: 25 }, (_, index) => [`deep/${index}.yaml`, `${head}extends: [${index + 1}.yaml]\n`]),
  );
  const world = worldOf({ ...chain, 'policy.yaml': content, 'org.yaml': head });
  return checkPolicies(['policy.yaml'], world, { now: Date.parse('2026-11-20T10:00:00Z') });
}

async function codesOf(content: string | Uint8Array): Promise<readonly DiagnosticCode[]> {
  const { diagnostics, warnings } = await checked(content);
  return [...diagnostics, ...warnings].map(({ code }) => code);
}

describe('docs/diagnostics.md', () => {
  // Those of worker files and suites are tried where worker files and suites are read.
  const sections = sectionsAbout('policy');

  it.each(sections)('$code › the example to avoid has exactly this code', async ({ code, avoid }) => {
    const found = await codesOf(unshown[code] ?? avoid);
    const isAlone = code !== 'TOO_MANY_ALIASES' && code !== 'TOO_MANY_PROBLEMS';
    expect(isAlone ? found : found.filter((other) => other === code).slice(0, 1)).toEqual([code]);
  });

  it('lists at its top the codes that only `ambit check` reports', async () => {
    const found: string[] = [];
    for (const { code, avoid } of sections) {
      const { warnings } = await checked(unshown[code] ?? avoid);
      if (warnings.some((warning) => warning.code === code)) found.push(code);
    }
    expect(listedFindings).toEqual(found);
  });

  it.each(sections)('$code › the example to prefer loads without findings', async ({ prefer }) => {
    expect(await codesOf(prefer)).toEqual([]);
  });
});
