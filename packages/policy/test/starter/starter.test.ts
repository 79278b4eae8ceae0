import { type Capability, createRequest, decide, type Json } from '@ambit/core';
import {
  loadPolicyText,
  presetNames,
  presets,
  readProject,
  starterPolicy,
  starterSuite,
} from '@ambit/policy';
import { describe, expect, it } from 'vitest';

const found = (files: Readonly<Record<string, string>>) => readProject(async (name) => files[name] ?? null);

const everything = {
  'package.json': JSON.stringify({
    scripts: { 'test:unit': 'x', lint: 'x', test: 'x', deploy: 'x', build: 'x' },
  }),
  Makefile: 'CC := gcc\nall: build\nbuild:\n\tcc\ntest : build\n\tx\nclean:\n\trm -rf dist\ninstall:\n\tx\n',
  'pyproject.toml': '[tool.ruff]\nline-length = 100\n',
  'Cargo.toml': '[package]\n',
  'go.mod': 'module x\n',
};

const projects = { unknown: {}, npm: { 'package.json': everything['package.json'] }, everything };

/** The decision of a preset about one capability of a command line. */
function decidedBy(preset: (typeof presetNames)[number]) {
  const loaded = loadPolicyText('policy.yaml', starterPolicy(preset), { home: '/home/ada', root: '/work' });
  if (!loaded.ok) throw new Error(loaded.diagnostics[0]?.message);
  const call = { tool: 'shell.run', chain: ['main'] as const, args: {}, context: {}, history: [], now: 0 };
  return (capability: Capability) =>
    decide(createRequest({ ...call, capabilities: [capability] }), [loaded.policy]).decision;
}

