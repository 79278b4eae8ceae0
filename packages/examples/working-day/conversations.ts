/** A call of a model: the tool, and its arguments. */
export type Call = readonly [tool: string, args: Readonly<Record<string, string>>];

const run = (command: string): Call => ['run', { command }];
const read = (path: string): Call => ['read_file', { path: `repo/${path}` }];
const write = (path: string, content: string): Call => ['write_file', { path: `repo/${path}`, content }];
const edit = (path: string, old_text: string, new_text: string): Call => [
  'edit_file',
  { path: `repo/${path}`, old_text, new_text },
];

/** A working day of twelve conversations with one agent. */
export const conversations: Readonly<Record<string, readonly Call[]>> = {
  explore: [
    ['list_files', { path: 'repo' }],
    run('git log --oneline -5'),
    run('ls -la src && wc -l src/*.js'),
    ['search_files', { path: 'repo/src', pattern: 'TODO' }],
    read('src/total.js'),
  ],
  edit: [edit('src/total.js', '// TODO: round\n', ''), run('git diff'), run('git status --short')],
  test: [run('npm test')],
  fix: [
    edit('src/total.js', 'return sum;', 'return Math.round(sum * 100) / 100;'),
    run('npm test'),
    run('grep -rn "Math.round" src | head -5'),
  ],
  commit: [run('git add src'), run('git commit -q -m "Round totals"'), run('git log --oneline -1')],
  install: [run('npm install --no-audit --no-fund ./vendor/words'), run('npm test')],
  feature: [
    read('vendor/words/index.js'),
    write('src/greet.js', `export { hello as greet } from '${'words'}';\n`),
    write(
      'test/greet.test.js',
      "import test from 'node:test';\nimport assert from 'node:assert';\nimport { greet } from '../src/greet.js';\ntest('greets', () => assert.equal(greet('Ada'), 'Hello, Ada'));\n",
    ),
    run('npm test'),
  ],
  document: [
    run('mkdir -p docs'),
    write('docs/totals.md', '# Totals\n\nTotals are rounded to cents.\n'),
    run('cat README.md docs/*.md | wc -w'),
    run('sed -i s/Nothing/Everything/ README.md'),
  ],
  'clean up': [run('rm src/old.js'), run('npm test'), run('git status --short')],
  build: [run('npm run build'), run('npm run build'), run('find src -name "*.js" | sort')],
  push: [run('git add . && git commit -q -m "Greet"'), run('git push -q origin main')],
  review: [
    run('git log -p -2 -- src | head -40'),
    run('git diff --stat HEAD~1'),
    run('git show HEAD:src/greet.js'),
    run('npm test'),
  ],
};
