import { isDeepStrictEqual } from 'node:util';
import {
  createRequest,
  type DescribedCall,
  decide,
  type Json,
  type NonEmpty,
  type Policy,
  type Request,
} from '@ambit/core';
import { createEngine, loadPolicyText } from '@ambit/policy';
import { seeded } from './random.js';
import { caslBuilding } from './rivals/casl.js';
import { median } from './timing.js';
import { type Workload, workloadOf } from './workload.js';

/** One drawn workload, by CPU time for each call. */
export interface DrawnTimes {
  readonly title: string;
  /** Nanoseconds for each call, by contender. */
  readonly times: Readonly<Record<string, number>>;
  readonly verified: number;
}

export const drawnNames = {
  limit: 'limit',
  settled: 'decision',
  explained: 'explained',
  settledWithRequest: 'decision, with the request',
  explainedWithRequest: 'explained, with the request',
  casl: 'CASL, with its subjects',
} as const;

const calls = 3_000;
const rounds = 9;

/** For each size, one workload that CASL can express, and one with everything that policies can have. */
export function timeDrawn(sizes: readonly number[], seed: number): readonly DrawnTimes[] {
  const random = seeded(seed);
  return sizes.flatMap((size) => {
    const plain = workloadOf(size, Math.floor(random() * 2 ** 32));
    return [timePlain(plain), timeRich(size, random)];
  });
}

function timePlain(workload: Workload): DrawnTimes {
  const described = workload.requests
    .slice(0, calls)
    .map(({ tool, chain, args, capabilities, context, history, now }) => ({
      tool,
      chain,
      args,
      capabilities,
      context,
      history,
      now,
    }));
  const title = `${workload.rules.length} rules, names and amounts`;
  return timeAgainstLimit(title, {
    policies: workload.policies,
    described,
    casl: caslBuilding(workload.rules),
  });
}

/** Layers, tools, chains, conditions, patterns, and names and paths that occur once, in drawn shares. */
function timeRich(size: number, random: () => number): DrawnTimes {
  const number = (most: number) => Math.floor(random() * most);
  const [layers, tools, chains] = [1 + number(3), 1 + number(1_600), 1 + number(20)];
  const [patterns, conditions, once] = [random() * 0.6, random() * 0.3, random() * 0.3];
  const names = Array.from({ length: Math.ceil(size / layers) }, (_, at) => `app${at % 40}.res${at}`);
  const path = () =>
    random() < 0.5 ? `/w/out${number(7)}/f${number(1e6)}.md` : `/w/p${number(9)}/d${number(1e6)}/.env`;
  const policies = Array.from({ length: layers }, (_, layer) => {
    const capabilities = Object.fromEntries(
      names.map((name, at): [string, Json] => {
        const decision = layer === 0 ? 'pre_approved' : at % 5 === 0 ? 'blocked' : 'needs_approval';
        const match =
          random() < patterns
            ? { match: { path: layer === 0 ? [`/w/out${at % 7}/**`, '**/*.md'] : ['**/.env', '/etc/*/x'] } }
            : {};
        const when = random() < conditions ? { when: { '<=': [{ var: 'capability.amount' }, 50] } } : {};
        return [name, { decision, ...match, ...when }];
      }),
    );
    const workers = { helper3: { capabilities: { app1: 'needs_approval' } } };
    return load(`${layer}.yaml`, {
      version: 1,
      default: layer === 0 ? 'needs_approval' : 'pre_approved',
      tools: { 'box5.*': 'needs_approval' },
      workers,
      capabilities,
    });
  }) as unknown as NonEmpty<Policy>;
  const described = Array.from({ length: calls }, (): DescribedCall => {
    const capabilities = Array.from({ length: 1 + number(4) }, () => ({
      name: random() < once ? `app${number(40)}.once${number(1e9)}` : (names[number(names.length)] as string),
      path: path(),
      amount: number(100),
    }));
    const tool = number(tools);
    return {
      tool: `box${tool % 40}.tool${tool}`,
      chain: ['main', `helper${number(chains)}`],
      args: {},
      capabilities,
      context: {},
      history: [],
      now: 0,
    };
  });
  const share = (value: number) => `${Math.round(value * 100)} %`;
  const title = `${size} rules in ${layers} layers; ${tools} tools, ${chains} chains; ${share(patterns)} patterns, ${share(conditions)} conditions, ${share(once)} names seen once`;
  return timeAgainstLimit(title, { policies, described, casl: null });
}

