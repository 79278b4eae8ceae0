import { parse } from 'unbash';
import { describe, expect, test } from 'vitest';
import { casesOf } from './cases.js';
import { reported } from './reference.js';

const scripts = casesOf<{ readonly id: string; readonly script: string }>('shell-syntax.jsonl');

describe.skipIf(scripts.length === 0)(
  'shell.run › scripts of syntax tests (skipped where ../shared/cases is missing)',
  () => {
    test.each(scripts.map(({ id, script }) => [id, script] as const))(
      '%s is opaque if it does not parse',
      async (_, script) => {
        const capabilities = await reported(script);
        const isRead = parse(script).errors === undefined;
        expect(isRead || capabilities.some(({ name }) => name === 'proc.exec.opaque')).toBe(true);
      },
    );
  },
);

test.each([
  [`ls | grep 'x y`, "unterminated single quote in `'x y`"],
  ['if true; then', "expected command after 'then' at its end"],
])('shell.run says where `%s` cannot be read', async (script, place) => {
  const found = (await reported(script)).find(({ name }) => name === 'proc.exec.opaque');
  expect(found?.why).toBe(`it cannot be read: ${place}; this and everything after it is unknown`);
});
