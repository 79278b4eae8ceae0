import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { findIsolation } from '@ambit/shell';
import { describe, expect, it } from 'vitest';
import { started } from './program.js';

const long = { timeout: 100_000, interval: 50 };
const kinds = (await findIsolation()) === null ? [] : [['confined', true] as const];
const rules = ['fs.write', 'fs.delete', 'fs.meta']
  .map((name) => `  ${name}: { decision: pre_approved, match: { path: ./** } }\n`)
  .join('');

/** The command lines of the processes that hold a text. */
function running(text: string): readonly string[] {
  return readdirSync('/proc').flatMap((name) => {
    try {
      const line = /^\d+$/.test(name) ? readFileSync(`/proc/${name}/cmdline`, 'utf8') : '';
      return line.includes(text) ? [line] : [];
    } catch {
      return [];
    }
  });
}

describe.skipIf(process.platform !== 'linux')(
  'a server that ignores the end of its input',
  { timeout: 600_000 },
  () => {
    it.each([['free', false] as const, ...kinds])(
      'ends with all its processes if the gateway is killed: %s',
      async (_, isConfined) => {
        const flags = isConfined ? ['--isolate', '--write', '.'] : [];
        const { world, child, send, answers, read, ended } = await started('escaping', { flags, rules });
        read();
        const [left, orphan] = ['left', 'orphan'].map((name) => join(world.folder, name)) as [string, string];
        const call = (id: number, name: string, args: object) =>
          send(id, 'tools/call', { name, arguments: args });
        call(1, 'leave', { path: left });
        call(2, 'orphan', { path: orphan, clears: isConfined });
        for (const path of [left, orphan])
          await expect.poll(() => existsSync(path) && statSync(path).size > 0, long).toBe(true);
        expect(answers.get(2)?.result?.isError ?? false).toBe(false);
        expect(running(world.folder).length).toBeGreaterThan(2);
        child.kill('SIGKILL');
        await ended;
        await expect.poll(() => running(world.folder), long).toEqual([]);
      },
    );
  },
);
