import type { DecisionEvent, Json, LogEvent } from '@ambit/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explore } from '../../../../../test/depth.js';
import { createMask } from '../../../src/log/mask/mask.js';
import type { MaskRules } from '../../../src/log/mask/mask-rules.js';
import { approvalEvent, decisionEvent, key, outcomeEvent, question } from '../../events.js';

const masked = /^masked:hmac-sha256:[0-9a-f]{16}$/;

/** Everything that a log would hold of these events. */
function written(events: readonly LogEvent[], rules: MaskRules = {}): string {
  const mask = createMask(key, rules);
  return JSON.stringify(events.map((event) => mask(event)));
}

const told = (text: string) => written([decisionEvent('c', 'needs_approval', { command: text })]);

describe('a secret in a command', () => {
  it.each([
    ['curl -u ada:hunter2 https://x.example', 'hunter2'],
    ['curl --user ada:correct-horse https://x.example', 'correct-horse'],
    ["curl -H 'Authorization: Token abcdefgh' x", 'abcdefgh'],
    ['curl -H "Authorization: ApiKey abcdefgh" x', 'abcdefgh'],
    ["curl -H 'Authorization: Digest username=ada,response=6629fae4' x", '6629fae4'],
    ["curl -H 'Cookie: theme=dark; sid=deadbeefcafe' x", 'deadbeefcafe'],
    ["curl -H 'X-Auth-Token: 12ab34' x", '12ab34'],
    ['mysql --password=letmein', 'letmein'],
    ['[db]\nuser = ada\npassword = hunter22\n', 'hunter22'],
    ["const token = 'letmein';", 'letmein'],
    ['secret-key\t=\t"correct horse"', 'correct horse'],
    ['mysql --password letmein', 'letmein'],
    ['PGPASSWORD=letmein psql', 'letmein'],
    ['PGPASSWORD="let me in" psql', 'let me in'],
    ['curl https://x.example/?api_key=wxyz', 'wxyz'],
    ['git clone https://ada:letmein@x.example/r.git', 'letmein'],
    [`export GITHUB_TOKEN=ghp_${'a1'.repeat(18)}`, 'a1a1a1a1'],
    ['curl --data "user=ada&password=hunter22" x', 'hunter22'],
    [`curl -d '{"user":"ada","password":"hunter22"}' x`, 'hunter22'],
    ['curl -d "{\\"user\\":\\"ada\\",\\"password\\": \\"hunter22\\"}" x', 'hunter22'],
    ['https://x.example/?next=a&access_token=abc123def', 'abc123def'],
    ['sshpass -p letmein ssh h', 'letmein'],
    ["sshpass -p 'let me in' ssh h", 'let me in'],
    ['echo "machine h login ada password letmein" > ~/.netrc', 'letmein'],
    ['machine h\n  login ada\n  password letmein\n', 'letmein'],
    [`export T=pypi-AgEIcHlw${'a1'.repeat(18)}`, 'a1a1a1a1'],
    ['mnemonic="legal winner thank year wave"', 'winner'],
  ])('is not in the log: %s', (command, secret) => {
    expect(told(command)).not.toContain(secret);
    // Nor where a tool makes a fact of it, or fails on it.
    const events: LogEvent[] = [
      {
        ...(decisionEvent('c', 'needs_approval', { command }) as DecisionEvent & {
          decision: 'needs_approval';
        }),
        capabilities: [{ name: 'proc.exec', program: 'x', text: command }],
        reason: `not ${command}`,
      },
      {
        ...approvalEvent('c', true),
        question: { ...question('c', { command }), summary: command, preview: null },
        note: command,
      },
      { now: 1, event: 'outcome', call: 'c', outcome: 'failed', error: `exit 1: ${command}` },
    ];
    expect(written(events)).not.toContain(secret);
  });

  it.each([
    'password=password',
    'const token = readToken();',
    'if (token == null) token = other',
    'if (password === again) done()',
    'connect(password=db_password)',
    'token=$TOKEN make',
    '--max-tokens=4096',
    'password: string',
    'token=null',
    'secret=true',
    'see the key: it is small',
    'curl -u ada https://x.example',
    'sort -u names:places',
    'sshpass -p $PASS ssh h',
    'the login page password reset',
  ])('is not suspected in an ordinary command: %s', (command) => {
    expect(told(command)).not.toContain('masked:');
  });
});

