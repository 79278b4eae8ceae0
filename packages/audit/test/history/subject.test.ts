import type { Json } from '@ambit/core';
import { describe, expect, it } from 'vitest';
import { subjectOf } from '../../src/history/query/subject.js';

describe('subjectOf', () => {
  it.each<readonly [Json, string]>([
    [{ content: 'x', path: 'out/a.md' }, 'out/a.md'],
    [{ path: 'a', to: 'b' }, 'a › b'],
    [{ command: 'ls  -l\n\nrm -rf /' }, 'ls  -l\n\nrm -rf /'],
    [{ input: 'Evaluate a', attachments: ['input/a.pdf', 'input/b.pdf'] }, 'input/a.pdf input/b.pdf'],
    [{ worker: 'created:x', input: 'go', attachments: ['a.pdf'] }, 'created:x a.pdf'],
    [{ worker: 'clerk', input: 'go' }, 'clerk'],
    [{ path: '', url: 'https://a.example/' }, 'https://a.example/'],
    [{ path: ['a', 7, 'b'] }, 'a b'],
    [{ path: '\u001b[31ma\u202e' }, '\u001b[31ma\u202e'],
    [{ password: 'hunter22', note: 'n' }, ''],
    [{ path: { deep: 'x' } }, ''],
    ['text', ''],
    [null, ''],
  ])('of %j is %s', (args, subject) => {
    expect(subjectOf(args)).toBe(subject);
  });

  it.each<readonly [Json, readonly Json[], string]>([
    [{}, [{ name: 'net.connect', host: 'api.example', port: 443 }], 'api.example'],
    [
      { file: 'x' },
      [
        { name: 'tool.call', tool: 'crm.note' },
        { name: 'fs.write', path: '/w/a' },
      ],
      '/w/a',
    ],
    [{}, [{ name: 'fs.read', path: { paths: ['/w/a', '/w/b'] } }], '/w/a /w/b'],
    [{ path: 'a' }, [{ name: 'fs.read', path: '/w/a' }], 'a'],
    [{}, [{ name: 'crm.close', ticket: 7 }, null], ''],
  ])('of %j with %j is %s', (args, capabilities, subject) => {
    expect(subjectOf(args, capabilities)).toBe(subject);
  });

  it('is cut to the shown length', () => {
    expect(subjectOf({ path: 'x'.repeat(1_000_000) })).toHaveLength(300);
  });
});
