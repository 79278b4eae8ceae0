import { builtinModules } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  importCircles,
  importGraph,
  packageNames,
  sourceFolder,
  sourcesOf,
  withoutComments,
} from '../scripts/sources.mjs';
import { manifestOf } from './repository.js';

/** What each package may import of the others. */
const arrows: Readonly<Record<string, readonly string[]>> = {
  core: [],
  policy: ['core'],
  analysis: ['policy', 'core'],
  toolsets: ['core'],
  audit: ['core'],
  shell: ['toolsets', 'core'],
  runtime: ['toolsets', 'shell', 'analysis', 'policy', 'audit', 'core'],
  agents: ['runtime', 'policy', 'shell', 'toolsets', 'audit', 'core'],
  gateway: ['agents', 'runtime', 'policy', 'shell', 'toolsets', 'audit', 'core'],
  cli: ['gateway', 'agents', 'runtime', 'analysis', 'policy', 'audit', 'core'],
  examples: ['agents', 'core', 'runtime'],
};

/**
 * The folders of each package, in the order of its floors: a file imports from its own folder and from those before
 * it. A folder that is not named belongs to the one around it. Files directly in `src` come last, and no folder
 * imports them; a file that stands lower is named like a folder. `null`: the folders of this package allow no order yet.
 */
const floors: Readonly<Record<string, readonly string[] | null>> = {
  core: ['words', 'decide', 'tool', 'asking', 'guard'],
  policy: ['text', 'grammar', 'condition', 'document', 'engine', 'show', 'suite', 'starter', 'permit'],
  analysis: [
    'exact/formula',
    'exact/witness',
    'exact',
    'diff',
    'prove',
    'invariants',
    'changes',
    'lint/subject',
    'lint/names',
    'lint/rules',
    'lint',
  ],
  toolsets: [
    'places',
    'json-schema',
    'processes',
    'wrappers',
    'filesystem/roots',
    'filesystem/contained',
    'filesystem/tools',
    'filesystem/search',
    'filesystem',
    'http',
    'mcp/connection',
    'mcp/tools',
    'mcp',
    'testing',
  ],
  audit: [
    'log/line',
    'log/files',
    'log/tree',
    'log/segments',
    'log/read',
    'log/manifests',
    'log/mask',
    'verify',
    'log/write',
    'history/calls',
    'history/replay',
    'history/learn',
    'history/query',
    'report',
  ],
  shell: [
    'word.ts',
    'alternatives.ts',
    'outputs.ts',
    'columns.ts',
    'number.ts',
    'effect.ts',
    'files',
    'world.ts',
    'programs',
    'listing',
    'run',
    'shell-options.ts',
    'state',
    'facts',
    'read/words',
    'builtins',
    'read',
    'describe',
    'shell.ts',
  ],
  runtime: [
    'host',
    'store',
    'trust',
    'journal',
    'policies',
    'worker-file',
    'budget',
    'catalogue',
    'approvers',
    'delegate',
    'toolsets',
    'converse/openai',
    'converse',
    'judge-line',
    'watch',
    'open',
    'client-session',
  ],
  gateway: ['upstream', 'pins', 'serve', 'servers', 'stateless', 'http'],
  agents: ['clients', 'describe', 'hook', 'sdk', 'rules', 'install', 'doctor'],
  cli: [
    'version.ts',
    'host.ts',
    'failure.ts',
    'view',
    'view/run',
    'questions',
    'commands/table',
    'commands/given',
    'commands/store',
    'commands/log',
    'commands/run',
    'commands/policy',
    'commands/calls',
    'commands/history',
    'commands/hook',
    'commands/gateway',
    'commands',
  ],
  examples: null,
};

