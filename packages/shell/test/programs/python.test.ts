import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { python } from '../../src/programs/interpreted/python.js';
import { text } from '../../src/word.js';
import { project } from '../read/world.js';

const hasPython = spawnSync('python3', ['--version']).status === 0;

/** What a text does, in a short form; `code` if it may do anything. */
function doing(code: string): string {
  const effects = python.python?.(text(code), { folder: null, by: 'program' }) ?? [];
  if (typeof effects === 'string') return effects;
  return effects
    .filter((effect) => effect.kind !== 'code' || effect.isDescribed !== true)
    .map((effect) =>
      effect.kind === 'path' ? `${effect.access} ${JSON.stringify(effect.word)}` : effect.kind,
    )
    .join(', ')
    .replaceAll(/\{"kind":"text","text":"(.*?)"\}/g, '$1')
    .replace(/^list \.(?:, )?/, '');
}

/** Texts that only compute, print, and touch the files that they name. */
const plain: readonly (readonly [string, string])[] = [
  ['print(sum(range(10)), 0x1f, 2**32, 1e-5, .5)', ''],
  ["import json; print(json.load(open('a.json'))['version'])", 'read a.json'],
  ['import json,sys\nfor line in sys.stdin:\n  d = json.loads(line)\n  print(d["a"], d.get("b"))', ''],
  [
    "import re\np = 'a.py'\ns = open(p).read()\ns = s.replace('x', 'y')\nopen(p, 'w').write(s)",
    'read a.py, write a.py',
  ],
  [
    "with open('a', encoding='utf-8') as f, open('b', 'a', newline='') as g:\n  g.write(f.read())",
    'read a, write b',
  ],
  ["with open(r'a', mode='r+') as f: pass", 'write a, read a'],
  ["from pathlib import Path\np = Path('a')\np.write_text(p.read_text().upper())", 'write a, read a'],
  ["import pathlib\nprint(len(pathlib.Path('a').read_bytes()))", 'read a'],
  ['from collections import Counter\nprint(Counter("abc").most_common(2))', ''],
  ["import yaml,sys; print(list(yaml.safe_load(open('a.yaml')).keys()))", 'read a.yaml'],
  ["x = {'a': [1, 2]}\nprint(f\"{x['a'][0]:>5} {len(x)!r} {{}}\")", ''],
  ['def f(a, b=1, *c, **d):\n  """Text."""\n  return [x for x in a if x != b]\nprint(f("ab"))', ''],
  ['print(sorted({1, 2}, key=lambda n: -n), "{:.2f} {}".format(1, 2))', ''],
  ['try:\n  print(1 / 0)\nexcept ZeroDivisionError as e:\n  print(e)\nfinally:\n  pass', ''],
  ["print('%s' % 'import os')  # eval(x)", ''],
];

