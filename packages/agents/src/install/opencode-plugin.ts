/**
 * The plug-in. It is small, because opencode skips a plug-in that fails to load and then runs every tool. It
 * permits only calls that were answered with `allow`.
 */
export function pluginText({
  command,
  timeout,
  shell = null,
}: {
  readonly command: readonly [string, ...string[]];
  /** In seconds. */
  readonly timeout: number;
  /** The shell in which opencode is to run commands; null for its own choice. */
  readonly shell?: string | null;
}): string {
  const [program, ...args] = command;
  const chosen =
    shell === null ? '' : `\n  config: async (config) => { config.shell = ${JSON.stringify(shell)}; },`;
  return `// Written by \`ambit hook install opencode\`; \`ambit hook uninstall opencode\` takes it out.
import { spawn } from 'node:child_process';

const ask = (more, value) =>
  new Promise((resolve, reject) => {
    const child = spawn(${JSON.stringify(program)}, [...${JSON.stringify(args)}, ...more], { env: {}, stdio: ['pipe', 'pipe', 'pipe'] });
    const timer = setTimeout(() => { child.kill('SIGKILL'); reject(new Error('ambit: no answer in time; the call is refused')); }, ${timeout * 1000});
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk) => { out += chunk; });
    child.stderr.on('data', (chunk) => { err += chunk; });
    child.stdin.on('error', () => {});
    child.on('error', (error) => { clearTimeout(timer); reject(error); });
    child.on('close', (code) => { clearTimeout(timer); code === 0 ? resolve(out) : reject(new Error(err || 'ambit: the hook failed; the call is refused')); });
    child.stdin.end(JSON.stringify(value));
  });

${above}// The permitted calls that have not ended.
const permitted = new Set();

export const Ambit = async ({ client, directory, worktree }) => ({${chosen}
  // opencode calls no other function for a tool that failed.
  event: async ({ event }) => {
    const { type, tool, sessionID, callID, state } = event?.properties?.part ?? {};
    if (event?.type !== 'message.part.updated' || type !== 'tool' || state?.status !== 'error' || !permitted.delete(callID)) return;
    const of = await above(client, sessionID);
    const failed = { input: { tool, sessionID, callID }, args: state.input ?? {}, directory, worktree, error: String(state.error), ...of };
    await ask(['--after'], failed).catch(() => {});
  },
  'tool.execute.before': async (input, output) => {
    const of = await above(client, input.sessionID);
    const answer = JSON.parse(await ask([], { input, args: output.args, directory, worktree, ...of }));
    if (answer.decision === 'allow') permitted.add(input.callID);
    else throw new Error(answer.reason ?? 'ambit: the call is refused');
  },
  'tool.execute.after': async (input, output) => {
    permitted.delete(input.callID);
    const of = await above(client, input.sessionID);
    await ask(['--after'], { input, args: input.args ?? output.args ?? {}, directory, worktree, ...of }).catch(() => {});
  },
});
`;
}

const above = `// The first session above this one, and the agent. Nothing if opencode does not tell within five seconds.
const above = (client, own) => {
  const get = async (id) => (await client.session.get({ path: { id }, throwOnError: true })).data;
  const find = async () => {
    const { agent, parentID } = await get(own);
    let top = parentID ?? null;
    for (let [next, most] = [top, 100]; next; next = (await get(next)).parentID, most -= 1) {
      if (most === 0) return {};
      top = next;
    }
    return { parent: top, agent };
  };
  return Promise.race([find().catch(() => ({})), new Promise((late) => setTimeout(late, 5000, {}).unref?.())]);
};

`;
