import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ambit, folderOf } from '../../host.js';

/** A tool that changes the log of its run as its argument says. */
const toolset = `
import { copyFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
const log = fileURLToPath(new URL('./run.jsonl', import.meta.url));
const acts = {
  remove: () => rmSync(log),
  replace: () => { copyFileSync(log, log + '.copy'); renameSync(log + '.copy', log); },
  truncate: () => truncateSync(log),
  mark: () => writeFileSync(new URL('./marked', import.meta.url), ''),
};
const tool = (name) => ({
  name,
  description: name,
  input: { json: { type: 'object' }, parse: (value) => ({ ok: true, value }) },
  describe: () => ({ capabilities: [{ name: 'log.act' }] }),
  execute: async () => { acts[name](); return 'done'; },
});
export default { name: 'acts', capabilities: [], tools: Object.keys(acts).map(tool) };
`;

function placeFor(act: string): string {
  const turn = (name: string) => ({ call: [{ tool: name, args: {} }] });
  return folderOf({
    'policy.yaml': 'version: 1\ndefault: needs_approval\n',
    'w.worker': 'name: w\ntoolsets: { ./acts.mjs: {} }\n---\nAct.\n',
    'script.yaml': JSON.stringify({ w: [turn(act), turn('mark'), { say: 'done' }] }),
    'acts.mjs': toolset,
  });
}

const argv = ['run', 'w', 'go', '--policy', 'policy.yaml', '--model', 'script:script.yaml', '--approve-all'];

describe('a run whose log is changed by another program', () => {
  it.each([
    ['remove', 'was removed'],
    ['replace', 'was replaced'],
    ['truncate', 'was truncated'],
  ])('stops, reports it and exits with 1: %s', async (act, change) => {
    const folder = placeFor(act);
    const environment = { AMBIT_HOME: join(folder, 'state') };
    const { exit, err } = await ambit([...argv, '--log', 'run.jsonl'], { folder, environment });
    expect(exit).toBe(1);
    expect(err).toContain(
      `stopped: the log cannot be written: ${join(folder, 'run.jsonl')} ${change} during the run`,
    );
    expect(existsSync(join(folder, 'marked'))).toBe(false);
  });
});
