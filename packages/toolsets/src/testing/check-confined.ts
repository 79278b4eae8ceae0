import type { Capability, JsonObject, Tool } from '@ambit/core';
import { type Finding, finding } from './finding.js';

/** Runs Node with write and network access only as reported. */
export type RunConfined = (program: {
  readonly args: readonly string[];
  readonly capabilities: readonly Capability[];
}) => Promise<{ readonly exit_code: number | null; readonly timed_out: boolean; readonly stderr: string }>;

/** Loads a module in its own process and executes one call; its outcome is the exit code. */
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

/** Executes a successful call again, confined to its report, which includes children and native code. */
export async function checkConfined(
  tool: Tool,
  args: JsonObject,
  { module, run }: { readonly module: string; readonly run: RunConfined },
): Promise<readonly Finding[]> {
  const about = { tool: tool.name, args };
  const context = { chain: ['main'] as const, signal: new AbortController().signal };
  const { capabilities } = await tool.describe(args, context);
  const { exit_code, stderr, timed_out } = await run({
    args: ['--input-type=module', '-e', runner, module, tool.name, JSON.stringify(args)],
    capabilities,
  });
  if (exit_code === 0) return [];
  const why = timed_out ? 'it took too long' : (stderr.trim().split('\n').at(-1) ?? '');
  return [finding('NOT_REPORTED', `executing fails when confined to what was reported: ${why}`, about)];
}
