import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Capability } from '@ambit/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { shellAt } from '../../src/index.js';
import { effectsOf } from './context.js';

describe('a text for node or Python', () => {
  it.each([
    ['process.version', []],
    ["require('./package.json').version", ['read ./package.json']],
    ['console.log(require("./package.json").scripts["a:b"], process.platform);', ['read ./package.json']],
    ["Object.keys(require('./package.json').dependencies || {}).join('\\n')", ['read ./package.json']],
    ["JSON.stringify(require('./package.json')?.scripts, null, 2)", ['read ./package.json']],
    ["JSON.parse(require('fs').readFileSync('fs', 'utf8')).a[0]", ['read fs']],
    ["JSON.parse(require('node:fs').readFileSync(0)).a", []],
  ])('only prints values: node -p %s', (text, effects) => {
    expect(effectsOf('node', ['-p', text])).toEqual(effects);
  });

  it.each([
    ['import sys; print(sys.version, sys.version_info[:2])', []],
    ["import json\nprint(json.load(open('fs'))['a'][0].get('b'))", ['read fs']],
    ["import json,sys; d = json.load(sys.stdin); print(len(d), d['a'].keys())", []],
    ['import tomllib; print(tomllib.load(open("a.toml", "rb"))["project"])', ['read a.toml']],
    [
      "import json; a=json.load(open('a')); b=json.load(open('b', 'r')); print(json.dumps(a, indent=2))",
      ['read a', 'read b'],
    ],
    ["import json; print(json.load(open('a'))['open'], json.load(open('.env')))", ['read a', 'read .env']],
    ["import ast; ast.parse(open('a.py', encoding='utf-8').read()); print('OK')", ['read a.py']],
    ["import json; json.load(open('a'))", ['read a']],
    ["\nimport ast\nwith open('a') as f:\n    ast.parse(f.read())\nprint('OK')\n", ['read a']],
    ["import json\nwith open('a', 'r') as f: d = json.load(f)\nprint(d)", ['read a']],
    ["import sys,json\ndata = json.load(sys.stdin)\nfor item in data['a'][:5]: print(item['b'], item)", []],
  ])('only prints values: python3 -c %s', (text, effects) => {
    // The folder, which may have modules, is unknown here.
    expect(effectsOf('python3', ['-c', text])).toEqual([...effects, 'opaque']);
  });

  it.each([
    "require('./package')",
    "require('./x.json')",
    "require('./package.json')()",
    'process.env',
    'x',
    "require('./package.json').a.b()",
    "process.version; require('child_process')",
    "process['env']",
    '',
    "require('fs').readFileSync('a')",
    "JSON.parse(require('fs').readFileSync('a' + x))",
    '`a`',
    "JSON.parse(require('./fs').readFileSync('a'))",
    "JSON.parse(require('fs').writeFileSync('a','b'))",
    "console.log(process.version, require('x'))",
    "process.version['\\x']",
    'process.version[f()]',
    "process.version//\nrequire('x')",
    "require('./package.json').__proto__.a = 1",
    'process.versions.a=1',
  ])('is code: node -e %s', (text) => {
    expect(effectsOf('node', ['-e', text])).toEqual([`code js ${text}`, 'opaque']);
  });

  it.each([
    "import json; print(json.load(open('a', 'w')))",
    "print(open('a').read())",
    'import os',
    'x()',
    'import json; print(json.load(open(sys.argv[1])))',
    'print(sys.path.append("x"))',
    'import json as x',
    "print(json.load(open('a'), cls=x))",
    "print(json.load(open('a\\x')))",
    'from json import *',
    "print('a' f)",
    'd.x()',
    "d = __import__('os')",
    "print(d['a'].pop())",
    "import json;\tprint(exec('x'))",
    "print(f'{x()}')",
    "import json; print(json.load(open('a'))[\"open('\"], json.load(open('.env')))",
    'json = 1',
    'print(dd)',
    "print = exec; print('import evil')",
    'x = exec; print(x)',
    "import json; print = json; print('import evil')",
    "for open in list('a'): print(open('b'))",
    "ast = json; ast.parse(open('a').read())",
    "for x in exec: x('a')",
    "import ast; ast.parse(open('a', 'w').read())",
    "import json; d = json.load(open('a')); d['b'] = 'c'",
    "import json; d = json.load(open('a')).x",
    "import json; json.load(open('a', encoding='evil'))",
    'import os.path',
    "with open('a') as open: print(open('b'))",
    "with open('a', 'w') as f: print('b')",
    "with open('a') as f: print(f.write('b'))",
    'import json; json.load(f)',
    "with exec as f: print('b')",
    "__builtins__ = 'a'",
  ])('is code: python3 -c %s', (text) => {
    expect(effectsOf('python3', ['-c', text])).toContain(`code python ${text}`);
  });

  it.each([
    ['node', '-r', 'x', '-p', 'process.version'],
    ['node', '-i', '-e', 'process.version'],
    ['node', '--env-file=x', '-p', 'process.version'],
    ['python3', '-i', '-c', 'import sys'],
    ['deno', 'eval', 'process.version'],
    ['tsx', '-p', 'process.version'],
  ])('is not all that runs: %s %s %s %s %s', (name, ...words) => {
    expect(
      effectsOf(
        name,
        words.filter((word) => word !== undefined),
      ),
    ).toContain('opaque');
  });
});

describe('a file that may stand before what such a text names', () => {
  let home = '';
  beforeEach(() => {
    home = realpathSync(mkdtempSync(join(tmpdir(), 'values-')));
    mkdirSync(join(home, 'project'));
  });
  afterEach(() => rmSync(home, { recursive: true }));

  async function isKnown(command: string): Promise<boolean> {
    const [tool] = shellAt(join(home, 'project'), { home, guarded: [] }).tools;
    const context = { chain: ['main'] as const, signal: new AbortController().signal };
    const found: readonly Capability[] = (await tool?.describe({ command }, context))?.capabilities ?? [];
    return found.length > 0 && found.every(({ name }) => name !== 'proc.exec.opaque');
  }

  it.each([
    ['python3 -c "import json"', 'json.py', 'setup.py'],
    ['echo "import json" | python3', 'json.py', 'setup.py'],
    ["python3 - a <<'PY'\nimport json\nprint(json.load(open('a'))['b'])\nPY", 'json.py', 'setup.py'],
    ['node -p "require(\'./package.json\').a"', 'package.json.js', 'package.json'],
  ])('makes `%s` opaque: %s, but not %s', async (line, hostile, harmless) => {
    writeFileSync(join(home, 'project', harmless), '{}');
    expect(await isKnown(line)).toBe(true);
    expect(await isKnown(`touch ${hostile}; ${line}`)).toBe(false);
    writeFileSync(join(home, 'project', hostile), '');
    expect(await isKnown(line)).toBe(false);
  });

  it.each(['import os', 'x = $(cat a)'])('on the input may do more: %s', async (code) => {
    expect(await isKnown(`python3 - <<PY\n${code}\nPY`)).toBe(false);
  });

  it.each(['index.js', 'index.json', 'index.node', 'package.json'])(
    'may be in a folder that is named package.json: %s',
    async (name) => {
      mkdirSync(join(home, 'project/package.json'));
      expect(await isKnown('node -p "require(\'./package.json\').a"')).toBe(true);
      writeFileSync(join(home, 'project/package.json', name), '{}');
      expect(await isKnown('node -p "require(\'./package.json\').a"')).toBe(false);
    },
  );
});
