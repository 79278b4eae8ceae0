import assert from 'node:assert/strict';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LoggedEvent } from '../read-log.js';
import { runToEnd } from '../run-to-end.js';
import { withScratch } from '../scratch.js';
import { crm } from './crm.js';

const home = fileURLToPath(new URL('../two-references/', import.meta.url));

await withScratch(async ({ folder, environment }) => {
  const events = await runToEnd('Begin', {
    root: folder,
    policies: [join(home, 'policy.yaml')],
    workers: join(home, 'workers/manager.worker'),
    model: `script:${join(home, 'script.yaml')}`,
    // Nobody is asked: only the grants of the references differ.
    mode: 'strict',
    toolsets: [crm()],
    environment,
  });
  const table = events
    .filter(({ event, tool }) => event === 'decision' && tool?.startsWith('crm.'))
    .map((decision) => [
      decision.chain?.at(-1),
      decision.tool,
      decision.decision,
      outcomeOf(decision, events),
      why(decision),
    ]);
  assert.deepEqual(
    sorted(table),
    sorted([
      ['manager', 'crm.find', 'pre_approved', 'completed', 'capabilities.crm.contact.read'],
      ['manager', 'crm.note', 'needs_approval', 'strict', 'capabilities.crm.contact.annotate'],
      ['manager', 'crm.export', 'pre_approved', 'completed', 'granted by the reference of manager'],
      ['clerk', 'crm.find', 'pre_approved', 'completed', 'capabilities.crm.contact.read'],
      ['clerk', 'crm.note', 'pre_approved', 'completed', 'granted by the reference of clerk'],
      ['clerk', 'crm.export', 'blocked', 'blocked', 'toolsets.crm.approvals.export'],
    ]),
  );
  for (const row of table) process.stdout.write(`${row.map((cell) => String(cell).padEnd(16)).join('')}\n`);
  process.stdout.write('one toolset, two references, and neither sees the other\n');
});

function outcomeOf({ call }: LoggedEvent, events: readonly LoggedEvent[]): string {
  const outcome = events.find((event) => event.event === 'outcome' && event.call === call);
  return outcome?.code ?? outcome?.outcome ?? 'none';
}

/** The grant that answered, or the rule that decided. */
function why({ judgements = [], decision }: LoggedEvent): string {
  const granted = judgements.find(({ answered_by }) => answered_by?.by === 'reference');
  if (decision === 'pre_approved' && granted !== undefined)
    return `granted by the reference of ${granted.answered_by?.worker}`;
  const deciding = judgements.find(
    (judgement) => judgement.decision === decision && judgement.rules.length > 0,
  );
  return deciding?.rules[0]?.id ?? 'a default';
}

/** The calls of a turn run in parallel, so their order in the log varies. */
function sorted(rows: readonly (readonly unknown[])[]): readonly string[] {
  return rows.map((row) => row.join(' ')).sort();
}
