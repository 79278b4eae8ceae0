// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are command lines

import { describe, expect, test } from 'vitest';
import { reported } from './reference.js';

const nested = (open: string, close: string, times: number) =>
  `${open.repeat(times)}ls${close.repeat(times)}`;

describe('shell.run › any text is described in bounded time', () => {
  test.each([
    ['subshells', nested('(', ')', 10_000)],
    ['substitutions', `echo ${nested('$(', ')', 10_000)}`],
    ['groups', nested('{ ', '; }', 10_000)],
    ['conditions', nested('if ', '; then :; fi', 5_000)],
    ['default values', `echo ${nested('${x:-', '}', 10_000)}`],
    ['backquotes', '`'.repeat(10_001)],
    ['a megabyte', `echo ${'a'.repeat(1_000_000)}`],
    ['here-documents', `cat ${'<<E '.repeat(500)}`],
    ['commands', 'true; '.repeat(20_000)],
    ['expressions', `(( ${'1+'.repeat(20_000)}1 ))`],
    ['functions that call themselves', 'f() { f; f; }; f'],
    ['a fork bomb', ':(){ :|:& };:'],
    ['text that grows as it is evaluated', `x='eval "$x$x"'; eval "$x"`],
    ['loops in loops', `${'for a in 1 2 3 4 5 6 7 8; do '.repeat(8)}rm $a${'; done'.repeat(8)}`],
  ])('%s: and is opaque', async (_, command) => {
    const capabilities = await reported(command);
    expect(capabilities.map(({ name }) => name)).toContain('proc.exec.opaque');
  });

  test.each([
    ['braces', `cat ${'{a,b}'.repeat(40)}`],
    ['a sequence', 'cat {1..1000000000}'],
    ['open braces', `cat ${'{a,'.repeat(50_000)}`],
    ['a value that doubles', `x=a; ${'x=$x$x; '.repeat(60)}cat $x`],
  ])('%s: and the files are not known', async (_, command) => {
    const capabilities = await reported(command);
    expect(capabilities).toContainEqual({ name: 'fs.read.outside' });
  });

  test('what is recognised before and behind what is too much is said', async () => {
    const names = async (command: string) => (await reported(command)).map(({ name }) => name);
    expect(await names(`${nested('(', ')', 10_000)}; sudo id`)).toContain('priv.escalate');
    expect(await names(`sudo id; ${nested('(', ')', 10_000)}`)).toContain('priv.escalate');
    expect(await names(`(( ${'1+'.repeat(20_000)}1 )); sudo id`)).toContain('priv.escalate');
    expect(await names(`echo ${'a'.repeat(200_000)}; sudo id`)).toContain('priv.escalate');
  });

  test('text that the shell may read otherwise is opaque', async () => {
    for (const command of [
      'ls\0',
      'ls\r\n',
      '\ufeffls',
      'ls \ud800',
      'ls )',
      'ls "',
      'cat <<E\n',
      '@(a) b',
      '${ ls; }',
    ]) {
      const capabilities = await reported(command);
      expect(capabilities.map(({ name }) => name)).toContain('proc.exec.opaque');
    }
  });
});
