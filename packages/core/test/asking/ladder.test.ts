import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explore } from '../../../../test/depth.js';
import type { ShownCall } from '../../src/asking/ladder/example-calls.js';
import type { Pinned } from '../../src/decide/pinned.js';
import { isWithinReach } from '../../src/decide/reach.js';
import {
  answer,
  type Capability,
  createRequest,
  decide,
  defaultAdmission,
  type ExampleCall,
  exampleInWords,
  fileSetOf,
  isOpenQuestion,
  type Json,
  type JsonObject,
  type KeptAnswer,
  ladder,
  type NonEmpty,
  pinned,
  type Reach,
  type Rung,
  reaches,
} from '../../src/index.js';
import { capability } from '../arbitrary/capability.js';
import { policy } from '../guard/stage.js';

const call = (
  tool: string,
  args: JsonObject,
  capabilities: NonEmpty<Capability>,
  chain: NonEmpty<string> = ['main'],
): ShownCall => ({ chain, tool, args, capabilities });

/** Calls of every kind that there is. */
const calls: readonly ShownCall[] = [
  call('filesystem.write_file', { path: 'out/a.md', content: 'x' }, [
    { name: 'fs.write', path: '/w/out/a.md', bytes: 25, exists: false },
  ]),
  call('filesystem.read_file', { path: 'a.md' }, [{ name: 'fs.read', path: '/a.md' }]),
  call('filesystem.move_file', { from: 'out/a.md', to: 'in/a.md' }, [
    { name: 'fs.delete', path: '/w/out/a.md' },
    { name: 'fs.write', path: '/w/in/a.md' },
  ]),
  call('shell.run', { command: 'rm out/a.md' }, [
    { name: 'proc.exec', program: 'rm', argv: ['rm', 'out/a.md'], cwd: '/w' },
    { name: 'fs.delete', path: '/w/out/a.md' },
  ]),
  call('shell.run', { command: 'git log' }, [
    { name: 'proc.exec', program: 'git', argv: ['git', 'log'], cwd: '/w' },
  ]),
  call('shell.run', { command: 'echo hi > a.log' }, [
    { name: 'fs.write', path: '/w/a.log' },
    { name: 'proc.exec', program: 'echo', argv: ['echo', 'hi'], cwd: '/w' },
  ]),
  call('http.fetch', { url: 'https://a.example/x', method: 'GET' }, [
    { name: 'net.connect', host: 'a.example', port: 443, method: 'GET', url: 'https://a.example/x' },
    { name: 'content.untrusted', source: 'https://a.example/x' },
  ]),
  call('delegation.worker_call', { worker: 'evaluator', input: 'score it', attachments: ['in/d.pdf'] }, [
    { name: 'worker.call', worker: 'evaluator', attachments: 1 },
    { name: 'data.share', path: '/w/in/d.pdf', bytes: 12, worker: 'evaluator', sha256: 'ab' },
  ]),
  call('delegation.worker_create', { name: 'evaluator', instructions: 'score' }, [
    { name: 'worker.create', worker: 'evaluator', toolsets: ['filesystem'] },
  ]),
  call('mcp-notes.search', { q: 'x' }, [{ name: 'mcp.call', server: 'notes', tool: 'search' }]),
  call('crm.export', {}, [{ name: 'crm.contact.export' }]),
  call('crm.list', {}, [{ name: 'tool.call', tool: 'crm.list' }]),
];

const someCall: fc.Arbitrary<ShownCall> = fc.oneof(
  fc.constantFrom(...calls),
  fc.record({
    chain: fc.constant(['main', 'helper'] as const),
    tool: fc.constant('box.put'),
    args: fc.dictionary(fc.constantFrom('path', 'content', '__proto__'), fc.constantFrom('/w/a', 7, true)),
    capabilities: fc.array(capability, { minLength: 1, maxLength: 3 }) as unknown as fc.Arbitrary<
      NonEmpty<Capability>
    >,
  }),
);

const asks = policy({
  default: { decision: 'needs_approval', answer: 'any' },
  admits: { ...defaultAdmission, remember: 'run', reach: 'capability' },
});

