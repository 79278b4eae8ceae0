import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ambitOptions } from '@ambit/agents/claude-agent-sdk';
import { withScratch } from '../scratch.js';
import { startScriptedModel } from '../scripted-model.js';

const home = fileURLToPath(new URL('../release-notes/', import.meta.url));

/** The part of the SDK that is used here. The SDK is large, and users install it themselves. */
interface Sdk {
  readonly query: (of: { readonly prompt: string; readonly options: object }) => AsyncIterable<object>;
}

const bash = (command: string) => ({
  calls: [{ name: 'Bash', input: { command, description: 'release notes' } }],
});

const [, , place] = process.argv;
if (place === undefined) {
  process.stderr.write('give the path of sdk.mjs of @anthropic-ai/claude-agent-sdk\n');
  process.exit(2);
}
const { query } = (await import(pathToFileURL(resolve(place)).href)) as Sdk;

await withScratch(async ({ folder, environment }) => {
  const [project, own] = [join(folder, 'project'), join(folder, 'home')];
  for (const each of [own, join(project, '.git'), join(project, 'notes')])
    mkdirSync(each, { recursive: true });
  writeFileSync(join(project, 'VERSION'), '1\n');
  const model = await startScriptedModel([
    bash('echo "Faster." > notes/2.md'),
    bash('echo 2 > VERSION'),
    bash('echo 3 > VERSION'),
    bash('cat /etc/passwd > notes/users.md'),
    { say: 'The notes are written.' },
  ]);
  const asked: string[] = [];
  const judged = ambitOptions({
    policies: [join(home, 'policy.yaml')],
    state: environment.AMBIT_HOME ?? folder,
    ask: async (_, input) => asked.push((input as { readonly command: string }).command) === 1,
  });
  const env = {
    PATH: environment.PATH,
    HOME: own,
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: 'none',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  };
  const said: object[] = [];
  const options = { ...judged, cwd: project, env };
  for await (const message of query({ prompt: 'Write the notes.', options })) said.push(message);
  await model.close();

  assert.deepEqual(asked, ['echo 2 > VERSION', 'echo 3 > VERSION']);
  assert.equal(readFileSync(join(project, 'VERSION'), 'utf8'), '2\n');
  assert.deepEqual(readdirSync(join(project, 'notes')), ['2.md']);
  const told = JSON.stringify(said);
  for (const words of ['the user refused this call', 'fs.read.outside is blocked'])
    assert.ok(told.includes(words), `the model was not told: ${words}`);
  process.stdout.write('one note and one release written, one release refused, and no user read\n');
});
