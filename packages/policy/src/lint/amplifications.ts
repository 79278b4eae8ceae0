import { type Capability, createRequest, type NonEmpty, type Policy, type Request } from '@ambit/core';
import type { Problem } from '../diagnostic.js';
import type { WrittenNamedRule } from '../document.js';
import { createEngine } from '../engine/engine.js';
import { escapeText } from '../escape.js';
import { builtInTools } from './built-in-tools.js';
import { findCall } from './example-call.js';
import { heardSites, type Lint } from './scope.js';

const mostWorkers = 30;
const engine = createEngine();

/** Workers that may be called without a question and may do what their caller may not, each shown by a call that the engine was given. */
export const amplifications: Lint = ({ file, files, now }) => {
  const [first, ...others] = files.map(({ policy }) => policy);
  if (first === undefined) return [];
  const scene = { policies: [first, ...others] as const, now: now ?? 0 };
  const named = new Set(
    files.flatMap(({ policy }) => policy.document.rules.flatMap(({ worker }) => worker ?? [])),
  );
  const unnamed = ['main', 'caller', 'somebody'].find((name) => !named.has(name));
  const callers = [...(unnamed === undefined ? [] : [unnamed]), ...named].slice(0, mostWorkers);
  const seen = new Set<string>();
  return heardSites(file).flatMap(({ rule, decision: span }): readonly Problem[] => {
    if (rule.about === 'combination' || rule.worker === null || rule.decision !== 'pre_approved') return [];
    const callee = rule.worker;
    if (callee === 'created' || callee.startsWith('created:')) return [];
    return callers
      .filter((caller) => caller !== callee)
      .flatMap((caller): readonly Problem[] => {
        if (seen.has(`${caller} ${callee}`) || !mayCall(caller, callee, scene)) return [];
        const example = exampleOf(rule, { ...scene, caller, callee });
        if (example === null) return [];
        seen.add(`${caller} ${callee}`);
        const who = caller === unnamed ? `a worker that no rule names (\`${caller}\`, say)` : `\`${caller}\``;
        const here = engine.decide({ ...example, chain: [caller], worker: caller }, scene.policies).decision;
        return [
          {
            code: 'AMPLIFIES',
            span,
            message: `${who} may call \`${callee}\` without a question, and \`${callee}\` may do what it may not: ${callInWords(example)} runs there, and is ${here} here`,
            help: `let \`worker.call\` of \`${callee}\` ask, or restrict the caller: its restrictions hold for those who act for it`,
          },
        ];
      })
      .slice(0, 1);
  });
};

interface Scene {
  readonly policies: NonEmpty<Policy>;
  readonly now: number;
}

interface Pair extends Scene {
  readonly caller: string;
  readonly callee: string;
}

function mayCall(caller: string, callee: string, { policies, now }: Scene): boolean {
  const capabilities = [{ name: 'worker.call', worker: callee, attachments: 0 }];
  return [`worker.${callee}`, 'delegation.worker_call'].some((tool) => {
    const call = { tool, chain: [caller] as const, args: {}, capabilities, context: {}, history: [], now };
    return engine.decide(createRequest(call), policies).decision === 'pre_approved';
  });
}

/** A call that runs when the callee makes it for the caller, and does not when the caller makes it. */
function exampleOf(rule: WrittenNamedRule, { policies, now, caller, callee }: Pair): Request | null {
  const tool = rule.about === 'tool' ? rule.name.replace(/\*$/, 'tool') : toolFor(rule.name);
  const names = rule.about === 'tool' ? (builtInTools[tool] ?? ['tool.call']) : [rule.name];
  for (const name of names) {
    const capability: Capability = name === 'tool.call' ? { name, tool } : { name };
    const found = findCall({ tool, chain: [caller, callee], capability, rules: [rule], now }, (request) => {
      const there = engine.decide(request, policies).decision;
      const here = engine.decide({ ...request, chain: [caller], worker: caller }, policies).decision;
      return there === 'pre_approved' && here !== 'pre_approved';
    });
    if (found !== null) return found;
  }
  return null;
}

function toolFor(capability: string): string {
  return Object.keys(builtInTools).find((tool) => builtInTools[tool]?.[0] === capability) ?? 'toolset.tool';
}

function callInWords({ tool, capabilities: [{ name, ...facts }] }: Request): string {
  const said = Object.entries(facts).map(([fact, value]) => `${fact}=${JSON.stringify(value)}`);
  return `\`${escapeText([name, ...said].join(' ').slice(0, 160))}\` by \`${escapeText(tool)}\``;
}
