import type { Project } from './project.js';
import { type Preset, presetNames } from './starter-policy.js';

/** 40 calls of one capability each. */
export function starterSuite(preset: Preset, project: Project): string {
  return `# Run it with \`ambit test\`. Each row is a call of one capability, named by a command line that carries it.
# A row that you change your mind about shows which rules of policy.yaml have to change.
policy: policy.yaml
cases:
  - name: "{line} is {decision}"
    for:
${rowsOf(preset, project).join('\n')}
    call: { tool: shell.run, args: { command: "{line}" }, capabilities: ["{capability}"] }
    expect: "{decision}"
`;
}

function rowsOf(preset: Preset, project: Project): readonly string[] {
  return [...rows, projectRow(project)].map(([line, capability, decisions]) => {
    const decision = words[decisions.charAt(presetNames.indexOf(preset)) as keyof typeof words];
    return `      - { line: ${JSON.stringify(line)}, capability: { ${capability} }, decision: ${decision} }`;
  });
}

const words = { a: 'pre_approved', q: 'needs_approval', b: 'blocked' } as const;

/** A command line, a capability of it, and a letter for each preset: allowed, a question, blocked. */
type Row = readonly [line: string, capability: string, decisions: string];

const everywhere = 'aaaa';
const nowhere = 'bbbb';
const asks = 'qqqb';

const rows: readonly Row[] = [
  ['cat src/app.ts', 'name: fs.read, path: ./src/app.ts, by: cat', everywhere],
  ['LANG=C sort README.md', 'name: env.set, variable: LANG, value: C', everywhere],
  ['grep -rn TODO src', 'name: fs.read, path: { paths: [./src/a.ts, ./src/b.ts] }, by: grep', everywhere],
  ['find . -name "*.ts"', 'name: fs.list, path: { paths: [./docs, ./src] }, by: find', everywhere],
  ['ls -la .env', 'name: fs.list, path: ./.env, by: ls', everywhere],
  ['git show HEAD~1:README.md', 'name: vcs.read, path: ./README.md', everywhere],
  ['sort names.txt', 'name: proc.exec, program: sort', everywhere],
  ["bash -c 'sort names.txt'", 'name: code.eval, language: bash, by: bash', everywhere],

  ['cat .env', 'name: secret.read, path: ./.env, by: cat', nowhere],
  ['cat certs/dev.key', 'name: secret.read, path: ./certs/dev.key, by: cat', nowhere],
  ['cat config/credentials.json', 'name: secret.read, path: ./config/credentials.json, by: cat', nowhere],
  ['git log -p --all', 'name: secret.read, by: git', nowhere],
  ['cat ~/.ssh/id_ed25519', 'name: fs.read.outside, path: ~/.ssh/id_ed25519, by: cat', nowhere],
  ['cat $(cat names.txt)', 'name: secret.read, path: { paths: [], open: true }, by: cat', nowhere],
  ['cat /etc/passwd', 'name: fs.read.outside, path: /etc/passwd, by: cat', asks],
  ['ls ~', 'name: fs.list.outside, path: ~/notes, by: ls', asks],

  ['touch src/new.ts', 'name: fs.write, path: ./src/new.ts, by: touch', 'aaqq'],
  ['touch notes/today.md', 'name: fs.write, path: ./notes/today.md, by: touch', 'aaaq'],
  ['git commit -m "Round amounts"', 'name: fs.write, path: ./.git/objects/ab/cd, by: git', 'aaqq'],
  ['touch .git/HEAD', 'name: fs.write, path: ./.git/HEAD, by: touch', 'qqqq'],
  ['touch ../outside.txt', 'name: fs.write.outside, path: /outside.txt, by: touch', asks],
  ['touch .git/hooks/pre-commit', 'name: sys.persist, what: git hooks and settings', asks],
  ['touch .github/workflows/ci.yml', 'name: sys.persist, what: CI definitions', asks],
  ['npm pkg set name=ledger', 'name: sys.persist, what: build definitions', 'aqqb'],
  ['touch AGENTS.md', 'name: sys.persist, what: "instructions, settings and servers of agents"', asks],
  ['touch policy.yaml', 'name: sys.guard, what: policy file, path: ./policy.yaml', nowhere],

  ['rm src/app.ts', 'name: fs.delete, path: ./src/app.ts, by: rm', asks],
  ['mv src/app.ts src/main.ts', 'name: fs.delete, path: ./src/app.ts, by: mv', 'aaqb'],
  ['rm -rf ../other', 'name: fs.delete.outside, path: /other, by: rm', asks],
  ['git switch main', 'name: fs.delete, path: ./src/new.ts, by: git', 'aaqb'],
  ['git restore src/app.ts', 'name: vcs.discard, path: ./src/app.ts', asks],
  ['chmod 600 notes.md', 'name: fs.meta, path: ./notes.md, what: mode, by: chmod', 'aaqb'],
  ['npm install zod', 'name: net.connect, scheme: https, by: npm', asks],
  ['curl https://example.com', 'name: net.connect, host: example.com, scheme: https, by: curl', asks],
  ['curl http://localhost:3000', 'name: net.connect.private, host: localhost, port: 3000, by: curl', asks],
  ['git push', 'name: vcs.push, remote: origin', asks],
  ['sudo ls', 'name: priv.escalate, program: sudo', nowhere],
  ['python3 -c "print(1)"', 'name: code.eval, language: python, by: python3', asks],
  ['./unknown-program', 'name: proc.exec.opaque, program: /unknown-program, why: unknown', asks],
];

function projectRow({ programs: [first] }: Project): Row {
  const [program, line] = [first?.program ?? 'build-tool', first?.lines[0] ?? 'build-tool test'];
  const capability = `name: proc.exec.opaque, program: ${program}, why: it runs what the project says`;
  return [line, capability, first === undefined ? asks : 'qaqq'];
}