/** Each could do more than the words that it has in common with a plain one. */
const others: readonly string[] = [
  'import os; os.system("id")',
  'import subprocess',
  '__import__("os").system("id")',
  'eval("1")',
  'exec(open("a").read())',
  'getattr(1, "x")',
  'print(().__class__)',
  'x = eval\nx("1")',
  'def f(eval): pass\neval("1")',
  'eval = 1\ndel eval\neval("1")',
  'print = 1; import os',
  'import json as os',
  'import json.os',
  'from json import *',
  'from json import codecs',
  'import json; json.codecs.open("a", "w")',
  'import random; random._os.system("id")',
  'import yaml; yaml.load("a")',
  'import yaml; y = yaml; y.load("a")',
  'import json, yaml; json = yaml; json.load("a")',
  'import sys; sys.modules["os"]',
  'import sys; sys.path.insert(0, "x")',
  'from operator import attrgetter',
  "print('{0.real}'.format(1))",
  "print('{0[a]}'.format(1))",
  "print('{0' '.real}'.format(1))",
  "print('\\x7b0.real}'.format(1))",
  "print('{:{0.real}}'.format(1))",
  "x = '{0.real}'; print(x.format(1))",
  "print(str.format('{0.real}', 1))",
  "print('{a.real}'.format_map({}))",
  'print(f"{eval(1)}")',
  'print(f"{x[1:eval(2)]}")',
  'print(f"{1:{eval(2)}}")',
  'print(f"{x["a"]}")',
  'x = 1; t = 1; print(t"{eval(1)}")',
  'ｅｖａｌ("1")',
  '# coding: utf-7\nprint(1)',
  '#\u2028coding: utf-7\nprint(1)',
  'print(1) # a\rimport os',
  "x = 1\nprint(f'''{1 # }\n+eval('2') # {x:\n}''')",
  "open('a', mode='w', errors=\"x', mode = 'r\")",
  "p = 'a'\np: str = 'b'\nopen(p)",
  "p = 'a'\nif 1: p: str = 'b'\nopen(p)",
  "p = 'a'\n(p): str = 'b'\nopen(p)",
  'print(1) \\\n; import os',
  'open(input())',
  'open(x)',
  "open('a', opener=x)",
  "open('a' 'b')",
  "open('a' + 'b')",
  "open('\\x61')",
  "f = open\nf('a')",
  "print(map(open, ['a']))",
  "p = 'a'\np = 'b'\nopen(p)",
  "p = 'a'\nfor p in ['b']: open(p)",
  "p = 'a'\nfor x['in'], p in y: open(p)",
  "p = 'a'\nwith x as (p, q): open(p)",
  "p = 'a'\ndef f(p): open(p)\nf('b')",
  "p = 'a'\nq = lambda p: open(p)",
  "p = 'a'\nprint([open(p) for p in 'bc'])",
  "p = 'a'\nif (p := 'b'): open(p)",
  "p = 'a'\np += 'b'\nopen(p)",
  "p, q = 'a', 'b'\nopen(p)",
  "p = 'a'\nimport p",
  "from pathlib import Path\nPath('a').unlink()",
  "from pathlib import Path\nPath('a').replace('b')",
  "from pathlib import Path\np = Path('a')\np.replace('b')",
  "from pathlib import Path\np = Path('a')\nq = p\nq.replace('b')",
  "from pathlib import Path\np = Path('a')\nprint(p, Path('b'))",
  'from pathlib import Path\nprint([x.read_text() for x in y])',
  "from pathlib import Path\np = Path('a') / 'b'\np.read_text()",
  "from pathlib import Path as P\nP('a').unlink()",
  "import pathlib\npathlib.os.system('id')",
  "import pathlib\npathlib.PosixPath('a').unlink()",
  'match x:\n  case p: pass',
  'type x = eval',
  'class A: pass',
  '@eval\ndef f(): pass',
  'async def f(): pass',
  'x(',
  "print('a",
];

describe('a text for python', () => {
  it.each(plain)('does what it names if it is plain: %s', (code, effects) => {
    expect(doing(code)).toBe(effects);
  });

  it.skipIf(!hasPython).each(plain)('is understood by python itself: %s', (code) => {
    const { status } = spawnSync('python3', ['-c', 'import ast, sys; ast.parse(sys.argv[1])', code]);
    expect(status).toBe(0);
  });

  it.each(others)('may do anything otherwise: %s', (code) => {
    expect(doing(code)).toBe('code');
  });

  const { says } = project({
    'a.json': '{}',
    '.env': 'SECRET=1',
    'setup.py': '',
    'lib/json/__init__.py': '',
  });
  it.each([
    ['python3 -c "print(open(\'.env\').read())"', ['fs.read .env (python3)', 'secret.read .env (python3)']],
    ["python3 - <<'E'\nprint(1)\nE", []],
    ["python3 <<'E'\nopen('x', 'w').write('a')\nE", ['fs.write x (python3)']],
    ["python3 - a <<'E'\nprint(1)\nE", []],
    [
      'cat a.json | python3 -c "import sys, json; print(json.load(sys.stdin))"',
      ['fs.read a.json (cat)', 'fs.list . (python3)'],
    ],
  ])('is read where it stands: %s', async (line, expected) => {
    expect((await says(line)).filter((each) => each !== 'code.eval python (python3)')).toEqual(expected);
    expect(await says(line)).toContain('code.eval python (python3)');
  });

  it.each([
    'touch json.py; python3 -c "print(1)"',
    'ln -s lib/json json; python3 -c "print(1)"',
    'cd lib && python3 -c "print(1)"',
    'tar xf a.tar; python3 -c "print(1)"',
    'python3 - < a.json',
    'cat a.json | python3',
    'python3 setup.py',
    'python3 - setup.py < a.json',
    'python3 -i -c "print(1)"',
    'PYTHONPATH=lib python3 -c "print(1)"',
    'python3 -m json',
  ])('may run another file, or another text: %s', async (line) => {
    expect((await says(line)).some((each) => each.startsWith('proc.exec.opaque'))).toBe(true);
  });
});
