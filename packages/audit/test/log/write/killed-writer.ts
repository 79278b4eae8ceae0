import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'tsup';
import { readLog } from '../../../src/index.js';
import type { Told } from './writer.js';

/** A program that writes a log, to be killed. */
export interface BuiltWriter {
  readonly program: string;
  remove(): void;
}

export async function buildWriter(): Promise<BuiltWriter> {
  const folder = mkdtempSync(join(tmpdir(), 'ambit-writer-'));
  await build({
    entry: [fileURLToPath(new URL('writer.ts', import.meta.url))],
    outDir: folder,
    outExtension: () => ({ js: '.mjs' }),
    format: 'esm',
    target: 'node20',
    noExternal: [/.*/],
    esbuildOptions: (options) => {
      options.conditions = ['@ambit/source'];
    },
    config: false,
    dts: false,
    silent: true,
  });
  return {
    program: join(folder, 'writer.mjs'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export function told(file: string, options: Partial<Told> = {}): Told {
  return { file, name: 'c', size: 2000, secret: null, rotate: {}, commit: 'group', ...options };
}

/** When a writer is killed: once it has said so often that something is durable, or so long after it began. */
export type Moment = { readonly acknowledgements: number } | { readonly milliseconds: number };

/** The calls that it was told are durable before it was killed. */
export async function killedAt(program: string, given: Told, moment: Moment): Promise<readonly string[]> {
  const child = spawn(process.execPath, [program, JSON.stringify(given)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  const kill = () => child.kill('SIGKILL');
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (output === '' && 'milliseconds' in moment) setTimeout(kill, moment.milliseconds);
    output += text;
    if ('acknowledgements' in moment && durableIn(output).length >= moment.acknowledgements) kill();
  });
  await new Promise((resolve) => child.once('close', resolve));
  if (!output.startsWith('open\n')) throw new Error(`the writer did not begin: ${output}`);
  return durableIn(output);
}

/** Of whole lines. */
function durableIn(output: string): readonly string[] {
  return output
    .split('\n')
    .slice(0, -1)
    .flatMap((line) => (line.startsWith('durable ') ? [line.slice(8)] : []));
}

/** The calls of a log, in order, and how many of them stand in it twice. */
export async function callsIn(file: string): Promise<readonly string[]> {
  const calls: string[] = [];
  for await (const { entry } of readLog(file))
    if (entry.event === 'decision') calls.push(entry.call as string);
  return calls;
}
