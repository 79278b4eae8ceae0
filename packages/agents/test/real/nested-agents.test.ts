import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
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
