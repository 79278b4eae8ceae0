import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ambit } from './host.js';

/** The help of the program and of every command of it, by the words that name the command. */
async function everyHelp(words: readonly string[] = []): Promise<ReadonlyMap<string, string>> {
  const { exit, out } = await ambit([...words, '--help']);
  expect(exit).toBe(0);
  const listed = /^Commands:\n((?: .*\n)+)/m.exec(out)?.[1] ?? '';
  const names = [...listed.matchAll(/^ {2}([a-z]+)/gm)].flatMap(([, name = '']) =>
    name === 'help' ? [] : [name],
  );
  const below = await Promise.all(names.map((name) => everyHelp([...words, name])));
  return new Map([[words.join(' '), out] as const, ...below.flatMap((one) => [...one])]);
}

const docs = fileURLToPath(new URL('../../../docs/', import.meta.url));
const pages = readdirSync(docs).filter((name) => name.endsWith('.md'));
const page = (name: string) => readFileSync(join(docs, name), 'utf8');

describe('help', () => {
  it('has no command that the page of the program lacks, and no option that all pages lack', async () => {
    const [program, all] = [page('program.md'), pages.map(page).join('\n')];
    const lacking = [...(await everyHelp())].flatMap(([words, text]) => [
      ...(program.includes(`\`ambit ${words.split(' ')[0]}`) ? [] : [words]),
      ...[...text.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].flatMap(([, option = '']) =>
        new RegExp(`${option}(?![a-z-])`).test(all) ? [] : [`${words} ${option}`],
      ),
    ]);
    expect(lacking).toEqual([]);
  });

  it('fits 80 columns, shows no empty default, and explains each argument and option', async () => {
    const all = await everyHelp();
    expect(all.size).toBeGreaterThan(30);
    for (const [words, text] of all) {
      const lines = text.split('\n');
      expect([words, lines.filter((line) => line.length > 80)]).toEqual([words, []]);
      expect([words, text]).toEqual([words, expect.not.stringContaining('default: []')]);
      // A term that stands alone on its line has nothing said of it, or too little room beside it.
      expect([words, lines.filter((line) => /^ {2}(?:-|<|\[|[A-Z]+$)\S*(?: [<[]\S+)?$/.test(line))]).toEqual([
        words,
        [],
      ]);
      const usage = /^Usage: (.*)$/m.exec(text)?.[1] ?? '';
      for (const [, name] of usage.matchAll(/[<[]([A-Z]+)(?:\.\.\.)?[>\]]/g))
        expect([words, text]).toEqual([words, expect.stringMatching(new RegExp(`^  ${name} +\\S`, 'm'))]);
    }
  });

  it('has an example of each command, with options that the command has', async () => {
    const all = [...(await everyHelp())].filter(([, text]) => !/^Commands:$/m.test(text));
    for (const [words, text] of all) {
      const example = /^Example: (.*(?:\n {2}.*)?)$/m.exec(text)?.[1] ?? '';
      expect([words, example]).toEqual([words, expect.stringContaining(`ambit ${words}`)]);
      const [, own = ''] = example.split(`ambit ${words}`);
      for (const [option] of (own.split(' -- ')[0] ?? '').matchAll(/--[a-z-]+/g))
        expect([words, text]).toEqual([words, expect.stringContaining(` ${option} `)]);
    }
  });

  it('has `--json` for every command, except for those that speak a protocol of others', async () => {
    const all = [...(await everyHelp())].filter(([, text]) => !text.includes('  help [command]'));
    const without = all.filter(([, text]) => !text.includes('  --json ')).map(([words]) => words);
    expect(without).toEqual(['hook', 'gateway']);
  });

  it.each([
    [['help', 'chek'], "ambit: unknown command 'chek'\nhint: did you mean check?\n"],
    [['log', 'help', 'verfy'], "ambit: unknown command 'verfy'\nhint: did you mean verify?\n"],
    [
      ['log', 'help', 'zzz'],
      "ambit: unknown command 'zzz'\nhint: there are tail, show, verify, prove, key, query, stats, export\n",
    ],
    [['approvals', 'aprove', 'x'], "ambit: unknown command 'aprove'\nhint: did you mean approve?\n"],
    [['approvals', 'lst'], "ambit: unknown command 'lst'\nhint: did you mean list?\n"],
    [['runs', 'shwo'], "ambit: unknown command 'shwo'\nhint: did you mean show?\n"],
    [['hook', 'instal', 'codex'], "ambit: unknown command 'instal'\nhint: did you mean install?\n"],
    [['gateway', 'pins', 'acept'], "ambit: unknown command 'acept'\nhint: did you mean accept?\n"],
    [
      ['hook', 'instal'],
      'ambit: `instal` is not a client; the clients are claude-code, codex, gemini, copilot, opencode\nhint: did you mean install?\n',
    ],
    [
      ['hook', 'claude'],
      'ambit: `claude` is not a client; the clients are claude-code, codex, gemini, copilot, opencode\nhint: did you mean claude-code?\n',
    ],
  ])('suggests a command for %j', async (argv, err) => {
    expect(await ambit(argv)).toEqual({ exit: 2, out: '', err });
  });
});
