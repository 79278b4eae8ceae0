import { describe, expect, it } from 'vitest';
import { isExactly } from '../../src/text/tree-builder.js';
import { mistakes } from '../world.js';

describe('a number in a policy', () => {
  it.each([
    '0',
    '-0',
    '-0.0',
    '0.0',
    '+1',
    '1.50',
    '.5',
    '5.',
    '1e3',
    '1.2E-7',
    '100',
    '0x1F',
    '0o17',
    '0.1',
    '-2.5',
    '0e400',
    '0.30000000000000004',
    '9007199254740991',
    '1e-320',
    '00012',
    '5e-324',
  ])('is kept exactly: %s', (written) => {
    expect(isExactly(Number(written), written)).toBe(true);
  });

  it.each([
    '1e-400',
    '-1e-400',
    '1e400',
    '-1e400',
    '.inf',
    '.nan',
    '12345678901234567890',
    '9007199254740993',
    '0.1000000000000000055',
    '0.10000000000000001',
    '1.00000000000000000001',
    '4.9e-324',
    '0x20000000000001',
    `1e-${'9'.repeat(30)}`,
    `${'9'.repeat(400)}e-399`,
  ])('is an error with a place: %s', (written) => {
    expect(
      mistakes(`version: 1
default: needs_approval
capabilities:
  pay: { decision: pre_approved, match: { amount: ${written} } }
`),
    ).toEqual([expect.stringMatching(/^4:51 BAD_NUMBER/)]);
  });
});