/** Whether an answer to the first call answers every question about the other; blocked is not a question. */
function isAnswered(shown: ShownCall, reach: Rung['reach'], { args, capabilities }: ExampleCall): boolean {
  const kept: KeptAnswer = {
    ...shown,
    source: 'kept',
    approval: 'approval-1',
    person: 'ann',
    shown: shown.capabilities,
    policies: ['policy.yaml'],
    remember: 'run',
    reach,
  };
  const request = createRequest({
    tool: shown.tool,
    chain: shown.chain,
    args: args ?? { any: 'thing' },
    capabilities,
    context: {},
    history: [],
    now: 0,
  });
  const decision = answer(decide(request, [asks]), { request, policies: [asks], grants: [kept] });
  return !decision.judgements.some(isOpenQuestion);
}

describe('a rung for a program that files define', () => {
  it('names what is kept, and what ends it', () => {
    const npm = { program: 'npm', argv: ['npm', 'test'], cwd: '/w' };
    const files = ['package.json', '.npmrc'].map((name) => ({ path: `/w/${name}`, sha256: 'a'.repeat(64) }));
    const rungs = ladder(
      call('shell.run', { command: 'npm test' }, [
        { name: 'proc.exec', ...npm },
        { name: 'proc.exec.opaque', ...npm, why: 'it runs scripts', files },
      ]),
      'capability',
    );
    const end = ', until /w/package.json or /w/.npmrc changes, or another such file is made';
    expect(rungs.map(({ reach, words }) => [reach, words.endsWith(end)])).toEqual([
      ['arguments', true],
      ['program', true],
      ['capability', false],
    ]);
    expect(rungs[0]?.words).toBe(`with exactly the same arguments in /w${end}`);
  });
});

describe('ladder', () => {
  it('gives examples of covered calls, and one that is not covered', () => {
    fc.assert(
      fc.property(someCall, (shown) => {
        for (const { reach, covers, not } of ladder(shown, 'capability')) {
          expect(covers.filter((example) => !isAnswered(shown, reach, example))).toEqual([]);
          expect(isAnswered(shown, reach, not)).toBe(false);
        }
      }),
      explore(1500),
    );
  });

  it('covers more with each rung than with the ones before', () => {
    fc.assert(
      fc.property(someCall, (shown) => {
        const rungs = ladder(shown, 'capability');
        rungs.forEach(({ reach, covers }, index) => {
          const before = rungs.slice(0, index);
          expect(before.flatMap((one) => one.covers).every((one) => isAnswered(shown, reach, one))).toBe(
            true,
          );
          const isNew = (example: ExampleCall) =>
            !before.some((one) => isAnswered(shown, one.reach, example));
          expect(covers.some(isNew)).toBe(true);
        });
      }),
      explore(1500),
    );
  });

  it('stops at the admitted reach, and begins with the same arguments', () => {
    fc.assert(
      fc.property(someCall, fc.constantFrom(...reaches), (shown, most: Reach) => {
        const found = ladder(shown, most).map(({ reach }) => reach);
        const all = ladder(shown, 'capability').map(({ reach }) => reach);
        expect(found).toEqual(all.filter((reach) => reaches.indexOf(reach) <= reaches.indexOf(most)));
        // Nothing is kept about files that may lie anywhere.
        const isKeepable = most !== 'call' && !shown.capabilities.some(isAnywhere);
        expect(found[0]).toBe(isKeepable ? 'arguments' : undefined);
      }),
      explore(500),
    );
  });

  it('shows three different calls, except for rungs that cover fewer', () => {
    const few = calls.flatMap((shown) =>
      ladder(shown, 'capability')
        .filter(({ covers }) => covers.length < 3)
        .map(({ reach, covers }) => [shown.tool, reach, covers.map((one) => exampleInWords(shown, one))]),
    );
    const again = ['the same call again'];
    const others = ['the same call with other arguments'];
    expect(few).toEqual([
      ...['filesystem.write_file', 'filesystem.read_file', 'filesystem.move_file'].flatMap((tool) => [
        [tool, 'arguments', again],
        ...(tool === 'filesystem.write_file' ? [] : [[tool, 'file', others]]),
      ]),
      ...['shell.run', 'shell.run', 'shell.run'].map((tool) => [tool, 'arguments', again]),
      ...['http.fetch', 'delegation.worker_call', 'delegation.worker_create', 'mcp-notes.search'].flatMap(
        (tool) => [
          [tool, 'arguments', again],
          [tool, 'file', others],
        ],
      ),
      ['crm.export', 'arguments', again],
      ['crm.list', 'arguments', again],
    ]);
  });

  it('names the possible arguments of a program, and omits a folder if the line names the file', () => {
    const [shown] = calls.slice(3, 4) as [ShownCall];
    const rungs = ladder(shown, 'program');
    expect(rungs.map(({ reach }) => reach)).toEqual(['arguments', 'program']);
    const [, { words, covers, not }] = rungs as [Rung, Rung];
    expect(words).toBe(
      'that run rm with any arguments, on files below /w/out, and otherwise just like this one',
    );
    expect(covers.map((example) => exampleInWords(shown, example))).toEqual([
      'run the program rm, argv ["rm","out/a.md","--another-option"]',
      'run the program rm, cwd "/w/deeper"',
      'run the program rm, argv ["rm","out/another.md"]; delete /w/out/another.md',
    ]);
    expect(exampleInWords(shown, not)).toBe('run the program curl, argv ["curl","out/a.md"]');
  });
});

