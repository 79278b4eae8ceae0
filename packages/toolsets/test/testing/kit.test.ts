import { exec, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import * as fs from 'node:fs';
import { mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Capability,
  cannot,
  defineCapability,
  defineTool,
  defineToolset,
  type JsonObject,
  type Tool,
  type Toolset,
  unknown,
} from '@ambit/core';
import { filesystem } from '@ambit/toolsets';
import { checkToolset, conformance, formatReport } from '@ambit/toolsets/testing';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { temporaryFolder } from '../../../../test/temporary-folder.js';
import type { FindingCode } from '../../src/testing/finding.js';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'kit-')));
const sent = defineCapability({
  name: 'crm.send',
  facts: { to: 'text', count: 'number' },
  words: 'send to {to}',
});

const input = z.strictObject({ to: z.string(), count: z.int().min(0).max(9).optional() });

function toolset(tool: Partial<Tool>, capabilities = [sent]): Toolset {
  const send = defineTool({
    name: 'send',
    description: 'sends',
    input: input as unknown as z.ZodType<JsonObject>,
    describe: ({ to }) => ({ capabilities: [sent.of({ to: to as string })] }),
    execute: () => 'sent',
  });
  return defineToolset({ name: 'crm', tools: [{ ...send, ...tool }], capabilities });
}

interface Args extends JsonObject {
  readonly to: string;
}

const describing = (say: (args: Args) => unknown) =>
  toolset({ describe: (args) => say(args as Args) as { capabilities: Capability[] } });

async function codesOf(
  of: Toolset,
  options: Parameters<typeof checkToolset>[1] = {},
): Promise<readonly FindingCode[]> {
  const { findings } = await checkToolset(of, { runs: 30, ...options });
  return findings.map(({ code }) => code);
}

const good = { capabilities: [{ name: 'crm.send' }] };

