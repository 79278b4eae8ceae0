import { policySchema, presetNames, starterPolicy } from '@ambit/policy';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { sectionOf, sectionsAbout } from '../../../../test/diagnostics.js';
import { takenBy } from '../schema.js';

const preferred = sectionsAbout('policy').map(({ prefer }) => prefer);

const takes = takenBy(policySchema());

describe('policySchema', () => {
  it('is plain JSON, closed at the top, and knows the sections', () => {
    const schema = policySchema();
    expect(schema.additionalProperties).toBe(false);
    expect(Object.keys(schema.properties as object)).toEqual([
      'version',
      'extends',
      'default',
      'undecided',
      'capabilities',
      'tools',
      'carries',
      'workers',
      'grants',
      'together',
      'invariants',
    ]);
    expect(JSON.parse(JSON.stringify(schema))).toEqual(schema);
  });

  it.each([...presetNames.map((preset) => starterPolicy(preset)), ...preferred])(
    'accepts valid policies: %#',
    (text) => {
      expect(takes(parse(text))).toBe(true);
    },
  );

  it.each([
    'WRONG_TYPE',
    'MISSING_KEY',
    'UNKNOWN_KEY',
    'UNKNOWN_VERSION',
    'UNKNOWN_DECISION',
    'UNKNOWN_VALUE',
    'NOT_YET',
    'BAD_CAPABILITY_NAME',
    'BAD_TOOL_NAME',
    'BAD_TIME',
    'PERMISSIVE_COMBINATION',
  ] as const)('refuses %s', (code) => {
    expect(takes(parse(sectionOf(code).avoid))).toBe(false);
  });
});
