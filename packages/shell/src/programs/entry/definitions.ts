/** Files in the working folder that define what a program runs, by its name; existing ones count. */
const definitions: ReadonlyMap<string, readonly string[]> = new Map([
  ...forAll(['make', 'gmake'], ['GNUmakefile', 'makefile', 'Makefile']),
  ...forAll(['npm', 'npx', 'yarn', 'pnpm', 'bun'], ['package.json', '.npmrc']),
  ...forAll(['cargo'], ['Cargo.toml', 'build.rs']),
  ...forAll(['just'], ['justfile', 'Justfile', '.justfile']),
  ...forAll(['go'], ['go.mod']),
  ...forAll(['mvn'], ['pom.xml']),
  ...forAll(['gradle'], ['build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts']),
  ...forAll(['ninja'], ['build.ninja']),
  ...forAll(['cmake'], ['CMakeLists.txt']),
  ...forAll(['tox'], ['tox.ini', 'pyproject.toml', 'setup.cfg']),
  ...forAll(['pytest'], ['pytest.ini', 'pyproject.toml', 'conftest.py', 'setup.cfg']),
  ...forAll(['pip', 'pip3'], ['setup.py', 'pyproject.toml', 'setup.cfg']),
  ...forAll(['rake'], ['Rakefile', 'rakefile']),
  ...forAll(['docker', 'docker-compose'], ['Dockerfile', 'compose.yaml', 'docker-compose.yml']),
]);

/** The names of the files that define what an opaque program does in a folder. */
export function definitionsOf(program: string): readonly string[] {
  return definitions.get(program) ?? [];
}

function forAll(
  programs: readonly string[],
  files: readonly string[],
): readonly (readonly [string, readonly string[]])[] {
  return programs.map((program) => [program, files]);
}
