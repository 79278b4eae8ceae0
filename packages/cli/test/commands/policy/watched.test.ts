import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { runProgram } from '../../../src/program.js';
import { ambit, folderOf } from '../../host.js';

const policy = (decision: string) =>
  `version: 1\nextends: [layers/org.yaml]\ndefault: blocked\ncapabilities: { fs.read: ${decision} }\n`;
const suite =
  'policy: policy.yaml\ncases:\n  - { name: reading runs, call: { tool: x.y, capabilities: [fs.read] }, expect: pre_approved }\n';
const files = {
  'policy.yaml': policy('pre_approved'),
  'layers/org.yaml': 'version: 1\ndefault: pre_approved\n',
  'a.test.yaml': suite,
};

/** The program, watching, until it is interrupted. */
function watching(folder: string, ...argv: readonly string[]) {
  const said = { out: '', err: '' };
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  stdout.on('data', (text: Buffer) => {
    said.out += text.toString();
  });
  stderr.on('data', (text: Buffer) => {
    said.err += text.toString();
  });
  const handlers: ((by: { readonly isSystem: boolean }) => void)[] = [];
  const exit = runProgram([...argv, '--watch'], {
    stdin: Readable.from([]),
    stdout,
    stderr,
    environment: { HOME: folder },
    program: 'ambit',
    folder,
    machinePolicy: join(folder, 'no-such-machine-policy.yaml'),
    onInterrupt: (handler) => {
      handlers.push(handler);
      return () => handlers.splice(0);
    },
    interrupt: () => undefined,
  });
  return {
    /** The output until the program watches again, this many times. */
    round: async (times: number) => {
      while (said.err.split('watching; ctrl-C ends\n').length <= times)
        await new Promise((resolve) => setTimeout(resolve, 20));
      return { out: said.out, err: said.err };
    },
    end: () => {
      for (const handler of handlers) handler({ isSystem: false });
      return exit;
    },
  };
}

describe('--watch', () => {
  it('checks again when a layer changes, survives an invalid file, and exits with the last result', async () => {
    const folder = folderOf(files);
    const program = watching(folder, 'check', 'policy.yaml');
    expect((await program.round(1)).out).toBe('policy.yaml: ok, 1 rule\n');
    writeFileSync(join(folder, 'layers/org.yaml'), 'version: 1\ndefault: alow\n');
    const second = await program.round(2);
    expect(second.out).toContain('layers/org.yaml:2:10 UNKNOWN_DECISION');
    expect(second.err).toContain('\nchanged: layers/org.yaml\n');
    // As an editor saves: another file takes the name.
    writeFileSync(join(folder, 'layers/new.yaml'), files['layers/org.yaml']);
    renameSync(join(folder, 'layers/new.yaml'), join(folder, 'layers/org.yaml'));
    await program.round(3);
    expect(await program.end()).toBe(0);
  });

  it('tests again when a policy changes or a suite appears', async () => {
    const folder = folderOf(files);
    const program = watching(folder, 'test');
    expect((await program.round(1)).out).toContain('1 passed');
    writeFileSync(join(folder, 'policy.yaml'), policy('blocked'));
    expect((await program.round(2)).out).toContain('1 failed');
    writeFileSync(join(folder, 'b.test.yaml'), suite);
    expect((await program.round(3)).out).toContain('2 failed');
    expect(await program.end()).toBe(1);
  });

  it('excludes --json', async () => {
    expect((await ambit(['check', 'policy.yaml', '--watch', '--json'], { files })).exit).toBe(2);
  });
});
