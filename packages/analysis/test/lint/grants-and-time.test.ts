import { describe, expect, it } from 'vitest';
import { codesIn, findingsIn } from './findings.js';

const head = 'version: 1\ndefault: needs_approval\n';

describe('standing answers', () => {
  const asked = `${head}capabilities:
  fs.write: { id: ask, decision: needs_approval, match: { path: ./out/** } }
  fs.read: { id: person, decision: needs_approval, answer: person }
`;

  it('are listed with the questions that they answer', async () => {
    const found = await findingsIn(`${asked}tools: { filesystem.edit_file: pre_approved }\n`);
    // Reading asks a person in the same call; the question about writing is answered all the same.
    expect(found.map(({ code, message }) => [code, message])).toEqual([
      ['NEEDLESS_RULE', 'this changes nothing: the default is needs_approval too'],
      [
        'OVERRIDING_GRANT',
        'this answers the questions of `ask` (policy.yaml:4:3): what they ask about runs through this tool',
      ],
    ]);
  });

  it('are not reported if they answer only the default, or never meet the question', async () => {
    const tools = (rule: string) => `${asked.replace('id: ask', 'id: ask, reason: r')}tools: { ${rule} }\n`;
    expect(await codesIn(tools('filesystem.list_files: pre_approved'))).toEqual([]);
    expect(await codesIn(tools('filesystem.read_file: pre_approved'))).toEqual([]);
    expect(await codesIn(tools('crm.export: pre_approved'))).toEqual([]);
  });
});

describe('amplification', () => {
  const policy = (call: string, rest = '') =>
    `${head}capabilities: { worker.call: ${call} }\nworkers:\n  clerk: { capabilities: { fs.write: { decision: pre_approved, match: { path: ./out/** } } } }\n${rest}`;

  it('is shown by a call that the callee may run and the caller may not', async () => {
    const found = await findingsIn(policy('pre_approved'));
    expect(found.map(({ code, message }) => [code, message])).toEqual([
      [
        'AMPLIFIES',
        'a worker that no rule names (such as `main`) may call `clerk` without a question, and that worker may do more than the caller: for example, `fs.write path="/w/out"` by `filesystem.write_file` (fs.write where path is /w/out/**) runs there and is needs_approval for the caller',
      ],
    ]);
  });

  it('is not reported if the call asks, the caller has the permission, or restrictions are inherited', async () => {
    expect(await codesIn(policy('needs_approval'))).toEqual([]);
    expect(await codesIn(policy('{ decision: pre_approved, match: { worker: other } }'))).toEqual([]);
    const restricted = `${head}workers:
  boss: { capabilities: { worker.call: pre_approved, fs: blocked } }
  clerk: { capabilities: { fs.write: pre_approved } }
`;
    expect(await codesIn(restricted)).toEqual([]);
    expect(await codesIn(restricted.replace(', fs: blocked', ''))).toEqual(['5:38 AMPLIFIES']);
  });

  it('is reported if a restriction of the caller is not inherited', async () => {
    const boss = (inherit: string) => `${head}capabilities: { fs.read: pre_approved }
workers:
  boss: { capabilities: { worker.call: pre_approved, fs: { decision: blocked${inherit} } } }
`;
    const [found, ...others] = await findingsIn(boss(', inherit: false'));
    expect([found?.code, found?.message, found?.help, others]).toEqual([
      'AMPLIFIES',
      '`boss` may call a worker that no rule names (such as `main`) without a question, and that worker may do more than the caller: for example, `fs.read` by `filesystem.read_file` (fs and everything under it) runs there and is blocked for the caller',
      'let `worker.call` of `main` ask, or remove `inherit: false`',
      [],
    ]);
    expect(await codesIn(boss(''))).toEqual([]);
  });
});

describe('an open default', () => {
  const open = 'version: 1\ndefault: pre_approved\n';
  it('is reported in the checked file if every file that it extends is open too', async () => {
    expect(await codesIn(open)).toEqual(['2:1 OPEN_DEFAULT']);
    expect(await codesIn(`${open}extends: [org.yaml]\n`, { 'org.yaml': head })).toEqual([]);
    expect(await codesIn(`${open}extends: [org.yaml]\n`, { 'org.yaml': open })).toEqual(['2:1 OPEN_DEFAULT']);
  });
});

describe('the expiry of a permission', () => {
  it.each([
    ['2026-11-20T10:00:00Z', 'UNTIL_PAST'],
    ['2026-11-20T10:00:01Z', 'UNTIL_NEAR'],
    ['2026-12-04T10:00:00Z', 'UNTIL_NEAR'],
    ['2026-12-04T10:00:01Z', null],
  ])('%s: %s', async (until, code) => {
    const found = await findingsIn(
      `${head}capabilities: { x.y: { decision: pre_approved, until: ${until} } }\n`,
    );
    expect(found.map((each) => each.code)).toEqual(code === null ? [] : [code]);
  });
});

describe('an observed rule', () => {
  const rule = (since: string) =>
    `${head}capabilities: { x.y: { decision: blocked, observe: true, observed_since: ${since} } }\n`;

  it('is reported after a month, with help', async () => {
    const [found] = await findingsIn(rule('2026-10-21T10:00:00Z'));
    expect([found?.code, found?.line, found?.column, found?.message, found?.help]).toEqual([
      'OBSERVED_LONG',
      3,
      74,
      'this rule has only been observed for 30 days, since 2026-10-21T10:00:00.000Z: it decides nothing',
      'see what it would have said in the logs, then remove `observe`, or the rule',
    ]);
  });

  it('is not reported before that, or without a start date', async () => {
    expect(await codesIn(rule('2026-10-21T10:00:01Z'))).toEqual([]);
    expect(await codesIn(rule('2027-10-21T10:00:00Z'))).toEqual([]);
    expect(await codesIn(`${head}capabilities: { x.y: { decision: blocked, observe: true } }\n`)).toEqual([]);
  });

  it('is reported in combinations too', async () => {
    const policy = `${head}together: [{ decision: blocked, capabilities: [x.y, net], observe: true, observed_since: 2025-01-01T00:00:00Z }]\n`;
    expect(await codesIn(policy)).toEqual(['3:90 OBSERVED_LONG']);
  });
});