describe('pinned', () => {
  it('describes the coverage of an answer as data', () => {
    const shown: Capability = { name: 'fs.write', path: '/w/out/a.md', bytes: 25, mode: 'x' };
    expect(pinned(shown, 'folder')).toEqual({
      name: 'fs.write',
      facts: {
        path: { pin: 'under', folder: '/w/out' },
        bytes: { pin: 'free' },
        mode: { pin: 'exactly', value: 'x' },
      },
      others: 'measures',
    });
    expect(pinned({ name: 'fs.write', path: '/a.md' }, 'folder').facts).toEqual({
      path: { pin: 'exactly', value: '/a.md' },
    });
  });

  it('agrees with `isWithinReach`', () => {
    const more = fc.oneof(
      capability,
      fc.constantFrom<Capability>(
        ...calls.flatMap(({ capabilities }) => capabilities),
        { name: 'proc.exec', program: 'git', argv: ['git', 'push'], cwd: '/elsewhere' },
        { name: 'fs.write', path: '/w/out/deeper/b.md' },
        { name: 'fs.write', path: '/w/out' },
        { name: 'fs.write', path: { paths: ['/w/out/a.md', '/w/in/a.md'] } },
      ),
    );
    // What an open set covers is more than a list can say.
    const closed = more.filter(({ path }) => typeof path !== 'object' || fileSetOf(path)?.open !== true);
    const reach = fc.constantFrom(...reaches.slice(1)) as fc.Arbitrary<Rung['reach']>;
    fc.assert(
      fc.property(closed, closed, reach, (shown, other, far) => {
        expect(isPinned(other, pinned(shown, far))).toBe(isWithinReach([shown], far, other));
      }),
      explore(4000),
    );
  });
});

function isAnywhere({ path }: Capability): boolean {
  const set = fileSetOf(path);
  return set?.open === true && !(set.under ?? '').startsWith('/');
}

const measures = ['bytes', 'exists', 'links'];

function isPinned(other: Capability, { name, facts, others }: Pinned): boolean {
  const rest = Object.keys(other).filter((fact) => fact !== 'name' && !Object.hasOwn(facts, fact));
  const isFree = (fact: string) => others === 'any' || (others === 'measures' && measures.includes(fact));
  return (
    other.name === name &&
    rest.every(isFree) &&
    Object.entries(facts).every(([fact, pin]) => {
      const value = other[fact];
      if (pin.pin === 'free') return others === 'any' || measures.includes(fact) || value !== undefined;
      if (pin.pin === 'exactly' && JSON.stringify(value) === JSON.stringify(pin.value)) return true;
      const { paths = [], folders = [] } =
        pin.pin === 'among' ? pin : pin.pin === 'under' ? { folders: [pin.folder] } : { paths: [pin.value] };
      const members = fact !== 'path' || value === undefined ? [] : (fileSetOf(value)?.paths ?? [value]);
      const isBelow = (path: Json, folder: string) =>
        typeof path === 'string' && path.startsWith(`${folder}/`) && !path.includes('..');
      return (
        members.length > 0 &&
        members.every(
          (path) => paths.includes(path as string) || folders.some((folder) => isBelow(path, folder)),
        )
      );
    })
  );
}