describe('a secret at the end of a shortened text', () => {
  it('leaves no prefix of four characters', () => {
    // Without an `h`: `ha25` stands in what takes the place of every secret.
    const secret = fc.string({
      unit: fc.constantFrom(...'abcdefgx12345'.split('')),
      minLength: 6,
      maxLength: 60,
    });
    fc.assert(
      fc.property(secret, fc.string({ maxLength: 20 }), fc.nat(), (one, before, at) => {
        const kept = one.slice(0, 4 + (at % (one.length - 4)));
        const summary = `${before}${kept}…`;
        const text = written([
          { ...decisionEvent('c', 'needs_approval', { password: one }) },
          { ...approvalEvent('c', true), question: { ...question('c'), summary } },
        ]);
        return !text.includes(kept) || before.includes(kept) || /^[0-9a-f]*$/.test(kept);
      }),
      explore(1000),
    );
  });

  it('is masked in linear time with many ends and many secrets', () => {
    const passwords = Object.fromEntries(
      Array.from({ length: 150 }, (_, index) => [`password${index}`, `${'a'.repeat(300)}${index}`]),
    );
    const text = `${'a'.repeat(500)}…`.repeat(100);
    const [found] = [decisionEvent('c', 'blocked', { ...passwords, text })].map(createMask(key));
    expect(found).toMatchObject({ args: { text: expect.stringMatching(masked) as string } });
  });
});

describe('masking rules of a host', () => {
  const rules: MaskRules = {
    'filesystem.write_file': ['user', 'card.number', 'people.*.name', 'flags.0', 'deep'],
  };
  const args: Json = {
    user: 'ada lovelace',
    card: { number: 4111, kind: 'visa' },
    people: [
      { name: 'Bob Builder', city: 'Ghent' },
      { name: 'Cy', city: 'Oslo' },
    ],
    flags: [true, false],
    deep: { a: ['eggs and spam'], b: { c: 12.5 } },
    other: 'out',
  };

  it('hide the named member with its content, and nothing else', () => {
    const [found] = [decisionEvent('c', 'blocked', args)].map(createMask(key, rules));
    const hidden = expect.stringMatching(masked) as string;
    expect(found?.args).toEqual({
      user: hidden,
      card: { number: hidden, kind: 'visa' },
      people: [
        { name: hidden, city: 'Ghent' },
        { name: hidden, city: 'Oslo' },
      ],
      flags: [hidden, false],
      deep: { a: [hidden], b: { c: hidden } },
      other: 'out',
    });
  });

  it('hide it in every text of the call, but not for another tool', () => {
    const events = (tool: string): LogEvent[] => [
      {
        ...(decisionEvent('c', 'needs_approval', args) as DecisionEvent & { decision: 'needs_approval' }),
        tool,
        capabilities: [{ name: 'crm.write', who: 'ada lovelace', path: '/w/Bob Builder.md' }],
        reason: 'Bob Builder is looked at',
      },
      {
        ...approvalEvent('c', true),
        question: {
          ...question('c', { ...(args as object), user: 'eve (was ada lovelace)' }),
          summary: 'eggs and spam for ada lovelace',
        },
      },
      { now: 1, event: 'outcome', call: 'c', outcome: 'failed', error: 'no such user: ada lovelace' },
    ];
    const text = written(events('filesystem.write_file'), rules);
    for (const secret of ['ada lovelace', 'Bob Builder', 'eggs and spam', 'eve (was', '4111'])
      expect({ secret, isThere: text.includes(secret) }).toEqual({ secret, isThere: false });
    expect(written(events('crm.write'), rules)).toContain('ada lovelace');
    expect(written(events('crm.write'), { '*': ['user'] })).not.toContain('ada lovelace');
    expect(written(events('crm.write'), { 'crm.*': ['user'] })).not.toContain('ada lovelace');
  });

  it('do not change the digest of the arguments, the decision and the names', () => {
    const event = decisionEvent('c', 'needs_approval', { user: 'fs.write', deep: 'needs_approval' });
    const [plain, hidden] = [createMask(key)(event), createMask(key, rules)(event)];
    const { args: _, ...same } = hidden;
    const { args: __, ...before } = plain;
    expect(same).toEqual(before);
  });

  it('allow comparison: equal values have equal masks under one key', () => {
    const maskOf = (user: string, by = key) =>
      (createMask(by, rules)(decisionEvent('c', 'blocked', { user })).args as { user: string }).user;
    expect(maskOf('ada')).toBe(maskOf('ada'));
    expect(maskOf('ada')).not.toBe(maskOf('eve'));
    expect(maskOf('ada')).not.toBe(maskOf('ada', Buffer.alloc(32, 8)));
  });

  it.each(['', 'a.', '.a', 'a..b'])('are rejected if the path is invalid: %j', (path) => {
    expect(() => createMask(key, { 'x.y': [path] })).toThrow(TypeError);
  });

  it('forget a call when it has ended', () => {
    const events: LogEvent[] = [
      decisionEvent('c', 'blocked', { user: 'ada lovelace' }),
      outcomeEvent('c'),
      { now: 1, event: 'end', status: 'failed', why: 'ada lovelace', totals: {} },
    ];
    expect(written(events, rules)).toContain('ada lovelace');
  });
});
