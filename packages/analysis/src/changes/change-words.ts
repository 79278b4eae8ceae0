import type { Capability } from '@ambit/core';
import { quote } from '@ambit/policy/internal';
import type { Change } from './change.js';

/** For a person; escaped. */
export function formatChanges(changes: readonly Change[], capabilities: readonly Capability[]): string {
  if (changes.length === 0) return 'found no single change that would alter this decision';
  return [
    'changes that would each alter this decision',
    ...changes.map((change) => `  ${changeInWords(change, capabilities)}`),
  ].join('\n');
}

/** `if path were /w/out/x, which /w/out/** covers: pre_approved`. */
function changeInWords(change: Change, capabilities: readonly Capability[]): string {
  return `${conditionOf(change, capabilities)}: ${change.decision}`;
}

function conditionOf(change: Change, capabilities: readonly Capability[]): string {
  if (change.of === 'policy') {
    const rule = `the rule ${quote(change.id)} (${quote(change.at).slice(1, -1)})`;
    return change.says === null ? `without ${rule}` : `if ${rule} said ${change.says}`;
  }
  const value = quote(typeof change.value === 'string' ? change.value : JSON.stringify(change.value));
  if (change.what === 'worker') return `if the acting worker were ${value}`;
  if (change.what === 'chain') return `if ${value} acted for nobody else`;
  const what = `${subjects[change.what]}${quote(change.key)}${ofCapability(change.capability, capabilities)}`;
  if (change.missing) return `without ${what}`;
  const cover = change.covered_by === null ? '' : `, which ${quote(change.covered_by)} covers`;
  return `if ${what} were ${value}${cover}`;
}

const subjects = { fact: '', argument: 'the argument ', context: 'the context’s ' } as const;

function ofCapability(index: number | null, capabilities: readonly Capability[]): string {
  const capability = index === null ? undefined : capabilities[index];
  return capability === undefined || capabilities.length === 1
    ? ''
    : ` of ${capability.name} (${(index ?? 0) + 1})`;
}