describe('checkToolset', () => {
  it('finds nothing in a correct toolset, and reports what it checked', async () => {
    const { findings, tools } = await checkToolset(toolset({}), { runs: 50 });
    expect(findings).toEqual([]);
    expect(tools).toEqual([
      { tool: 'send', described: 50, executed: 0, capabilities: { 'crm.send': ['to'] }, reads: [] },
    ]);
  });

  it('accepts unknown facts, and calls that cannot be done', async () => {
    const of = describing(({ to }) =>
      to === ''
        ? cannot('to whom?', [sent.of({})])
        : { capabilities: [sent.of({ to: unknown('it is a group') })] },
    );
    expect(await codesOf(of)).toEqual([]);
  });

  it('finds nothing in the filesystem toolset', async () => {
    const roots = [{ name: 'w', folder, mode: 'rw' as const }];
    expect(await checkToolset(filesystem({ roots, home: folder, guarded: [] }), { runs: 40 })).toMatchObject({
      findings: [],
    });
  });

  it.each<readonly [string, Toolset, FindingCode]>([
    ['reports nothing', describing(() => ({ capabilities: [] })), 'EMPTY'],
    [
      'reports nothing for some arguments',
      describing(({ count }) => (count === undefined ? { capabilities: [] } : good)),
      'EMPTY',
    ],
    [
      'throws for some arguments',
      describing(({ to }) => {
        if (to.includes('..')) throw new Error('odd');
        return good;
      }),
      'NOT_TOTAL',
    ],
    ['rejects', describing(() => Promise.reject(new Error('odd'))), 'NOT_TOTAL'],
    ['returns no description', describing(() => 'crm.send'), 'NOT_TOTAL'],
    ['gives names alone', describing(() => ({ capabilities: ['crm.send'] })), 'NOT_TOTAL'],
    [
      'changes the arguments',
      describing((args) => {
        (args as { to: string }).to = 'me';
        return good;
      }),
      'NOT_TOTAL',
    ],
    ['reports an opinion', describing(() => ({ capabilities: [{ name: 'crm.send.safe' }] })), 'NAME_DECIDES'],
    [
      'reports an allowance',
      describing(() => ({ capabilities: [{ name: 'fs.write.allowed' }] })),
      'NAME_DECIDES',
    ],
    [
      'defines an opinion',
      toolset({}, [sent, defineCapability({ name: 'crm.low_risk', facts: {}, words: '' })] as never),
      'NAME_DECIDES',
    ],
    [
      'reports an undefined capability',
      describing(() => ({ capabilities: [{ name: 'crm.other' }] })),
      'UNDECLARED_CAPABILITY',
    ],
    [
      'reports an undefined fact',
      describing(() => ({ capabilities: [{ name: 'crm.send', on: 1 }] })),
      'UNDECLARED_FACT',
    ],
    [
      'has a fact that every object has',
      describing(() => ({ capabilities: [{ name: 'crm.send', constructor: 'x' }] })),
      'UNDECLARED_FACT',
    ],
    [
      'has a fact of another kind',
      describing(() => ({ capabilities: [{ name: 'crm.send', count: '3' }] })),
      'UNDECLARED_FACT',
    ],
    [
      'has a path that is not canonical',
      describing(({ to }) => ({ capabilities: [{ name: 'fs.read', path: `/w/${to}` }] })),
      'NOT_CANONICAL',
    ],
    [
      'describes by chance',
      describing(() => ({ capabilities: [{ name: 'crm.send', to: randomUUID() }] })),
      'NOT_DETERMINISTIC',
    ],
    [
      'describes by the clock',
      describing(() => ({ capabilities: [{ name: 'crm.send', to: new Date().toISOString().slice(0, 10) }] })),
      'NOT_DETERMINISTIC',
    ],
    [
      'describes by how often it was asked',
      (() => {
        let count = 0;
        const counted = () => {
          count += 1;
          return count;
        };
        return describing(() => ({ capabilities: [{ name: 'crm.send', count: counted() }] }));
      })(),
      'NOT_DETERMINISTIC',
    ],
    [
      'writes a file',
      describing(() => {
        writeFileSync(join(folder, 'a'), '');
        return good;
      }),
      'NOT_PURE',
    ],
    [
      'makes a folder',
      describing(async () => {
        await mkdir(join(folder, 'made'), { recursive: true });
        return good;
      }),
      'NOT_PURE',
    ],
    [
      'opens a file to write',
      describing(() => {
        fs.closeSync(fs.openSync(join(folder, 'b'), fs.constants.O_CREAT | fs.constants.O_WRONLY));
        return good;
      }),
      'NOT_PURE',
    ],
    [
      'connects',
      describing(() => {
        net.connect(1, '127.0.0.1').on('error', () => undefined);
        return good;
      }),
      'NOT_PURE',
    ],
    [
      'asks a server over http',
      describing(async () => {
        await fetch('http://127.0.0.1:65000/').catch(() => undefined);
        return good;
      }),
      'NOT_PURE',
    ],
    [
      'runs a program',
      describing(() => {
        spawn('true').on('error', () => undefined);
        return good;
      }),
      'NOT_PURE',
    ],
    [
      'runs a program through a CommonJS import',
      describing(() => {
        const older = createRequire(import.meta.url)('node:child_process') as {
          execFileSync: (of: string) => void;
        };
        older.execFileSync('true');
        return good;
      }),
      'NOT_PURE',
    ],
    [
      'sets a variable',
      describing(() => {
        process.env.KIT_TEST = 'x';
        return good;
      }),
      'NOT_PURE',
    ],
  ])('finds a tool that %s', async (_, of, code) => {
    expect(await codesOf(of)).toContain(code);
  });

  it('reports what describing reads from the machine', async () => {
    const of = describing(() => ({ capabilities: [sent.of({ to: process.env.KIT_HOME ?? 'nobody' })] }));
    const { findings, tools } = await checkToolset(of, { runs: 3 });
    expect(findings).toEqual([]);
    expect(tools[0]?.reads).toEqual(['KIT_HOME']);
  });

  it('reports that it finds no arguments', async () => {
    const never = z.strictObject({ to: z.string().regex(/^(?=a)b$/) }) as unknown as z.ZodType<JsonObject>;
    const of = defineToolset({
      name: 'crm',
      tools: [defineTool({ ...(toolset({}).tools[0] as Tool), input: never })],
    });
    expect(await codesOf(of)).toEqual(['NOT_CHECKED']);
  });

  it('shows the smallest arguments with a finding', async () => {
    const of = describing(({ count }) => (count === 7 ? { capabilities: [] } : good));
    const { findings } = await checkToolset(of, { runs: 300 });
    expect(findings).toMatchObject([{ code: 'EMPTY', args: { to: '', count: 7 } }]);
  });
});

