import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { shellAt } from '../../src/index.js';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'definitions-')));
afterAll(() => rmSync(root, { recursive: true }));

for (const file of [
  'package.json',
  'Makefile',
  'build.mk',
  'a/package.json',
  'a/Makefile',
  'a/src/x.js',
  'packages/b/package.json',
  'packages/b/Cargo.toml',
  'packages/b/node_modules/c/package.json',
  '.y/.yarnrc.yml',
  '.y/.pnpmfile.cjs',
  '.y/.cargo/config.toml',
  'mod.py',
  'pk/__init__.py',
  'pk/__main__.py',
  'pk/inner.py',
  't/pytest.ini',
  't/conftest.py',
  't/mypy.ini',
  't/ruff.toml',
  't/tox.cfg',
  '.c/package.yaml',
  '.c/compose.yaml',
  '.c/compose.override.yaml',
  'n/eslint.config.mjs',
  'n/jest.config.ts',
  'n/tsconfig.json',
  'n/tsconfig.build.json',
  'n/node_modules/.bin/jest',
  'g/gradlew',
  'g/build.gradle',
  'g/gradle/wrapper/gradle-wrapper.properties',
  'g/buildSrc/build.gradle.kts',
  'v/mvnw',
  'v/pom.xml',
  'v/.mvn/wrapper/maven-wrapper.properties',
  'v/.mvn/wrapper/maven-wrapper.jar',
  'v/.golangci.yml',
  'o/Taskfile.yml',
  'o/noxfile.py',
  'o/deno.jsonc',
  'o/Gemfile',
  'o/mix.exs',
  'o/spec/spec_helper.rb',
  'o/.coveragerc',
]) {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), '');
}
mkdirSync(join(root, 'l'));
symlinkSync('../build.mk', join(root, 'l', 'Makefile'));

/** The files whose change makes an earlier answer to a command line no longer apply. */
async function definingFiles(command: string): Promise<readonly string[]> {
  const [tool] = shellAt(root, { home: join(root, 'home'), guarded: [] }).tools;
  const context = { chain: ['main'] as const, signal: new AbortController().signal };
  const described = await tool?.describe({ command }, context);
  return (described?.capabilities ?? []).flatMap(({ name, files }) =>
    name === 'proc.exec.opaque' && Array.isArray(files)
      ? files.map((file) => relative(root, (file as { readonly path: string }).path))
      : [],
  );
}

const everyManifest = ['package.json', 'a/package.json', 'packages/b/package.json'];

// A wrapper runs the build program that these name.
const ofGradle = [
  'build.gradle',
  'buildSrc/build.gradle.kts',
  'gradle/wrapper/gradle-wrapper.properties',
].map((file) => `g/${file}`);

it.each<readonly [string, readonly string[]]>([
  ['npm test', ['package.json']],
  ['npm test a/src/x.js', ['package.json']],
  ['cd a && npm test', ['a/package.json']],
  ['cd .c && pnpm test', ['package.json', '.c/package.yaml']],
  ['cd .c && docker-compose up', ['.c/compose.yaml', '.c/compose.override.yaml']],
  ['cd a/src && npm test', ['a/package.json']],
  ['npm --prefix a test', ['package.json', 'a/package.json']],
  ['pnpm --dir=a test', ['package.json', 'a/package.json']],
  ['npm test --workspaces', everyManifest],
  ['pnpm --filter b test', everyManifest],
  ['yarn workspace b test', everyManifest],
  ['npm test -w a', everyManifest],
  ['python3 -m mod', ['mod.py']],
  ['python3 -Im pk', ['pk/__main__.py', 'pk/__init__.py']],
  ['python3 -mpk.inner x', ['pk/__init__.py', 'pk/__main__.py', 'pk/inner.py']],
  ['python3 pk', ['pk/__main__.py']],
  ['python3 -m elsewhere', []],
  ['cd t && python3 -m pytest -q x.py', ['t/pytest.ini', 't/conftest.py']],
  ['cd t && python3 -m pytest -c tox.cfg', ['t/pytest.ini', 't/conftest.py', 't/tox.cfg']],
  ['cd t && python3 -m pip install -r tox.cfg', ['t/tox.cfg', 't/tox.cfg']],
  ['cd t && mypy x.py', ['t/mypy.ini']],
  ['cd t && python3 -m mypy --config-file tox.cfg x.py', ['t/mypy.ini', 't/tox.cfg']],
  ['cd t && ruff check --config=tox.cfg', ['t/ruff.toml', 't/tox.cfg']],
  ['cd t && python3 -W error::x.Y mod.py', []],
  ['make', ['Makefile']],
  ['make -C a', ['Makefile', 'a/Makefile']],
  ['make -Ca', ['Makefile', 'a/Makefile']],
  ['make -f build.mk', ['Makefile', 'build.mk']],
  ['make -kf build.mk', ['Makefile', 'build.mk']],
  ['make --file=build.mk', ['Makefile', 'build.mk']],
  ['just -f build.mk', ['build.mk']],
  ['just --justfile build.mk', ['build.mk']],
  ['pytest build.mk', []],
  ['turbo run test', everyManifest],
  ['pip install -r build.mk .', ['build.mk']],
  ['cargo test -p b', ['packages/b/Cargo.toml']],
  ['cd .y && yarn test', ['package.json', '.y/.yarnrc.yml']],
  ['cd .y && pnpm test', ['package.json', '.y/.pnpmfile.cjs']],
  ['cd .y && cargo test', ['.y/.cargo/config.toml']],
  ['make -C l', ['Makefile', 'build.mk']],
  ['cd n && eslint .', ['n/eslint.config.mjs', 'package.json']],
  ['cd n && tsc -p tsconfig.build.json', ['n/tsconfig.json', 'package.json', 'n/tsconfig.build.json']],
  ['cd n && jest', ['n/jest.config.ts', 'package.json']],
  ['n/node_modules/.bin/jest', ['n/node_modules/.bin/jest', 'package.json']],
  ['cd n && node_modules/.bin/jest', ['n/node_modules/.bin/jest', 'n/jest.config.ts', 'package.json']],
  ['cd g && ./gradlew test', ['g/gradlew', ...ofGradle]],
  ['g/gradlew -p g test', ['g/gradlew', ...ofGradle]],
  [
    'cd v && ./mvnw test',
    ['v/mvnw', 'v/pom.xml', ...['properties', 'jar'].map((end) => `v/.mvn/wrapper/maven-wrapper.${end}`)],
  ],
  ['cd v && golangci-lint run', ['v/.golangci.yml']],
  ['cd .c && corepack pnpm test', ['package.json', '.c/package.yaml']],
  ['cd o && task test', ['o/Taskfile.yml']],
  ['cd o && nox', ['o/noxfile.py']],
  ['cd o && deno test', ['o/deno.jsonc', 'package.json']],
  ['cd o && bundle exec rspec', ['o/Gemfile']],
  ['cd o && rspec', ['o/spec/spec_helper.rb', 'o/Gemfile']],
  ['cd o && mix test', ['o/mix.exs']],
  ['cd o && coverage run -m pytest', ['o/.coveragerc']],
])('%s is defined by %j', async (line, files) => {
  expect(await definingFiles(line)).toEqual(files);
});
