import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { build, ended, program, start } from '../program.js';
import type { Workplace } from '../session.js';
import { mcpPlace, processesAbout, program as serverProgram } from '../toolsets/mcp-place.js';

beforeAll(build, 300_000);

/** Begins a run whose call of a server hangs, with what the server does when it is asked to end. */
async function hanging(
  manners: string,
): Promise<{ readonly place: Workplace; readonly child: ReturnType<typeof start> }> {
  const place = mcpPlace({
    'server.mjs': serverProgram(`
      ${manners}
      serve({ tools: [tool('hello')], call: () => appendFileSync(new URL('./called', import.meta.url), 'x') });
    `),
  });
  const child = start(place, [
    process.execPath,
    program,
    'run',
    'main',
    '--policy',
    'policy.yaml',
    '--model',
    'script:script.yaml',
    '--strict',
    '--quiet',
  ]);
  while (place.text('called') === null) await wait(20);
  return { place, child };
}

const stubborn = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);`;

describe('a program that ends while a server works for it', () => {
  it.each<[string, readonly NodeJS.Signals[], string]>([
    ['asked once', ['SIGTERM'], stubborn],
    ['asked twice', ['SIGTERM', 'SIGTERM'], stubborn],
    ['killed, and the server looks at its input', ['SIGKILL'], ''],
  ])('ends the server too: %s', async (_, signals, manners) => {
    const { place, child } = await hanging(manners);
    const end = ended(child);
    for (const signal of signals) {
      child.kill(signal);
      await wait(50);
    }
    await end;
    // A server may take a moment to end; one that never ends runs into the time limit of the test.
    while (processesAbout(place.root).length > 0) await wait(20);
    expect(place.text('called')).toBe('x');
  });
});
