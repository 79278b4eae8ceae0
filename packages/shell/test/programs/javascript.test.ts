// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts of JavaScript

import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { javascript } from '../../src/programs/interpreted/javascript.js';
import { text } from '../../src/word.js';
import { project } from '../read/world.js';

/** What a text does, in a short form; `code` if it may do anything. */
function doing(code: string): string {
  const around = {
    folder: null,
    by: 'program',
    isPlainFile: (path: string) => /^\.\/(?:a|package)\.json$/.test(path),
  } as const;
  const effects = javascript.node?.(text(code), around) ?? [];
  if (typeof effects === 'string') return effects;
  return effects
    .filter((effect) => effect.kind !== 'code' || effect.isDescribed !== true)
    .map((effect) =>
      effect.kind === 'path' ? `${effect.access} ${JSON.stringify(effect.word)}` : effect.kind,
    )
    .join(', ')
    .replaceAll(/\{"kind":"text","text":"(.*?)"\}/g, '$1');
}

/** Texts that only compute, print, and touch the files that they name. */
const plain: readonly (readonly [string, string])[] = [
  ['1 + 1', ''],
  ["console.log(require('./a.json').version)", 'read ./a.json, read ./package.json'],
  [
    "Object.keys(require('./a.json').dependencies || {}).map((k, i) => `${i} ${k}`).join(' ')",
    'read ./a.json, read ./package.json',
  ],
  ['console.log(new Date(0).toISOString(), process.version, process.argv[2])', ''],
  [
    "const fs = require('fs'); const p = JSON.parse(fs.readFileSync('p.json', 'utf8')); p.version = '1.2.0'; fs.writeFileSync('p.json', JSON.stringify(p, null, 2) + '\\n')",
    'read p.json, write p.json',
  ],
  ["JSON.parse(require('node:fs').readFileSync('a')).scripts['test:unit']", 'read a'],
  ['for (const [k, v] of Object.entries({ a: 1 })) { if (v > 0) console.log(k, v / 2) }', ''],
  ["fs.readdirSync('src').filter(Boolean).sort((a, b) => a.length - b.length)", 'list src'],
  ["const f = (x) => x * 2; function g(y) { return f(y) }\nconsole.log([1, 2].map(g), /a'b/.test('c'))", ''],
  ["const path = require('path'); console.log(path.basename('a/b.ts', '.ts'))", ''],
  ["let s = ''; process.stdout.write(s.padEnd(3))", ''],
];

/** Each could do more than the words that it has in common with a plain one. */
const others: readonly string[] = [
  "require('child_process').execSync('id')",
  "child_process.execSync('id')",
  "eval('1')",
  "new Function('1')",
  "[].constructor.constructor('1')()",
  "[]['constructor']",
  "[]['const\\x72uctor']",
  "const k = 'con' + 'structor'; [][k]",
  'const { constructor: F } = []',
  "const { 'constructor': F } = []; ['1'].map(F)",
  "const { 'const\\x72uctor': F } = []",
  'const k = 1; const { [k]: F } = []',
  "const o = { return: [] }; const k = 'constructor'; o.return[k]",
  'console.log(process.env)',
  'console.log(globalThis)',
  'this.process',
  "var let = []; const k = 'a'; let[k]",
  "process.binding('fs')",
  "import('fs')",
  "const r = require; r('fs')",
  "require('./a.js')",
  "require('./b.json')",
  "require('./a.json' + x)",
  "require('a.json')",
  "const { execSync } = require('child_process')",
  "const os = require('os')",
  "const path = require('fs'); path.join('a')",
  "fs.rmSync('a')",
  'fs.readFileSync(x)',
  "fs.readFileSync('a' + 'b')",
  "const o = { flag: 'w' }; fs.readFileSync('a', o)",
  "fs.readFileSync('a', { flag: 'w' })",
  "const r = fs.readFileSync; r('a')",
  "const f = fs; f.readFileSync('a')",
  "(fs => fs.rmSync('a'))(1)",
  "fs.promises.rm('a')",
  '((x) => x)(1)',
  "if (1) /'/; process.exit(eval('1')) //'",
  "var of = 4; of /eval('1')/ 2",
  "const x = {}; x.return /eval('1')/ 2",
  "{} /eval('1')/ 2",
  "let x = 1; x! /eval('1')/ 2",
  `let x = 1; x! /'/.x; eval("1") //'/2`,
  `let x = 1; ++/'/.x; eval("1") //'/2`,
  `let x = 1\nx\n--\n/'/.x; eval("1") //'/2`,
  `for (;;) { if (0) break\n/'/.x; eval("1") //'/2\nbreak }`,
  `for (;;) { if (0) continue\n/'/.x; eval("1") //'/2\nbreak }`,
  `var yield = 1; var g = (x) => x; function* g() { yield /'/.x; eval("1") //'/2\n }`,
  `var await = 1; await /'/.x; eval("1") //'/2`,
  "1 // x\reval('1')",
  'eval`1`',
  'console.log`1`',
  '`${eval(1)}`',
  "`${x['a']}`",
  '1 <!-- eval(1)',
  '1\n--> eval(1)',
  '\\u0065val(1)',
  'ｅval(1)',
  'async () => 1',
  'class A {}',
  'with (x) y',
  'x => {',
  "'a",
  'const o = { get a() { return 1 } }',
  'setTimeout(1)',
  'console.log = 1; JSON = 2',
  'Array.prototype.map',
  'Error.prepareStackTrace = 1',
];

describe('a text for node', () => {
  it.each(plain)('does what it names if it is plain: %s', (code, effects) => {
    expect(doing(code)).toBe(effects);
  });

  it('is understood by node itself', () => {
    const check = plain.map(([code]) => `new Function(${JSON.stringify(code)})`).join('\n');
    expect(spawnSync(process.execPath, ['-e', check], { encoding: 'utf8' }).stderr).toBe('');
  });

  it.each(others)('may do anything otherwise: %s', (code) => {
    expect(doing(code)).toBe('code');
  });

  const { says } = project({
    'a.json': '{}',
    'package.json': '{}',
    'l.json': '-> a.json',
    'd.json/index.js': '1',
    '.env': 'SECRET=1',
  });
  it.each([
    ['node -p "require(\'./a.json\').version"', ['fs.read a.json package.json (node)']],
    [
      "node -e \"console.log(fs.readFileSync('.env', 'utf8'))\"",
      ['fs.read .env (node)', 'secret.read .env (node)'],
    ],
    ["node <<'E'\nconsole.log(1)\nE", []],
  ])('is read where it stands: %s', async (line, expected) => {
    expect((await says(line)).filter((each) => each !== 'code.eval js (node)')).toEqual(expected);
    expect(await says(line)).toContain('code.eval js (node)');
  });

  it.each([
    'node -p "require(\'./l.json\')"',
    'node -p "require(\'./d.json\')"',
    'node -p "require(\'./new.json\')"',
    'rm package.json; node -p "require(\'./a.json\')"',
    'node -p "require(\'./x/../a.json\')"',
    'echo 1 > a.json; node -p "require(\'./a.json\')"',
    'bun -e 1',
    'deno eval 1',
    'tsx -e 1',
    'mongosh --nodb --eval 1',
    'node --inspect -e 1',
    'node --env-file=.env -e 1',
    'node -i -e 1',
    'node -r ./x -e 1',
    'node < a.json',
    'NODE_OPTIONS=x node -e 1',
  ])('may run another file, or another text: %s', async (line) => {
    expect((await says(line)).some((each) => each.startsWith('proc.exec.opaque'))).toBe(true);
  });
});
