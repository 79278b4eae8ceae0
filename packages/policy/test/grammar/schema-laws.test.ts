import { loadPolicyText, policySchema, presetNames, starterPolicy, suiteSchema } from '@ambit/policy';
import { collectProblems } from '@ambit/policy/internal';
import { parseYaml, toJson } from '@ambit/policy/yaml';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explore } from '../../../../test/depth.js';
import { sectionsAbout } from '../../../../test/diagnostics.js';
import { takenBy } from '../schema.js';
import { loadText, plainPolicy } from '../suite/suites.js';
import { folders } from '../world.js';

/** Files of one kind, with some words replaced by words from the others. */
function edited(texts: readonly string[]): fc.Arbitrary<string> {
  const words = [...new Set(texts.flatMap((text) => text.split(/[\s,{}[\]]+/)))];
  const edit = fc.record({ at: fc.nat(500), word: fc.constantFrom(...words) });
  return fc
    .tuple(fc.constantFrom(...texts), fc.array(edit, { maxLength: 3 }))
    .map(([text, edits]) => edits.reduce(withWord, text));
}

function withWord(text: string, { at, word }: { readonly at: number; readonly word: string }): string {
  const parts = text.split(/([\s,{}[\]]+)/);
  parts[(at % Math.ceil(parts.length / 2)) * 2] = word;
  return parts.join('');
}

const written = (about: 'policy' | 'suite') =>
  sectionsAbout(about).flatMap(({ avoid, prefer }) => [avoid, prefer]);

function json(text: string): unknown {
  const node = parseYaml(text, collectProblems());
  return node === null ? null : toJson(node);
}

describe('the JSON Schema of a file accepts what its reader accepts', () => {
  it('policies', () => {
    const takes = takenBy(policySchema());
    const texts = [...presetNames.map((preset) => starterPolicy(preset)), ...written('policy')];
    fc.assert(
      fc.property(edited(texts), (text) => {
        if (loadPolicyText('policy.yaml', text, folders).ok) expect(takes(json(text))).toBe(true);
      }),
      explore(6_000),
    );
  });

  it('suites', async () => {
    const takes = takenBy(suiteSchema());
    await fc.assert(
      fc.asyncProperty(edited(written('suite')), async (text) => {
        const loaded = await loadText(text, { 'policy.yaml': plainPolicy });
        if (loaded.ok) expect(takes(json(text))).toBe(true);
      }),
      explore(6_000),
    );
  });
});
