import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { answer, type Capability, createRequest, type JsonObject, type NonEmpty } from '@ambit/core';
import { createEngine, loadPolicyText } from '@ambit/policy';

/** A policy such as people write: reads pass, writes ask, secrets are blocked. */
export const policyText = `version: 1
default: needs_approval
capabilities:
  fs.read:
    - { decision: pre_approved, match: { path: /work/** } }
    - { id: no-secrets, decision: blocked, match: { path: ["**/.env", "**/*.pem"] } }
  fs.list: pre_approved
  fs.write:
    - { decision: pre_approved, match: { path: /work/out/** }, except: { path: "**/.git/**" } }
  net.connect:
    - { decision: pre_approved, match: { host: "**.example.com" } }
  proc.exec:
    - { decision: pre_approved, match: { program: [ls, cat, git, npm] } }
  content.untrusted: pre_approved
workers:
  evaluator: { capabilities: { net: blocked } }
`;

/** Another, that decides some of it otherwise. */
export const newPolicyText = policyText
  .replace('/work/out/**', '/work/out/reports/**')
  .replace('[ls, cat, git, npm]', '[ls, cat, git]');

/** A small generator of its own, so that every log of a size is the same. */
function createRandom(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/**
 * Writes a log of about so many entries: runs of 25 calls over 400 files, 80 hosts and 60 command lines. Its lines are such as a log
 * writes.
 */
export function makeLog(file: string, entries: number): void {
  const loaded = loadPolicyText('policy.yaml', policyText, { root: '/work', home: '/home/ada' });
  if (!loaded.ok) throw new Error(loaded.diagnostics[0].message);
  const { decide } = createEngine();
  const random = createRandom(7);
  const lines: string[] = [];
  let [now, prev] = [Date.parse('2026-10-01T08:00:00Z'), '0'.repeat(64)];
  const files = [{ name: 'policy.yaml', sha256: digest(policyText), source: policyText }];
  for (let call = 0, run = 0; lines.length < entries; run += 1) {
    const write = (event: JsonObject) => {
      const time = new Date(now).toISOString();
      const head = ['event', 'call', 'decision', 'approved', 'outcome'].filter((name) => name in event);
      const first = Object.fromEntries(head.map((name) => [name, event[name]]));
      const entry = { prev, v: 2, seq: lines.length, time, run: `run-${run}`, ...first, ...event };
      const line = JSON.stringify(entry);
      prev = digest(line);
      lines.push(line);
    };
    write({ event: 'run', version: '0.1.0', user: 'ada', machine: 'ci', mode: 'interactive', context: {} });
    write({ event: 'policy', files, root: '/work', home: '/home/ada' });
    const history: Capability[] = [];
    for (let index = 0; index < 25; index += 1) {
      now += 1000 + random(20_000);
      call += 1;
      const { tool, args, capabilities } = aCall(random);
      const chain: NonEmpty<string> = random(4) === 0 ? ['orchestrator', 'evaluator'] : ['orchestrator'];
      const context = { env: 'ci' };
      const request = createRequest({ tool, chain, args, capabilities, context, history, now });
      const policies = [loaded.policy] as const;
      const decision = answer(decide(request, policies), { request, policies, grants: [] });
      const id = digest(String(call)).slice(0, 26);
      const isPermit = decision.decision === 'pre_approved';
      const added = isPermit ? decision.capabilities.map(({ name }) => name) : [];
      const about = { call: id, chain, tool, args, context, added };
      write({
        event: 'decision',
        ...about,
        grants: [],
        ...(decision as unknown as JsonObject),
        args_digest: digest(JSON.stringify(args)),
      });
      const asks = decision.decision === 'needs_approval';
      const yes = random(10) > 0;
      now += 500 + random(9000);
      const who = { person: 'ada', approval: `a-${call}` };
      const rest = { keep: null, edited: false, note: null, question: null };
      if (asks) write({ event: 'approval', call: id, how: 'person', who, approved: yes, ...rest });
      const runs = decision.decision === 'pre_approved' || (asks && yes);
      if (runs) history.push(...decision.capabilities);
      write(
        runs
          ? { event: 'outcome', call: id, outcome: 'completed' }
          : {
              event: 'outcome',
              call: id,
              outcome: 'refused',
              code: asks ? 'denied' : 'blocked',
              reason: 'no',
            },
      );
    }
    write({ event: 'end', status: 'finished', why: null, totals: { calls: 25 } });
  }
  writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 });
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

const words = 'the report of this week says what was done and what is left to do for all who read it'.split(
  ' ',
);

function aCall(random: (below: number) => number): {
  readonly tool: string;
  readonly args: JsonObject;
  readonly capabilities: readonly Capability[];
} {
  const kind = random(10);
  const path = `/work/${['in', 'out', 'out/reports', 'src'][random(4)]}/part-${random(10)}/file-${random(10)}.md`;
  if (kind < 4)
    return { tool: 'filesystem.read_file', args: { path }, capabilities: [{ name: 'fs.read', path }] };
  if (kind < 6) {
    const content = Array.from({ length: 20 + random(150) }, () => words[random(words.length)]).join(' ');
    const capability = { name: 'fs.write', path, bytes: content.length, exists: random(2) === 0 };
    return { tool: 'filesystem.write_file', args: { path, content }, capabilities: [capability] };
  }
  if (kind < 7)
    return {
      tool: 'filesystem.list_files',
      args: { path: '/work' },
      capabilities: [{ name: 'fs.list', path: '/work' }],
    };
  if (kind < 9) {
    const program = ['ls', 'cat', 'git', 'npm', 'curl', 'make'][random(6)] as string;
    const argv = [
      program,
      ['-l', 'status', 'test', 'README.md', '--help'][random(5)] as string,
      `part-${random(2)}`,
    ];
    const capability = { name: 'proc.exec', program, argv, cwd: '/work' };
    return { tool: 'shell.run', args: { command: argv.join(' ') }, capabilities: [capability] };
  }
  const host = `api-${random(40)}.${random(2) === 0 ? 'example.com' : 'example.org'}`;
  const url = `https://${host}/v1`;
  return {
    tool: 'http.fetch',
    args: { url },
    capabilities: [
      { name: 'net.connect', host, port: 443, scheme: 'https', method: 'GET', url },
      { name: 'content.untrusted', source: url },
    ],
  };
}
