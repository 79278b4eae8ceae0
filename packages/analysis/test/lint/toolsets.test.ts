import { checkPolicies, type ToolsetDefinition } from '@ambit/analysis';
import { describe, expect, it } from 'vitest';
import { worldOf } from '../../../policy/test/world.js';

const head = 'version: 1\ndefault: needs_approval\n';
const crm: ToolsetDefinition = {
  name: 'crm',
  tools: [{ name: 'export' }, { name: 'find' }],
  capabilities: [
    { name: 'crm.contact.export', facts: { count: 'number' }, words: 'export {count} contacts' },
    { name: 'fz.mark', facts: {}, words: 'mark' },
  ],
};

async function said(rest: string, toolsets: readonly ToolsetDefinition[] = [crm]) {
  const world = worldOf({ 'policy.yaml': `${head}${rest}\n` });
  const { ok, warnings } = await checkPolicies(['policy.yaml'], world, { toolsets });
  return [ok, ...warnings.map(({ line, column, code, help }) => `${line}:${column} ${code} ${help ?? ''}`)];
}

describe('capabilities of a given toolset', () => {
  it.each([
    [
      'capabilities: { crm.contact.exprot: blocked }',
      '3:17 UNKNOWN_CAPABILITY did you mean `crm.contact.export`?',
    ],
    [
      'capabilities: { crm.contacts.export: blocked }',
      '3:17 UNKNOWN_CAPABILITY did you mean `crm.contact.export`?',
    ],
    [
      'together: [{ decision: blocked, capabilities: [tool, { name: crn.contact.export }] }]',
      '3:62 UNKNOWN_CAPABILITY did you mean `crm.contact.export`?',
    ],
    [
      'carries: { crm.find: [crm.contact.exort] }',
      '3:23 UNKNOWN_CAPABILITY did you mean `crm.contact.export`?',
    ],
    ['tools: { crm.exprt: blocked }', '3:10 NO_SUCH_TOOL did you mean `crm.export`?'],
    [
      'capabilities: { crm.contact.export: { decision: blocked, when: { ">": [{ var: capability.cuont }, 9] } } }',
      '3:79 FOREIGN_FACT did you mean `count`?',
    ],
    [
      'capabilities: { crm.contact: pre_approved }',
      '3:17 BARE_PERMISSION name one of these (`crm.contact.export`), or say `below: true`',
    ],
  ])('%s: %s', async (rest, finding) => {
    expect(await said(rest)).toEqual([true, finding]);
    expect(await said(rest, [])).toEqual([true]);
  });

  it.each([
    'capabilities: { crm: blocked }',
    'capabilities: { crm.contact.export.all: blocked }',
    'capabilities: { crm.contact.import: blocked }',
    'tools: { crm.*: needs_approval, crm.find: blocked }',
    'capabilities: { crm.contact.export: { decision: blocked, match: { count: { from: 9 } } } }',
  ])('%s is not reported', async (rest) => {
    expect(await said(rest)).toEqual([true]);
  });

  it('is known, even if its name resembles a shared name', async () => {
    const mail = {
      name: 'mail',
      tools: [],
      capabilities: [{ name: 'mesage.send', facts: {}, words: 'send' }],
    };
    const rest = 'capabilities: { mesage.send: blocked }';
    expect(await said(rest, [mail])).toEqual([true]);
    expect(await said(rest, [crm])).toEqual([
      true,
      '3:17 UNKNOWN_CAPABILITY did you mean `message.send`? begin your own names with your own prefix',
    ]);
  });
});
