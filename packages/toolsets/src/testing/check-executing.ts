import { type Capability, type JsonObject, messageOf, orNull, type Tool } from '@ambit/core';
import { canonicalHost } from '../places/host.js';
import { isUnder, realPathOf } from '../places/paths.js';
import { inWords } from './check-describing.js';
import { type Finding, finding } from './finding.js';
import type { Effect, EffectKind } from './watch/effects.js';
import { watch } from './watch/watch.js';

export async function checkExecuting(tool: Tool, args: JsonObject): Promise<readonly Finding[]> {
  const about = { tool: tool.name, args };
  const context = { chain: ['main'] as const, signal: new AbortController().signal };
  const { capabilities, cannot } = await tool.describe(args, context);
  if (cannot !== undefined) return [finding('FAILED', `an example cannot be executed: ${cannot}`, about)];
  const call = () => Promise.reject(new Error('an example that calls other tools is not executed here'));
  const { result, effects } = await watch(() =>
    tool.execute(args, { ...context, id: 'example', described: capabilities, call }),
  );
  const failed =
    'error' in result ? [finding('FAILED', `an example failed: ${messageOf(result.error)}`, about)] : [];
  const messages = withoutDrafts(effects, capabilities)
    .filter((effect) => !isReported(effect, capabilities))
    .map((effect) => `executing ${inWords(effect)}, which was not reported`);
  return [...failed, ...[...new Set(messages)].map((message) => finding('NOT_REPORTED', message, about))];
}

/** Without drafts that were moved to a reported place. */
function withoutDrafts(effects: readonly Effect[], capabilities: readonly Capability[]): readonly Effect[] {
  const drafts = effects.flatMap((effect, index) => {
    const next = effects[index + 1];
    const isMoved = /rename(Sync)?$/.test(effect.by) && effect.kind === 'delete' && next?.by === effect.by;
    return isMoved && isReported(next, capabilities) ? [effect.on] : [];
  });
  return effects.filter(({ on }) => !drafts.includes(on));
}

const reporting: Readonly<Partial<Record<EffectKind, readonly string[]>>> = {
  read: ['fs.read', 'code.load'],
  list: ['fs.list', 'fs.read'],
  write: ['fs.write'],
  delete: ['fs.delete'],
  meta: ['fs.meta', 'fs.write'],
  connect: ['net.connect'],
  run: ['proc.exec'],
  set_variable: ['env.set'],
};

function isReported(effect: Effect, capabilities: readonly Capability[]): boolean {
  const names = reporting[effect.kind];
  if (names === undefined || isOwnCode(effect)) return true;
  return capabilities.some(
    (capability) =>
      names.some((name) => capability.name === name || capability.name.startsWith(`${name}.`)) &&
      covers(capability, effect),
  );
}

/** Node loads code lazily, and asks the system about itself. */
function isOwnCode({ kind, on }: Effect): boolean {
  return (
    kind === 'read' && (/\/node_modules\/.*\.([cm]?js|json|node|wasm)$/.test(on) || isUnder(on, '/proc/self'))
  );
}

/** A missing fact covers everything: it is unknown. */
function covers({ path, host, program, variable }: Capability, { kind, on }: Effect): boolean {
  if (kind === 'connect') return typeof host !== 'string' || host === canonicalHost(on);
  if (kind === 'set_variable') return typeof variable !== 'string' || variable === on;
  if (kind === 'run')
    return typeof program !== 'string' || program === on || program === on.split('/').at(-1);
  return typeof path !== 'string' || isUnder(on, path) || isUnder(orNull(() => realPathOf(on)) ?? on, path);
}
