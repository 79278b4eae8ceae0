import {
  escapeText,
  formatDiagnostics,
  type LoadedPolicies,
  loadPolicies,
  starterPolicy,
} from '@ambit/policy';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explore } from '../../../../test/depth.js';
import { diagnosticSections } from '../../../../test/diagnostics.js';
import { worldOf } from '../world.js';

const seeds = [starterPolicy(), ...diagnosticSections.flatMap(({ avoid, prefer }) => [avoid, prefer])];
const pieces = [
  '[',
  ']',
  '{',
  '}',
  ':',
  ': ',
  '- ',
  '? ',
  '\n',
  '\t',
  '  ',
  '&a ',
  '*a',
  '!x ',
  '|',
  '>',
  '"',
  "'",
  '#',
  '%',
  '---\n',
  '...\n',
  '<<: ',
  '~',
  'null',
  '1',
  'true',
  '\u0000',
  '\ufeff',
  '\u202e',
  '😀',
  'decision',
  'when',
  '__proto__',
];

async function loadText(content: string | Uint8Array): Promise<LoadedPolicies> {
  return loadPolicies(['policy.yaml'], worldOf({ 'policy.yaml': content }));
}

function isSound(loaded: LoadedPolicies, content: string | Uint8Array): boolean {
  if (loaded.ok) return loaded.policies.length === 1;
  const text = typeof content === 'string' ? content : new TextDecoder().decode(content);
  const lines = text.replace(/^\ufeff/, '').split('\n');
  const report = formatDiagnostics(loaded.diagnostics);
  return (
    escapeText(report.replaceAll('\n', '')) === report.replaceAll('\n', '') &&
    loaded.diagnostics.every(({ line, column, length }) => {
      const room = (lines[line - 1]?.length ?? -1) + 1;
      return line >= 1 && column >= 1 && column <= room && length >= 0 && column - 1 + length <= room;
    })
  );
}

describe('loadPolicies', () => {
  it('returns a policy, or diagnostics with places in the file, for any mutation of a policy', async () => {
    const edit = fc.record({
      at: fc.nat(2000),
      cut: fc.nat(6),
      put: fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 4 })),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...seeds),
        fc.array(edit, { minLength: 1, maxLength: 4 }),
        async (seed, edits) => {
          const text = edits.reduce((current, { at, cut, put }) => {
            const start = at % (current.length + 1);
            return current.slice(0, start) + put + current.slice(start + cut);
          }, seed);
          expect(isSound(await loadText(text), text)).toBe(true);
        },
      ),
      explore(1500),
    );
  });

  it('returns diagnostics for random bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        const loaded = await loadText(bytes);
        expect(loaded.ok).toBe(false);
        expect(isSound(loaded, bytes)).toBe(true);
      }),
      explore(1500),
    );
  });

  it('returns diagnostics for lines of YAML indicators', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...pieces), { maxLength: 40 }), async (parts) => {
        const text = parts.join('');
        expect(isSound(await loadText(text), text)).toBe(true);
      }),
      explore(1500),
    );
  });
});