describe('checkToolset with executed', () => {
  const file = join(folder, 'out.txt');
  const writing = (execute: Tool['execute'], capabilities: readonly Capability[]) =>
    toolset({ describe: () => ({ capabilities }), execute });
  const options = { execute: true, examples: { send: [{ to: 'a' }] } };
  const claim = [{ name: 'fs.write', path: file }];

  it.each<readonly [string, Tool['execute'], readonly Capability[]]>([
    [
      'a reported file',
      async () => {
        await writeFile(file, 'x');
        return null;
      },
      claim,
    ],
    [
      'a file that replaces a reported one',
      async () => {
        await writeFile(`${file}.draft`, 'x');
        await rename(`${file}.draft`, file);
        return null;
      },
      claim,
    ],
    [
      'a file with an unknown reported path',
      async () => {
        await writeFile(file, 'x');
        return null;
      },
      [{ name: 'fs.write' }],
    ],
  ])('accepts that it writes %s', async (_, execute, capabilities) => {
    const { findings } = await checkToolset(writing(execute, capabilities), { ...options, runs: 30 });
    expect(findings).toEqual([]);
  });

  it('counts nothing that other work of the process does meanwhile', async () => {
    const turns = new EventEmitter();
    const other = once(turns, 'begin').then(async () => {
      await writeFile(`${file}.other`, 'x');
      turns.emit('done');
    });
    const execute = async () => {
      const done = once(turns, 'done');
      turns.emit('begin');
      await done;
      return null;
    };
    const { findings } = await checkToolset(writing(execute, claim), { ...options, runs: 30 });
    await other;
    expect(findings).toEqual([]);
  });

  it.each<readonly [string, Tool['execute'], FindingCode]>([
    [
      'writes another file',
      async () => {
        await writeFile(`${file}.other`, 'x');
        return null;
      },
      'NOT_REPORTED',
    ],
    [
      'reads an unreported file',
      async () => {
        await writeFile(file, 'x');
        return String((await readFile(file)).length);
      },
      'NOT_REPORTED',
    ],
    [
      'runs a program',
      () =>
        new Promise((resolve) => {
          exec('true', () => resolve(null));
        }),
      'NOT_REPORTED',
    ],
    [
      'connects',
      async () => {
        await fetch('http://127.0.0.1:65000/').catch(() => undefined);
        return null;
      },
      'NOT_REPORTED',
    ],
    ['fails', () => Promise.reject(new Error('no')), 'FAILED'],
  ])('finds a tool that %s', async (_, execute, code) => {
    expect(await codesOf(writing(execute, claim), options)).toContain(code);
  });

  it('reports what it did not check', async () => {
    const { unchecked } = await checkToolset(toolset({}), { execute: true });
    expect(unchecked).toEqual([
      'the execution of send: there are no examples',
      'what child processes and native code do: they were not confined, so only their start is seen',
    ]);
  });
});

describe('a package', () => {
  it.each([
    ['dependencies', '@ambit/policy', ['NOT_NEUTRAL']],
    ['peerDependencies', '@ambit/runtime', ['NOT_NEUTRAL']],
    ['devDependencies', '@ambit/runtime', []],
    ['dependencies', '@ambit/core', []],
  ])('with %s on %s has the findings %j', async (key, name, codes) => {
    const place = temporaryFolder('kit-');
    writeFileSync(join(place, 'package.json'), JSON.stringify({ [key]: { [name]: '*' } }));
    expect(await codesOf(toolset({}), { module: join(place, 'src', 'index.js') })).toEqual(codes);
  });
});

describe('conformance', () => {
  for (const { title, check } of conformance(toolset({}), { runs: 10 })) it(title, check);

  it('returns tests that fail with the findings', async () => {
    const tests = conformance(
      describing(() => ({ capabilities: [] })),
      { runs: 10 },
    );
    const failed = await Promise.allSettled(tests.map(({ check }) => check()));
    expect(failed.map(({ status }) => status === 'rejected')).toEqual([
      false,
      true,
      false,
      false,
      false,
      false,
      false,
    ]);
    expect(String((failed[1] as PromiseRejectedResult).reason)).toContain(
      'crm.send EMPTY it reports nothing',
    );
  });
});

describe('formatReport', () => {
  it('is readable, with all data escaped', async () => {
    const of = describing(({ to }) => (to === '\u202etxt.exe' ? { capabilities: [] } : good));
    const text = formatReport(
      await checkToolset(of, { runs: 100, examples: { send: [{ to: '\u202etxt.exe' }] } }),
    );
    expect(text).toContain('crm.send EMPTY it reports nothing');
    expect(text).not.toContain('\u202e');
    expect(text.trimEnd().split('\n').at(-1)).toBe('1 finding');
  });
});
