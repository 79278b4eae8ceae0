import { lastWhere } from '../text/place.js';
import { createSource } from '../text/source.js';

export interface Project {
  readonly programs: readonly ProjectProgram[];
}

export interface ProjectProgram {
  readonly program: string;
  /** Whole command lines, in words that every shell reads the same way. */
  readonly lines: readonly string[];
}

export interface BadProjectFile {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** The text of a file in the repository's folder, or null if it is missing. */
export type ReadProjectFile = (name: string) => Promise<string | null>;

/** Only `package.json` has to be well-formed. */
export async function readProject(read: ReadProjectFile): Promise<Project | BadProjectFile> {
  const manifest = await read('package.json');
  const scripts = manifest === null ? [] : scriptsOf(manifest);
  if ('file' in scripts) return scripts;
  const manager = manifest === null ? 'npm' : await packageManager(manifest, read);
  const [makefile, python] = [await firstOf(read, makefiles), await read('pyproject.toml')];
  const targets = buildNames(
    [...(makefile ?? '').matchAll(/^(\w[\w \t-]*)::?(?![:=])/gm)].flatMap(([, all = '']) => all.split(/\s+/)),
  );
  const found: readonly ProjectProgram[] = [
    { program: manager, lines: scripts.map((name) => scriptLine(manager, name)) },
    // npm also runs the scripts of a project whose packages another manager installs.
    ...(manager === 'npm' ? [] : [{ program: 'npm', lines: scripts.map((name) => scriptLine('npm', name)) }]),
    { program: 'make', lines: targets.map((name) => `make ${name}`) },
    ...(python === null ? [] : await pythonPrograms(python, read)),
    { program: 'cargo', lines: (await read('Cargo.toml')) === null ? [] : cargoLines },
    { program: 'go', lines: (await read('go.mod')) === null ? [] : goLines },
  ];
  return { programs: found.filter(({ lines }) => lines.length > 0) };
}

/** The command lines of one program that a policy names; more would make its lines too long. */
const mostLines = 6;

const makefiles = ['GNUmakefile', 'makefile', 'Makefile'];
const cargoLines = ['cargo build', 'cargo check', 'cargo clippy', 'cargo test'];
const goLines = ['go build ./...', 'go test ./...', 'go vet ./...'];

/** Scripts and targets that build or test, by the names that projects give them. */
const names =
  /^(?:all|build|check|compile|coverage|e2e|fmt|format|lint|test|tests|typecheck|type-check|unit|verify)$/;

/** Names come from a checkout: others, such as `test;id`, are never put into a policy. */
function buildNames(all: readonly string[]): readonly string[] {
  const isNamed = (name: string) => /^[\w:-]+$/.test(name) && names.test(name.split(':')[0] ?? '');
  return [...new Set(all.filter(isNamed))].sort(byUse).slice(0, mostLines);
}

/** Tests first, then builds; each short name before longer names that begin with it. */
function byUse(one: string, other: string): number {
  const rank = (name: string) => (name === 'test' ? 0 : name === 'build' ? 1 : name.includes(':') ? 3 : 2);
  return rank(one) - rank(other) || (one < other ? -1 : 1);
}

function scriptsOf(manifest: string): readonly string[] | BadProjectFile {
  const text = manifest.replace(/^\uFEFF/, '');
  try {
    const { scripts } = (JSON.parse(text) ?? {}) as { readonly scripts?: unknown };
    return typeof scripts === 'object' && scripts !== null ? buildNames(Object.keys(scripts)) : [];
  } catch (error) {
    const { message } = error as Error;
    const words = message
      .replace(/, (?:\.\.\.)?".*" is not valid JSON$/su, '')
      .replace(/ in JSON at .*$/su, '');
    // The place where the text stops being JSON. Some messages of V8 do not contain it.
    const end = lastWhere(text.length, (length) => isBeginning(text.slice(0, length)));
    const place = createSource('package.json', text).lines.placeOf(end);
    return { file: 'package.json', ...place, message: `not JSON: ${words}` };
  }
}

function isBeginning(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const { message } = error as Error;
    const position = Number(/ at position (\d+)/.exec(message)?.[1] ?? -1);
    return position === text.length || /^Unexpected end|^Unterminated string/.test(message);
  }
}

async function packageManager(manifest: string, read: ReadProjectFile): Promise<string> {
  const named = /"packageManager"\s*:\s*"(npm|pnpm|yarn|bun)@/.exec(manifest)?.[1];
  if (named !== undefined) return named;
  for (const [file, manager] of locks) if ((await read(file)) !== null) return manager;
  return 'npm';
}

const locks = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
] as const;

function scriptLine(manager: string, name: string): string {
  return name === 'test' && manager !== 'bun' ? `${manager} test` : `${manager} run ${name}`;
}

async function pythonPrograms(text: string, read: ReadProjectFile): Promise<readonly ProjectProgram[]> {
  const tools = ['tox', 'nox', 'ruff', 'mypy', 'pyright'].filter((tool) => text.includes(tool));
  const lines: Readonly<Record<string, string>> = { ruff: 'ruff check', mypy: 'mypy .' };
  const found = [
    { program: 'pytest', lines: ['pytest'] },
    { program: 'python', lines: ['python -m pytest'] },
    { program: 'python3', lines: ['python3 -m pytest'] },
    ...tools.map((program) => ({ program, lines: [lines[program] ?? program] })),
  ];
  const runners: ProjectProgram[] = [];
  for (const program of ['uv', 'poetry'])
    if (new RegExp(`^\\[tool\\.${program}[\\].]`, 'm').test(text) || (await read(`${program}.lock`)) !== null)
      runners.push({
        program,
        lines: found.flatMap((each) => each.lines.map((line) => `${program} run ${line}`)),
      });
  return [...found, ...runners];
}

async function firstOf(read: ReadProjectFile, files: readonly string[]): Promise<string | null> {
  for (const file of files) {
    const text = await read(file);
    if (text !== null) return text;
  }
  return null;
}
