import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-folder.js';
import { openClientSession, openStateFolder } from '../../src/index.js';

/** An exclusive session of one conversation, which stores its steps in batches. */
async function opened(root: string) {
  const environment = { HOME: root, AMBIT_HOME: join(root, 'state') };
  const of = { client: 'agent', session: 'talk', root, policies: ['policy.yaml'], environment };
  const found = await openClientSession({ ...of, deadline: Date.now() + 60_000, isExclusive: true });
  if (!found.ok) throw new Error(found.problems[0].message);
  return { session: found.session, database: join(await openStateFolder(environment, root), 'runs.db') };
}

const call = (id: string, text: string) => ({
  id,
  chain: ['agent'] as const,
  name: 'app.act',
  args: { text },
  describe: async () => [{ name: 'tool.call', tool: 'app.act' }],
});

it('stores the steps of a failed batch with the next one, but not the refused call', async () => {
  const root = temporaryFolder('batch-');
  writeFileSync(join(root, 'policy.yaml'), 'version: 1\ndefault: pre_approved\n');
  const { session, database } = await opened(root);
  expect(await session.judge(call('call_00000001', 'short'))).toMatchObject({ verdict: 'permitted' });
  renameSync(database, `${database}.away`);
  // Longer than a batch, so it is stored at once.
  const long = 'x'.repeat(9_000_000);
  expect(await session.judge(call('call_00000002', long))).toMatchObject({
    verdict: 'refused',
    refusal: { code: 'unrecorded' },
  });
  renameSync(`${database}.away`, database);
  await session.close();
  const { session: again } = await opened(root);
  const ended = { id: 'call_00000001', chain: ['agent'] as const, name: 'app.act', args: { text: 'short' } };
  await again.ended(ended, null);
  expect(await again.judge(call('call_00000002', 'new'))).toMatchObject({ call: 'call_00000002' });
  await again.close();
});