function load(name: string, document: Json): Policy {
  const loaded = loadPolicyText(name, JSON.stringify(document), { home: '/home/ada', root: '/w' });
  if (!loaded.ok) throw new Error(loaded.diagnostics[0]?.message);
  return loaded.policy;
}

interface Drawn {
  readonly policies: NonEmpty<Policy>;
  readonly described: readonly DescribedCall[];
  readonly casl: ((call: DescribedCall) => boolean) | null;
}

/**
 * The limit looks each name up once and takes the strictest outcome. Each round gets fresh strings,
 * and starts with another contender: else V8 collects its whole heap in the turn of the same one.
 */
function timeAgainstLimit(title: string, { policies, described, casl }: Drawn): DrawnTimes {
  const engine = createEngine();
  const verified = verify(engine.decide, described, policies);
  const outcomes = new Map(
    described.flatMap(({ capabilities }) => capabilities.map(({ name }) => [name, name.length % 3] as const)),
  );
  let kept = 0;
  const limit = ({ capabilities }: DescribedCall) => {
    let top = 0;
    for (const { name } of capabilities) top = Math.max(top, outcomes.get(name) ?? 0);
    return top;
  };
  const contenders: Record<
    string,
    { prepare: (call: DescribedCall) => unknown; run: (given: never) => unknown }
  > = {
    [drawnNames.limit]: { prepare: (call) => call, run: limit },
    [drawnNames.settled]: {
      prepare: createRequest,
      run: (request: Request) => engine.settle(request, policies),
    },
    [drawnNames.explained]: {
      prepare: createRequest,
      run: (request: Request) => engine.decide(request, policies),
    },
    [drawnNames.settledWithRequest]: {
      prepare: (call) => call,
      run: (call: DescribedCall) => engine.settle(createRequest(call), policies),
    },
    [drawnNames.explainedWithRequest]: {
      prepare: (call) => call,
      run: (call: DescribedCall) => engine.decide(createRequest(call), policies),
    },
    ...(casl !== null && { [drawnNames.casl]: { prepare: (call: DescribedCall) => call, run: casl } }),
  };
  const samples = new Map(Object.keys(contenders).map((name) => [name, [] as number[]]));
  const turns = Object.entries(contenders);
  for (let round = 0; round < rounds + 2; round += 1) {
    turns.push(...turns.splice(0, 1));
    for (const [name, { prepare, run }] of turns) {
      const given = (JSON.parse(JSON.stringify(described)) as DescribedCall[]).map(prepare);
      const start = process.cpuUsage();
      for (const one of given) if (run(one as never) === null) kept += 1;
      const { user, system } = process.cpuUsage(start);
      // The first rounds warm up the compiler.
      if (round >= 2) samples.get(name)?.push(((user + system) * 1_000) / given.length);
    }
  }
  if (kept > 0) throw new Error('a contender gave nothing');
  return {
    title,
    times: Object.fromEntries([...samples].map(([name, list]) => [name, median(list)])),
    verified,
  };
}

/** Checks as many calls as the plain definition decides in two seconds. */
function verify(
  fast: typeof decide,
  described: readonly DescribedCall[],
  policies: NonEmpty<Policy>,
): number {
  const end = Date.now() + 2_000;
  let asked = 0;
  for (const call of described) {
    if (Date.now() > end) break;
    const request = createRequest(call);
    if (!isDeepStrictEqual(fast(request, policies), decide(request, policies)))
      throw new Error(`call ${asked} differs`);
    asked += 1;
  }
  return asked;
}
