import { isDeepStrictEqual } from 'node:util';
import { createRequest, decide, type NonEmpty, type Policy, type Request } from '@ambit/core';
import { createEngine, loadPolicyText } from '@ambit/policy';
import { seeded } from './random.js';
import { timeAll } from './timing.js';

export interface LayerTimes {
  readonly rules: number;
  /** Nanoseconds for each call. */
  readonly times: Readonly<Record<string, number>>;
  readonly verified: string;
}

const names = {
  floor: 'floor: one `Map.get` a capability',
  settled: 'Ambit, the decision',
  explained: 'Ambit, decision and explanation',
  plain: 'Ambit, the plain definition',
};
export const layerNames = names;

/** A workload that only this engine can express: three layers, two workers, patterns on facts of which a tenth is missing, a combination. */
export function timeLayers(rules: number): LayerTimes {
  const policies = ['org', 'team', 'project'].map((name, layer) =>
    policyOf(name, rules, layer),
  ) as unknown as NonEmpty<Policy>;
  const requests = requestsFor(rules);
  const engine = createEngine();
  let asked = 0;
  const end = Date.now() + 4_000;
  while (asked < requests.length && Date.now() < end) {
    const request = requests[asked] as Request;
    const plain = decide(request, policies);
    if (
      !isDeepStrictEqual(engine.decide(request, policies), plain) ||
      engine.settle(request, policies) !== plain.decision
    )
      throw new Error(`call ${asked} is decided differently`);
    asked += 1;
  }
  const looked = new Map(
    policies.flatMap((policy) =>
      policy.rules.flatMap((rule) => ('name' in rule ? [[rule.name, rule.decision]] : [])),
    ),
  );
  let next = 0;
  const each = (name: string, work: (request: Request) => unknown) => ({
    name,
    run: (times: number) => {
      for (let time = 0; time < times; time += 1) {
        work(requests[next] as Request);
        next = next + 1 === requests.length ? 0 : next + 1;
      }
    },
  });
  const times = timeAll([
    each(names.floor, (request) => {
      let found = 0;
      for (const { name } of request.capabilities) if (looked.get(name) !== undefined) found += 1;
      return found;
    }),
    each(names.settled, (request) => engine.settle(request, policies)),
    each(names.explained, (request) => engine.decide(request, policies)),
    each(names.plain, (request) => decide(request, policies)),
  ]);
  const total = policies.reduce((sum, policy) => sum + policy.rules.length, 0);
  return {
    rules: total,
    times: Object.fromEntries(times),
    verified: `the first ${asked} of ${requests.length} calls`,
  };
}

function policyOf(name: string, rules: number, layer: number): Policy {
  const capabilities: Record<string, unknown> = {};
  for (let index = 0; index < rules / 3; index += 1) capabilities[nameAt(index)] = ruleAt(index, layer);
  const text = JSON.stringify({
    version: 1,
    default: layer === 0 ? 'needs_approval' : 'pre_approved',
    capabilities,
    workers: {
      helper: { capabilities: { 'app0.res0': 'needs_approval', [nameAt(1)]: 'blocked' } },
    },
    ...(layer === 1
      ? {
          together: [
            {
              id: 'leak',
              capabilities: ['secret.read', { name: 'net.connect', except: { host: '**.internal.example' } }],
              within: 'run',
              decision: 'blocked',
            },
          ],
        }
      : {}),
  });
  const loaded = loadPolicyText(`${name}.yaml`, text, { home: '/home/ada', root: '/w' });
  if (!loaded.ok) throw new Error(loaded.diagnostics[0]?.message);
  return loaded.policy;
}

function ruleAt(index: number, layer: number): unknown {
  const patterns = [`/w/out${index % 7}/**`, '**/*.md', `/w/part${layer}/*/x`];
  if (layer === 0) return { decision: 'pre_approved', match: { path: patterns[index % 3] } };
  return {
    decision: index % 5 === 0 ? 'blocked' : 'needs_approval',
    match: { path: ['**/.env', '**/*.pem', `/etc/x${index}`] },
  };
}

function nameAt(index: number): string {
  return `app${index % 40}.res${index}`;
}

function requestsFor(rules: number): readonly Request[] {
  const random = seeded(11);
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
  const paths = ['/w/out1/a.md', '/w/out3/deep/b.txt', '/w/part0/y/x', '/w/.env', '/w/keys/a.pem', '/srv/c'];
  const capability = () => {
    const kind = random();
    if (kind < 0.05) return { name: 'secret.read', secret: 'a' };
    if (kind < 0.1)
      return { name: 'net.connect', host: pick(['a.example', 'b.internal.example']), port: 443 };
    const name = nameAt(Math.floor((random() * rules) / 3));
    return random() < 0.1 ? { name } : { name, path: pick(paths) };
  };
  return Array.from({ length: 10_000 }, () =>
    createRequest({
      tool: pick(['box.put', 'box.take']),
      chain: pick<NonEmpty<string>>([['main'], ['main', 'helper'], ['main', 'critic']]),
      args: {},
      capabilities: Array.from({ length: 1 + Math.floor(random() * 4) }, capability),
      context: {},
      history: random() < 0.2 ? [{ name: 'secret.read' }] : [],
      now: 0,
    }),
  );
}