describe('starterPolicy', () => {
  it.each(
    presetNames.flatMap((preset) => Object.keys(projects).map((project) => [preset, project] as const)),
  )('writes at most 60 lines: %s, %s', async (preset, name) => {
    const project = await found(projects[name as keyof typeof projects]);
    if ('file' in project) throw new Error(project.message);
    const text = starterPolicy(preset, project);
    expect(text.split('\n').length - 1).toBeLessThanOrEqual(60);
    const cases = starterSuite(preset, project)
      .split('\n')
      .filter((line) => line.startsWith('      - {'));
    expect([cases.length, new Set(cases).size]).toEqual([40, 40]);
  });

  it('blocks secrets with a name that a program prints, and asks about other undecided blocks', () => {
    const loaded = loadPolicyText('policy.yaml', starterPolicy(), { home: '/home/ada', root: '/work' });
    expect(loaded.ok).toBe(true);
    expect(starterPolicy().match(/undecided: \w+/g)).toEqual([
      'undecided: needs_approval',
      'undecided: blocked',
    ]);
    for (const preset of ['ci', 'research', 'locked'] as const)
      expect(starterPolicy(preset).match(/undecided: \w+/g)).toEqual(['undecided: blocked']);
    const unknown = { path: { paths: [], open: true }, by: 'cat' };
    for (const preset of presetNames)
      expect(decidedBy(preset)({ name: 'secret.read', ...unknown })).toBe('blocked');
    expect(decidedBy('coding')({ name: 'fs.read.outside', ...unknown })).toBe('needs_approval');
  });

  it.each(['coding', 'ci'] as const)(
    'permits other files of which only numbers are unknown in %s',
    (preset) => {
      const decided = decidedBy(preset);
      const write = (path: Json, more = {}) => decided({ name: 'fs.write', path, by: 'shell', ...more });
      const open = { paths: [], open: true, under: '/work' } as const;
      expect(write(open, { numbered: true })).toBe('pre_approved');
      expect(write(open)).not.toBe('pre_approved');
      expect(write({ paths: [], open: true }, { numbered: true })).not.toBe('pre_approved');
      // The example says what the others are.
      for (const path of ['/work/.git/refs/v1', '/work/a1.pem', '/work/.env'])
        expect(write(path)).not.toBe('pre_approved');
    },
  );

  it('lets pyenv alone write its shims, as login files do, in coding', () => {
    const decided = decidedBy('coding');
    const shims = { paths: [], open: true, under: '/home/ada/.pyenv/shims' };
    const write = { name: 'fs.write.outside', path: shims, by: 'pyenv' };
    expect(decided(write)).toBe('pre_approved');
    expect(decided({ ...write, by: 'cp' })).not.toBe('pre_approved');
    expect(decided({ ...write, path: '/home/ada/.pyenv/bin/pyenv' })).not.toBe('pre_approved');
  });

  it.each(presetNames)('asks about neither `git status` nor `x=1` in %s', (preset) => {
    const decided = decidedBy(preset);
    const index = { name: 'fs.write', path: '/work/.git/index', by: 'git' };
    expect(decided(index)).toBe('pre_approved');
    expect(decided({ name: 'tool.call', tool: 'shell.run' })).toBe('pre_approved');
    expect(decided({ ...index, by: 'touch' })).not.toBe('pre_approved');
    expect(decided({ name: 'tool.call', tool: 'other.run' })).not.toBe('pre_approved');
  });

  it.each(presetNames)(
    'lets only npm and npx read their settings in the home folder and here in %s',
    (preset) => {
      const decided = decidedBy(preset);
      const settings = { path: '/home/ada/.npmrc', by: 'npm' };
      for (const by of ['npm', 'npx']) {
        expect(decided({ name: 'fs.read.outside', ...settings, by })).toBe('pre_approved');
        for (const path of [settings.path, '/work/.npmrc'])
          expect(decided({ name: 'secret.read', path, by })).toBe('pre_approved');
      }
      for (const by of ['cat', '/work/npm', 'shell'])
        expect(decided({ name: 'secret.read', ...settings, by })).toBe('blocked');
      expect(decided({ name: 'secret.read', path: '/work/.npmrc', by: 'cat' })).toBe('blocked');
      for (const path of ['/work/lib/.npmrc', '/other/.npmrc'])
        expect(decided({ name: 'secret.read', path, by: 'npm' })).not.toBe('pre_approved');
      expect(decided({ name: 'secret.read', path: settings.path })).toBe('blocked');
      expect(decided({ name: 'secret.read', secret: 'TOKEN' })).toBe('blocked');
    },
  );

  it.each(presetNames)('judges the text of `sh -c` by its effects in %s', (preset) => {
    const decided = decidedBy(preset);
    for (const language of ['sh', 'bash'])
      expect(decided({ name: 'code.eval', language, by: language })).toBe('pre_approved');
    for (const language of ['zsh', 'python', 'awk'])
      expect(decided({ name: 'code.eval', language, by: language })).not.toBe('pre_approved');
    expect(decided({ name: 'code.eval', by: 'sh' })).not.toBe('pre_approved');
    expect(decided({ name: 'code.eval', language: 'sh', by: 'awk' })).not.toBe('pre_approved');
  });

  it.each(['coding', 'ci'] as const)(
    'permits moves within the folder and what git deletes in %s, and no other deletions',
    (preset) => {
      const decided = decidedBy(preset);
      const moved = (path: string, more = {}) => decided({ name: 'fs.delete', path, by: 'mv', ...more });
      expect(moved('/work/a.ts')).toBe('pre_approved');
      for (const path of ['/work/.git/HEAD', '/work/.git', '/work/lib/.git/config', '/other/a.ts'])
        expect(moved(path), path).toBe('needs_approval');
      for (const path of ['/work/a.ts', '/work/.git/refs/heads/old'])
        expect(moved(path, { by: 'git' }), path).toBe('pre_approved');
      expect(moved('/other/a.ts', { by: 'git' })).toBe('needs_approval');
      const references = { paths: [], open: true, under: '/work/.git/refs' };
      expect(decided({ name: 'fs.delete', path: references, by: 'git' })).toBe('pre_approved');
      const later =
        `.github/workflows/ci.yml .claude .claude/settings.json lib/.claude CLAUDE.md AGENTS.md .mcp.json
        .vscode/settings.json .devcontainer .idea .husky .husky/pre-commit .githooks .pre-commit-config.yaml
        lefthook.yml .gitattributes .gitmodules .codex .gemini .cursor .cursorrules .envrc`.split(/\s+/);
      for (const by of ['mv', 'git'])
        for (const path of later)
          expect(moved(`/work/${path}`, { by }), `${by} ${path}`).toBe('needs_approval');
      expect(decided({ name: 'vcs.discard', path: '/work/a.ts' })).toBe('needs_approval');
      for (const by of ['rm', '/work/git', '/work/mv', undefined])
        expect(moved('/work/a.ts', { by }), by).toBe('needs_approval');
      expect(decided({ name: 'fs.delete', by: 'mv' })).toBe('needs_approval');
      expect(decided({ name: 'fs.delete.outside', path: '/work/a.ts', by: 'mv' })).toBe('needs_approval');
    },
  );

  it.each(['coding', 'ci'] as const)(
    'permits modes of files and links in the folder in %s, but of no hidden ones',
    (preset) => {
      const decided = decidedBy(preset);
      const mode = (path: string, more = {}) =>
        decided({ name: 'fs.meta', path, what: 'mode', by: 'chmod', ...more });
      expect(mode('/work/bin/run.sh')).toBe('pre_approved');
      expect(mode('/work/latest', { what: 'link', by: 'ln' })).toBe('pre_approved');
      for (const path of ['/work/.env', '/work/.git/hooks/x', '/work/a/.b/c', '/other/a.ts'])
        expect(mode(path), path).toBe('needs_approval');
      expect(mode('/work/a.ts', { what: 'owner' })).toBe('needs_approval');
    },
  );

  it.each(['coding', 'ci'] as const)('asks in %s before a secret is replaced', (preset) => {
    const decided = decidedBy(preset);
    for (const path of ['/work/.env', '/work/a/.env.local', '/work/certs/dev.key', '/work/x.pem'])
      expect(decided({ name: 'fs.write', path, by: 'cp' }), path).toBe('needs_approval');
    expect(decided({ name: 'fs.write', path: '/work/.env.example', by: 'cp' })).toBe('pre_approved');
    const unknown = (under: string, by: string) => ({
      name: 'fs.write',
      path: { paths: [], open: true, under },
      by,
    });
    expect(decided(unknown('/work/.git/objects', 'git'))).toBe('pre_approved');
    expect(decided(unknown('/work/src', 'tar'))).toBe('needs_approval');
  });

  it('names the users of each preset', () => {
    for (const preset of presetNames)
      expect(starterPolicy(preset)).toContain(`\`${preset}\`: ${presets[preset]}`);
  });
});

