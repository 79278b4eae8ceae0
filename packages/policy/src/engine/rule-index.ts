import {
  builtIn,
  concerns,
  createdPrefix,
  type Policy,
  type Request,
  type Rule,
  restrictableAs,
  rulesOf,
  toolsetOf,
} from '@ambit/core';

export interface PlacedRule {
  readonly rule: Rule;
  /** The index of its policy. */
  readonly layer: number;
  /** The index among the rules of all policies. */
  readonly place: number;
}

/** The rules of policies that judge together, by the names that they concern. */
export class RuleIndex {
  /** The built-in policy is the first. */
  readonly policies: readonly Policy[];
  /** Every key of `tools:` and `carries:`; those for a whole toolset by its name. */
  readonly tools = new Set<string>();
  readonly #toolsets = new Map<string, string>();
  /** Every worker with rules. */
  readonly workers = new Set<string>();
  /** A list only where there are several, since it takes memory. */
  readonly #bySubject = new Map<string, PlacedRule | PlacedRule[]>();

  /** Freezes the policies: a later change would be ignored, so it throws instead. */
  constructor(policies: readonly Policy[]) {
    for (const { rules, carries, default: usual } of policies) freezeDeep([rules, carries, usual]);
    policies.forEach(Object.freeze);
    this.policies = [builtIn, ...policies];
    let place = 0;
    this.policies.forEach((policy, layer) => {
      for (const { tool } of policy.carries) this.#addTool(tool);
      for (const rule of rulesOf(policy)) {
        this.#add({ rule, layer, place });
        place += 1;
      }
    });
  }

  #add(placed: PlacedRule): void {
    const { rule } = placed;
    if (rule.worker !== null) this.workers.add(rule.worker);
    if (rule.about === 'tool') this.#addTool(rule.name);
    const names = rule.about === 'combination' ? rule.members.map((member) => member.name) : [rule.name];
    for (const name of new Set(names)) {
      const key = keyOf(rule.worker, name);
      const known = this.#bySubject.get(key);
      if (Array.isArray(known)) known.push(placed);
      else this.#bySubject.set(key, known === undefined ? placed : [known, placed]);
    }
  }

  #addTool(key: string): void {
    this.tools.add(key);
    if (key.endsWith('.*')) this.#toolsets.set(key.slice(0, -2), key);
  }

  /** In the order of their places. */
  rulesFor(name: string, caller: Request): readonly PlacedRule[] {
    const acting = [caller.worker, ...caller.chain].flatMap(restrictableAs);
    const workers = [null, ...acting.filter((worker) => this.workers.has(worker))];
    const subjects = [name, caller.tool, `${toolsetOf(caller.tool)}.*`];
    for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1))
      subjects.push(name.slice(0, dot));
    const lists = workers.flatMap((worker) =>
      subjects.map((subject) => this.#bySubject.get(keyOf(worker, subject)) ?? []),
    );
    const found = new Set(lists.flat().filter(({ rule }) => concerns(rule, name, caller)));
    return [...found].sort((one, other) => one.place - other.place);
  }

  /** Equal for tools that no policy distinguishes. */
  toolKey(tool: string): string | null {
    return this.tools.has(tool) ? tool : (this.#toolsets.get(toolsetOf(tool)) ?? null);
  }

  /** Null for a worker without rules. */
  workerKey(worker: string): string | null {
    if (this.workers.has(worker)) return worker;
    if (!worker.startsWith(createdPrefix)) return null;
    return restrictableAs(worker).some((name) => this.workers.has(name)) ? worker : null;
  }
}

function keyOf(worker: string | null, subject: string): string {
  return worker === null ? subject : `${worker} ${subject}`;
}

/** Freezes shared values against changes. Functions keep their state. */
export function freezeDeep<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  Object.freeze(value);
  for (const key in value) freezeDeep(value[key]);
  return value;
}
