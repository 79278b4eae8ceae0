import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withHook } from '../../src/install/settings.js';
import { programs, RealPlace } from './real-client.js';

const policy = `version: 1
default: pre_approved
together:
  - { id: leak, capabilities: [secret.read, fs.write], within: run, decision: blocked }
`;
const task = (name: string) => ({
  name: 'task',
  input: { description: 'd', prompt: `[[${name}]] go`, agent_type: 'general-purpose', name, mode: 'sync' },
});
const bash = (command: string) => ({ name: 'bash', input: { command, description: 'x' } });

it.skipIf(!programs.has('opencode'))(
  'a sub-agent in the real opencode has the history of its session, and its name',
  { timeout: 300_000 },
  async () => {
    const place = new RealPlace(policy);
    const agent = { description: 'd', prompt: '[[sub]] go', subagent_type: 'general' };
    const { proj } = await place.drive('opencode', {
      files: { '.env': 'KEY=1' },
      script: {
        turns: [{ tools: [bash('cat .env')] }, { tools: [{ name: 'task', input: agent }] }, 'done'],
        by_marker: { sub: [{ tools: [bash('echo x > made')] }, 'done'] },
      },
    });
    expect(existsSync(join(proj, 'made'))).toBe(false);
    const told = (await place.decisions('opencode')).map(({ chain, decision }) => [
      chain.join(' > '),
      decision,
    ]);
    expect(told).toEqual([
      ['opencode', 'pre_approved'],
      ['opencode', 'pre_approved'],
      ['opencode > general', 'blocked'],
    ]);
  },
);

it.skipIf(!programs.has('gemini'))(
  'a sub-agent in the real Gemini is judged by its own restrictions',
  { timeout: 300_000 },
  async () => {
    const place = new RealPlace(`version: 1
default: pre_approved
workers: { generalist: { capabilities: { fs.write: { decision: blocked, match: { path: ./made } } } } }
`);
    const shell = (command: string) => ({
      tools: [{ name: 'run_shell_command', input: { command, description: 'x' } }],
    });
    const agent = { agent_name: 'generalist', prompt: '[[sub]] go' };
    const [home, project] = [place.base, place.base];
    const hook = { client: 'gemini', scope: 'user', home, project, timeout: 30, random: 'x' } as const;
    const settings = JSON.parse(withHook(null, { ...hook, command: place.command('gemini') }));
    const { proj } = await place.drive('gemini', {
      // With both hooks, as installed.
      settingsFile: 'none',
      settings,
      script: {
        turns: [{ tools: [{ name: 'invoke_agent', input: agent }] }, shell('echo x > made'), 'done'],
        by_marker: {
          sub: [
            shell('echo x > made'),
            { tools: [{ name: 'complete_task', input: { result: { response: 'done' } } }] },
            'done',
          ],
        },
      },
    });
    const told = (await place.decisions('gemini')).map(({ chain, tool, decision }) => [
      chain.join(' > '),
      tool,
      decision,
    ]);
    expect(told).toEqual([
      ['gemini', 'gemini.agent', 'pre_approved'],
      ['gemini > generalist', 'shell.run', 'blocked'],
      ['gemini > generalist', 'gemini.complete_task', 'pre_approved'],
      ['gemini', 'shell.run', 'pre_approved'],
    ]);
    expect(existsSync(join(proj, 'made'))).toBe(true);
  },
);

describe('a sub-agent of a sub-agent in the real Copilot', () => {
  it.skipIf(!programs.has('copilot'))('has the history of the session', async () => {
    const place = new RealPlace(policy);
    const { proj } = await place.drive('copilot', {
      files: { '.env': 'KEY=1' },
      script: {
        turns: [{ tools: [bash('cat .env')] }, { tools: [task('outer')] }, 'done'],
        by_marker: {
          outer: [{ tools: [task('inner')] }, 'done'],
          inner: [{ tools: [bash('echo x > made')] }, 'done'],
        },
      },
    });
    expect(existsSync(join(proj, 'made'))).toBe(false);
    const told = (await place.decisions('copilot')).map(({ tool, decision }) => `${tool} ${decision}`);
    expect(told).toEqual([
      'shell.run pre_approved',
      'copilot.agent pre_approved',
      'copilot.agent pre_approved',
      'shell.run blocked',
    ]);
  });
});
