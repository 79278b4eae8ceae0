import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname } from 'node:path';
import type { JsonObject, Tool } from '@ambit/core';
import { openRoots } from '../filesystem/root.js';
import { environmentOf } from '../shell/execute/environment.js';
import { boundsOf } from '../shell/execute/isolation/bounds.js';
import { confined, type Isolation } from '../shell/execute/isolation/isolation.js';
import { usualBash } from '../shell/execute/launcher.js';
import { runProcess, usualLimits } from '../shell/execute/run-process.js';
import { usualSearchPath } from '../shell/execute/search-path.js';
import { type Finding, finding } from './finding.js';

/** Loads a module in a process of its own and executes one call; its outcome is the exit code. */
const runner = `
const [path, name, args] = process.argv.slice(1);
const module = await import(path);
const exported = module.default ?? module.toolset ?? module.configure;
const made = typeof exported === 'function' ? await exported(module.exampleConfiguration ?? {}) : exported;
const { tools } = made;
if (typeof exported === 'function') await made.enter?.();
const tool = tools.find((one) => one.name === name);
const context = { chain: ['main'], signal: new AbortController().signal };
const parsed = tool.input.parse(JSON.parse(args));
const { capabilities } = await tool.describe(parsed.value, context);
const call = () => Promise.reject(new Error('an example that calls other tools is not executed here'));
try {
  await tool.execute(parsed.value, { ...context, id: 'example', described: capabilities, call });
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 3;
}
if (typeof exported === 'function') await made.exit?.();
`;

/**
 * Executes a call that succeeds by itself once more, in a process whose bounds are what it reported: it may write where it reported
 * writes, and use the network where it reported a connection. What then fails did what it had not reported, a child process or native
 * code included.
 */
export async function checkConfined(
  tool: Tool,
  args: JsonObject,
  { module, isolation }: { readonly module: string; readonly isolation: Isolation },
): Promise<readonly Finding[]> {
  const about = { tool: tool.name, args };
  const context = { chain: ['main'] as const, signal: new AbortController().signal };
  const { capabilities } = await tool.describe(args, context);
  const roots = openRoots([]);
  const folder = realpathSync('.');
  const node = ['--input-type=module', '-e', runner, module, tool.name, JSON.stringify(args)];
  const command = [process.execPath, ...node].map(quoted).join(' ');
  const { program, args: words } = confined(isolation, {
    launch: { bash: usualBash, command, umask: '022' },
    folder,
    bounds: boundsOf(capabilities, { roots, writes: 'described' }),
    roots,
    linger: 0,
  });
  const searchPath = [...usualSearchPath, dirname(process.execPath)];
  const { exit_code, stderr, timed_out } = await runProcess({
    program,
    args: words,
    environment: environmentOf({}, { searchPath, home: homedir(), is_isolated: true }),
    folder,
    is_confined: true,
    limits: { ...usualLimits, time: 60_000 },
    signal: new AbortController().signal,
  });
  if (exit_code === 0) return [];
  const why = timed_out ? 'it took too long' : (stderr.text.trim().split('\n').at(-1) ?? '');
  return [finding('NOT_REPORTED', `executing fails within the bounds of what was reported: ${why}`, about)];
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