describe('imports between packages', () => {
  const files = packageNames.flatMap((name) => sourcesOf(name).map((file) => ({ name, file })));

  it('the table lists every package', () => {
    expect(Object.keys(arrows).sort()).toEqual([...packageNames].sort());
  });

  it('a package depends only on packages that its arrows allow', () => {
    const wrong = packageNames.flatMap((name) =>
      dependenciesOf(name)
        .filter((dependency) => dependency.startsWith('@ambit/'))
        .filter((dependency) => !(arrows[name] ?? []).includes(dependency.slice('@ambit/'.length)))
        .map((dependency) => `${name} -> ${dependency}`),
    );
    expect(wrong).toEqual([]);
  });

  it('a file imports only declared dependencies, by package name', () => {
    const builtin = new Set(builtinModules);
    let read = 0;
    const wrong = files.flatMap(({ name, file }) => {
      const allowed = new Set(dependenciesOf(name));
      return file.imports
        .filter((specifier) => {
          read += 1;
          if (specifier.startsWith('node:')) return false;
          if (builtin.has(specifier)) return true;
          if (!specifier.startsWith('.')) return !allowed.has(packageOf(specifier));
          // Examples have no `src`, and data lies beside it.
          const isBeside = name === 'examples' || specifier.endsWith('.yaml');
          const home = isBeside ? `packages/${name}` : `packages/${name}/src`;
          return relative(home, join(dirname(file.path), specifier)).startsWith('..');
        })
        .map((specifier) => `${file.path} -> ${specifier}`);
    });
    expect(wrong).toEqual([]);
    expect(files.length).toBeGreaterThan(0);
    expect(read).toBeGreaterThan(0);
  });

  it('every export is named, without `export *`', () => {
    const wild = files.filter(({ file }) => /^\s*export\s+(type\s+)?\*/m.test(withoutComments(file.text)));
    expect(wild.map(({ file }) => file.path)).toEqual([]);
  });
});

describe('imports within a package', () => {
  it('the table of folders lists every package', () => {
    expect(Object.keys(floors).sort()).toEqual([...packageNames].sort());
  });

  for (const [name, order] of Object.entries(floors)) {
    if (order === null) continue;
    it(`${name}: a file imports only from its own folder and from earlier ones`, () => {
      const home = sourceFolder(name);
      const floorOf = (path: string) => {
        const file = relative(home, path);
        const around = order.filter((each) => each === file || file.startsWith(`${each}/`));
        return around.sort((one, other) => one.length - other.length).at(-1) ?? relative(home, dirname(path));
      };
      const place = (path: string) => (floorOf(path) === '' ? order.length : order.indexOf(floorOf(path)));
      const graph = importGraph(sourcesOf(name));
      expect(
        [...graph.keys()].filter((path) => place(path) === -1),
        'a new folder needs a place in `floors`, after every folder that it imports from',
      ).toEqual([]);
      const folders = new Set([...graph.keys()].map(floorOf));
      expect(
        order.filter((folder) => !folders.has(folder)),
        'take out of `floors` what has no files any more',
      ).toEqual([]);
      const wrong = [...graph].flatMap(([path, targets]) =>
        targets.filter((target) => place(target) > place(path)).map((target) => `${path} -> ${target}`),
      );
      expect(wrong).toEqual([]);
    });
  }

  it('there are no import cycles', () => {
    const circles = packageNames.flatMap((name) => importCircles(importGraph(sourcesOf(name))));
    expect(circles).toEqual([]);
  });
});

describe('core', () => {
  it('uses no files, network, clock or randomness', () => {
    const reaches =
      /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\brandomUUID\b|\bgetRandomValues\b|\bperformance\.|\bfetch\(|\bprocess\./;
    const wrong = sourcesOf('core').filter(
      ({ text, imports }) =>
        reaches.test(withoutComments(text)) || imports.some((specifier) => specifier.startsWith('node:')),
    );
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });
});

describe('a judge', () => {
  /** Only these read in a way that waits for a pipe: a person's commands, and what has checked the open file. */
  const waiting = [
    'packages/agents/src/doctor/canary.ts',
    'packages/agents/src/doctor/transcripts.ts',
    'packages/agents/src/install/install-hook.ts',
    'packages/runtime/src/trust/own-files.ts',
    'packages/toolsets/src/places/plain-file.ts',
    'packages/toolsets/src/testing/check-toolset.ts',
  ];

  it('reads no file of an agent in a way that waits for a pipe', () => {
    const sources = ['agents', 'gateway', 'runtime', 'shell', 'toolsets'].flatMap((name) => sourcesOf(name));
    const reads = /\b(?:readFile|readFileSync)\((?!['`]\/(?:proc|etc)\/)/;
    const found = sources.filter(({ text }) => reads.test(withoutComments(text))).map(({ path }) => path);
    expect(found.sort(), 'read with `readPlain` instead').toEqual(waiting);
  });
});

function dependenciesOf(name: string): readonly string[] {
  const { dependencies, devDependencies, peerDependencies, optionalDependencies } = manifestOf(
    `packages/${name}`,
  );
  // The program is a bundle of what it is built from.
  const bundled = name === 'cli' ? devDependencies : {};
  return Object.keys({ ...bundled, ...dependencies, ...peerDependencies, ...optionalDependencies });
}

function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}
