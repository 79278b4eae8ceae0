import { type DiagnosticCode, diagnosticCodes, lintCodes, suiteCodes, workerCodes } from '@ambit/policy';
import { describe, expect, it } from 'vitest';

/** What loads where a page is tested: it needs another file, or is only remarked upon. */
const loading: readonly DiagnosticCode[] = [
  'CANNOT_READ',
  'EXTENDS_TOO_DEEP',
  'REPEATED_MEMBER',
  'UNKNOWN_CAPABILITY',
  'REFUTED_INVARIANT',
  'UNSETTLED_INVARIANT',
  ...(Object.keys(lintCodes) as DiagnosticCode[]),
];

const introduction = `# Diagnostics

What \`ambit check\`, and every other command that loads a policy, a worker or a suite, says about a file that it cannot use: the place, a code, what is
wrong, the line with a caret, and what helps. All mistakes of a file are reported at once, and nothing runs until they are gone.

\`\`\`text
policy.yaml:5:15 UNKNOWN_DECISION \`alow\` is not a decision
  5 |     decision: alow
    |               ^^^^
help: pre_approved, needs_approval or blocked
\`\`\`

Lines and columns count from 1, columns in UTF-16 code units. An unknown or repeated key is reported at the key, a wrong value at the value, and a
missing key at the key of the map that lacks it (at the beginning of the map in a list; at the first key of the file for the file itself).
These are said by \`ambit check\` alone, which then fails, of a policy that loads and decides as it always would: ${loading
  .filter((code) => !['CANNOT_READ', 'EXTENDS_TOO_DEEP'].includes(code))
  .sort()
  .map((code) => `\`${code}\``)
  .join(', ')}.

This page is made from the table of codes in \`packages/policy\`, and the tests of that package hold the two equal.
`;

function page(): string {
  const codes = Object.keys(diagnosticCodes).sort() as DiagnosticCode[];
  return [introduction, ...codes.map(part)].join('\n');
}

function part(code: DiagnosticCode): string {
  const { title, avoid, prefer, why } = diagnosticCodes[code];
  const isForOthers = code in workerCodes || code in suiteCodes;
  const kind = avoid.startsWith('# a ')
    ? 'text'
    : isForOthers
      ? 'yaml fragment'
      : loading.includes(code) || code === 'EMPTY_FILE'
        ? 'yaml fragment'
        : 'yaml invalid';
  const fence = (language: string, text: string) => `\`\`\`${language}\n${text}\`\`\``;
  return [
    `## ${code}`,
    `${title.charAt(0).toUpperCase()}${title.slice(1)}.`,
    'Avoid:',
    fence(kind, avoid),
    'Prefer:',
    fence(isForOthers ? 'yaml fragment' : 'yaml', prefer),
    `Why: ${why}`,
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n');
}

describe('docs/diagnostics.md', () => {
  it('has one part for each code, with its example and what is better', async () => {
    await expect(page()).toMatchFileSnapshot('../../../../docs/diagnostics.md');
  });
});
