import { isWithin } from '../words/capability.js';
import type { Decision } from '../words/decision.js';
import { createdPrefix } from '../words/name.js';
import { namesTool } from './policy.js';

/** Root first, the acting worker last. */
export interface Acting {
  readonly worker: string;
  readonly chain: readonly string[];
}

export type Addressed = ForWorker &
  (
    | { readonly about: 'capability'; readonly name: string; readonly below: boolean }
    | { readonly about: 'tool'; readonly name: string }
    | { readonly about: 'combination'; readonly members: readonly { readonly name: string }[] }
  );

interface ForWorker {
  readonly decision: Decision;
  readonly worker: string | null;
  readonly inherit: boolean;
}

/** Whether a rule concerns a capability: its name, its tool and its chain. */
export function concerns(rule: Addressed, name: string, call: Acting & { readonly tool: string }): boolean {
  return isAboutName(rule, name) && isAboutTool(rule, call.tool) && isForChain(rule, call);
}

/** A restriction covers its name and everything under it; a permission only with `below`. */
export function isAboutName(rule: Addressed, name: string): boolean {
  if (rule.about === 'tool') return true;
  if (rule.about === 'combination') return rule.members.some((member) => isWithin(name, member.name));
  return restricts(rule) || rule.below ? isWithin(name, rule.name) : name === rule.name;
}

/** Rules about capabilities concern every tool. */
export function isAboutTool(rule: Addressed, tool: string): boolean {
  return rule.about !== 'tool' || namesTool(rule.name, tool);
}

/** A permission concerns the acting worker; an inherited restriction also those who act for its worker. */
export function isForChain(rule: ForWorker, { worker, chain }: Acting): boolean {
  if (rule.worker === null || rule.worker === worker) return true;
  if (!restricts(rule)) return false;
  return (rule.inherit ? chain : [worker]).some((member) =>
    restrictableAs(member).includes(rule.worker ?? ''),
  );
}

/** A restriction for `NAME` or for `created` holds for the worker `created:NAME`; a permission never does. */
export function restrictableAs(worker: string): readonly string[] {
  return worker.startsWith(createdPrefix)
    ? [worker, 'created', worker.slice(createdPrefix.length)]
    : [worker];
}

/** Whether a rule replaces the default. The model chooses NAME in `created:NAME`, so rules for NAME only tighten. */
export function replacesDefault(rule: Pick<Addressed, 'about' | 'worker'>, worker: string): boolean {
  if (rule.about !== 'capability') return false;
  if (rule.worker === null || rule.worker === worker) return true;
  return rule.worker === 'created' && worker.startsWith(createdPrefix);
}

function restricts({ decision }: ForWorker): boolean {
  return decision !== 'pre_approved';
}