describe('readProject', () => {
  it('names the command lines that build and test the project, and no others', async () => {
    expect(await found(everything)).toEqual({
      programs: [
        { program: 'npm', lines: ['npm test', 'npm run build', 'npm run lint', 'npm run test:unit'] },
        { program: 'make', lines: ['make test', 'make build', 'make all'] },
        { program: 'pytest', lines: ['pytest'] },
        { program: 'python', lines: ['python -m pytest'] },
        { program: 'python3', lines: ['python3 -m pytest'] },
        { program: 'ruff', lines: ['ruff check'] },
        { program: 'cargo', lines: ['cargo build', 'cargo check', 'cargo clippy', 'cargo test'] },
        { program: 'go', lines: ['go build ./...', 'go test ./...', 'go vet ./...'] },
      ],
    });
  });

  it.each([
    [{ 'pyproject.toml': '[tool.uv.sources]\n[tool.ruff]' }, ['uv run pytest', 'uv run ruff check']],
    [{ 'pyproject.toml': '[project]', 'uv.lock': '' }, ['uv run pytest']],
    [{ 'pyproject.toml': '[tool.poetry]' }, ['poetry run pytest']],
    [{ 'pyproject.toml': '[project]', 'poetry.lock': '' }, ['poetry run pytest']],
    [
      { 'pyproject.toml': '[project]', 'uv.lock': '', 'poetry.lock': '' },
      ['uv run pytest', 'poetry run pytest'],
    ],
    [{ 'uv.lock': '' }, []],
    [{ 'pyproject.toml': '[tool.uvx]' }, []],
  ])('names the command lines by which uv and poetry test a project: %j', async (files, lines) => {
    const project = await found(files);
    const named = 'programs' in project ? project.programs.flatMap((program) => program.lines) : [];
    expect(named.filter((line) => /^(?:uv|poetry) (?!.*python)/.test(line))).toEqual(lines);
  });

  it('names each target of a rule of make, also of one with two colons', async () => {
    const Makefile = 'test:: build\n\tx\nfmt lint:\n\tcheck: x\nall:=x\nunit ::= x\nverify-%: x\n';
    expect(await found({ Makefile })).toEqual({
      programs: [{ program: 'make', lines: ['make test', 'make fmt', 'make lint'] }],
    });
  });

  it.each([
    ['npm', {}],
    ['pnpm', { 'pnpm-lock.yaml': '' }],
    ['yarn', { 'yarn.lock': '' }],
    ['bun', { 'bun.lock': '' }],
    ['bun', { 'bun.lockb': '' }],
  ])('calls the scripts with %s, by the lock file', async (program, locks) => {
    const project = await found({ 'package.json': '{"scripts": {"build": "x"}}', ...locks });
    const npm = program === 'npm' ? [] : [{ program: 'npm', lines: ['npm run build'] }];
    expect(project).toEqual({ programs: [{ program, lines: [`${program} run build`] }, ...npm] });
  });

  it('prefers the package manager that `package.json` names', async () => {
    const manifest = '{"packageManager": "pnpm@9.0.0", "scripts": {"test": "x"}}';
    expect(await found({ 'package.json': manifest, 'yarn.lock': '' })).toEqual({
      programs: [
        { program: 'pnpm', lines: ['pnpm test'] },
        { program: 'npm', lines: ['npm test'] },
      ],
    });
  });

  it('skips names that a shell or YAML reads differently', async () => {
    const scripts = {
      'test;curl evil': 'x',
      'test\n  sys: pre_approved': 'x',
      'test $(id)': 'x',
      __proto__: 'x',
    };
    expect(await found({ 'package.json': JSON.stringify({ scripts }) })).toEqual({ programs: [] });
  });

  it.each([
    ['{\n  "name": "a",\n}\n', 3, 1],
    ['{"scripts": {"test": tset}}', 1, 23],
    ['{"scripts": {', 1, 14],
    ['', 1, 1],
    ['{"a": 1} b', 1, 10],
  ])('reports the place at which %j is not JSON', async (text, line, column) => {
    expect(await found({ 'package.json': text })).toMatchObject({
      file: 'package.json',
      line,
      column,
      message: expect.stringMatching(/^not JSON: /),
    });
  });

  it.each(['[]', 'null', '1', '{"scripts": null}', '{"scripts": []}', '\uFEFF{}'])(
    'reads %j as a project without scripts',
    async (text) => {
      expect(await found({ 'package.json': text })).toEqual({ programs: [] });
    },
  );
});
