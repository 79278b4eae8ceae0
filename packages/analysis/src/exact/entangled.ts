import { keysOf } from '@ambit/policy/internal';
import type { Variable } from './formula/variable.js';
import type { AnalysedPolicy } from './subject-policy.js';

/** Facts that are text or numbers wherever they are canonical, so that nothing lies within them. */
const plainFacts: readonly string[] = ['name', 'path', 'cwd', 'host', 'port', 'program'];

/** Says of a variable whether conditions read both it and what it lies in: then its values depend on another's. */
export function entanglement(policies: readonly AnalysedPolicy[]): (variable: Variable) => boolean {
  const read = new Set<string>();
  const add = (kind: string, path: readonly string[]) => read.add(JSON.stringify([kind, ...path]));
  for (const { rules } of policies) {
    for (const { match, except, when, members } of rules) {
      const matches = [match, except, ...members.flatMap((member) => [member.match, member.except])];
      for (const each of matches) for (const { fact } of each ?? []) add('fact', [fact]);
      for (const key of when === null ? [] : keysOf(when.expression)) {
        const [root = '', ...path] = String(key).split('.');
        if (path.length > 0) add(root === 'capability' ? 'fact' : root, path);
      }
    }
  }
  return (variable) => {
    if (variable.kind !== 'fact' && variable.kind !== 'args' && variable.kind !== 'context') return false;
    const { kind, path } = variable;
    if (kind === 'fact' && path.length > 1 && plainFacts.includes(path[0] as string)) return true;
    return path.slice(1).some((_, index) => read.has(JSON.stringify([kind, ...path.slice(0, index + 1)])));
  };
}
