import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DecisionEvent, Json, JsonObject, LogEvent, NonEmpty } from '@ambit/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explore, some } from '../../../../../test/depth.js';
import { createMask } from '../../../src/log/mask/mask.js';
import { isSecretKey, isSecretNumberKey } from '../../../src/log/mask/secret-keys.js';
import {
  approvalEvent,
  decisionEvent,
  folder,
  key,
  openLog,
  outcomeEvent,
  question,
  runEvent,
} from '../../events.js';

const masked = /^masked:hmac-sha256:[0-9a-f]{16}$/;
const maskAll = (...events: LogEvent[]) => events.map(createMask(key));
const argsOf = (args: Json) => maskAll(decisionEvent('c', 'blocked', args))[0]?.args;
/** The log's form of one text. */
const textOf = (text: string) => (argsOf({ text }) as { text: string }).text;
const maskOf = (secret: string) => (argsOf({ password: secret }) as { password: string }).password;

describe('a secret key', () => {
  it.each([
    'password',
    'PASSWORD',
    'Passwd',
    'db_password',
    'dbPassword',
    'dbpassword',
    'password2',
    'passwordConfirm',
    'pwd',

    'secret',
    'clientSecret',
    'client-secret',
    'AWS_SECRET_ACCESS_KEY',
    'aws_access_key',
    'token',
    'accessToken',
    'accesstoken',

    'GITHUB_TOKEN',
    'refresh.token',
    'api_key',
    'apikey',
    'apiKey',
    'APIKey',
    'x-api-key',
    'X-API-Key',
    'OPENAI_API_KEY',
    'api-keys',

    'authorization',
    'Authorization',
    'Proxy-Authorization',
    'cookie',
    'Set-Cookie',
    'private_key',
    'privateKey',
    'ssh_private_key',
    'credentials',
    'sessionId',
    'connectionString',
    'passphrase',
    'pin',
    'otp',
    'jwt',
  ])('is %s', (name) => expect(isSecretKey(name)).toBe(true));

  it.each([
    'path',
    'key',
    'keys',
    'secretary',
    'tokenizer',
    'token_count',
    'author',
    'pinned',
    'passive',
    'compass',
    'monkey',
    'api',
    'public_key',
    '',
  ])('is not %s', (name) => expect(isSecretKey(name)).toBe(false));

  it('hides numbers, but not a token count', () => {
    expect(['pin', 'password', 'max_tokens', 'tokens'].map(isSecretNumberKey)).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(argsOf({ pin: 123456, max_tokens: 1000, secret: true, token: null })).toEqual({
      pin: expect.stringMatching(masked) as string,
      max_tokens: 1000,
      secret: true,
      token: null,
    });
  });

  it('hides everything under it, and its value in a list, a pair or an assignment', () => {
    const hidden = maskOf('hunter2');
    expect(
      argsOf({
        credentials: { user: 'hunter2', list: ['hunter2'] },
        argv: ['login', '--password', 'hunter2', '--verbose'],
        headers: [{ name: 'X-API-Key', value: 'hunter2' }],
        command: 'DB_PASSWORD=hunter2 run --token hunter2 --password=hunter2 "apiKey": "hunter2"',
        url: 'https://h/?access_token=hunter2&x=1',
      }),
    ).toEqual({
      credentials: { user: hidden, list: [hidden] },
      argv: ['login', '--password', hidden, '--verbose'],
      headers: [{ name: 'X-API-Key', value: hidden }],
      command: `DB_PASSWORD=${hidden} run --token ${hidden} --password=${hidden} "apiKey": "${hidden}"`,
      url: `https://h/?access_token=${hidden}&x=1`,
    });
  });
});

describe('a text that has the shape of a secret', () => {
  const pem = '-----BEGIN RSA PRIVATE KEY-----\nMIIEabc\n-----END RSA PRIVATE KEY-----';
  it.each([
    `sk-${'a1B2'.repeat(6)}`,
    `sk-ant-api03-${'a1B2_-'.repeat(6)}`,
    `ghp_${'a1B2'.repeat(9)}`,
    `github_pat_${'a1B2'.repeat(9)}`,
    'AKIAIOSFODNN7EXAMPLE',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
    'xoxb-123456789012-abcdefghijkl',
    `glpat-${'a1B2'.repeat(5)}`,
    pem,
    pem.replace('RSA ', 'OPENSSH '),
  ])('is masked within other text: %s', (secret) => {
    expect(textOf(`before ${secret} after`)).toBe(`before ${maskOf(secret)} after`);
  });

  it('may be a bearer token, the password of a URL, or a truncated private key', () => {
    expect(textOf('curl -H "Authorization: Bearer abc.def-1"')).toBe(
      `curl -H "Authorization: Bearer ${maskOf('abc.def-1')}"`,
    );
    expect(textOf('Authorization: Basic dTpw')).toBe(`Authorization: Basic ${maskOf('dTpw')}`);
    expect(textOf('git clone https://u:p@ss@host/x.git')).toBe(
      `git clone https://u:${maskOf('p@ss')}@host/x.git`,
    );
    expect(textOf('x -----BEGIN PRIVATE KEY-----\nMIIE')).toMatch(/^x masked:hmac-sha256:[0-9a-f]{16}$/);
  });

  it('is masked as a whole if secrets overlap', () => {
    const token = `ghp_${'a1B2'.repeat(9)}`;
    const event = maskAll(decisionEvent('c', 'blocked', { password: 'x-ghp_a1B2', text: `x-${token}` }))[0];
    expect(JSON.stringify(event)).not.toMatch(/a1B2/);
  });

  it('is masked in a key, and in the name of an invented tool', () => {
    const secret = `sk-${'a1B2'.repeat(6)}`;
    const [event] = maskAll({
      ...(decisionEvent('c', null, { [secret]: 1 }) as DecisionEvent),
      tool: `x.${secret}`,
    } as LogEvent);
    expect(event).toMatchObject({ tool: `x.${maskOf(secret)}`, args: { [maskOf(secret)]: 1 } });
  });

  it.each([
    'a task-force of sk-learn users',
    '/work/out/a.md',
    'The Basic understanding: bearer of news',
    'a@b.example',
    'http://h:80/a@b',
    'const token: string = next()',
  ])('is not: %s', (text) => expect(textOf(text)).toBe(text));

  it.each(
    some([
      'a',
      ' ',
      '-',
      '"',
      "'",
      '=',
      ':',
      '@',
      '\\',
      '\n',
      'sk-',
      'eyJ',
      'eyJaaaaaa.',
      'Bearer ',
      'Bearer  ',
      'http://',
      'http://a:',
      '://a:b',

      '-----BEGIN PRIVATE KEY-----',
      '-----BEGIN ',
      '-----END ',
      'token=',
      'token = ',
      '"token":"',
      '--token ',
      'a-',
      'a="',
      'Authorization: Basic ',
    ]),
  )('is found in linear time in a megabyte of `%s`', (unit) => {
    const text = unit.repeat(Math.ceil(1e6 / unit.length));
    expect(typeof textOf(`${text}!`)).toBe('string');
  });
});

describe('a secret of one text', () => {
  const secret = 'correct horse "battery"';
  const hidden = maskOf(secret);

  it('has the same mask in every event of its call, and only there', () => {
    const decision = {
      ...(decisionEvent('c', 'needs_approval', { password: secret }) as DecisionEvent & {
        capabilities: unknown;
      }),
      reason: `because of ${secret}`,
      capabilities: [{ name: 'proc.exec', program: 'login', argv: ['login', `--with=${secret}`] }],
    } as LogEvent;
    const asked = {
      ...approvalEvent('c', true),
      note: `not ${secret}`,
      question: {
        ...question('c', { password: secret }),
        capabilities: [
          {
            capability: { name: 'fs.read', path: `/w/${secret}` },
            words: `read ["${JSON.stringify(secret).slice(1, -1)}"]`,
          },
        ],
        preview: { path: '/w/a', before: secret, after: encodeURIComponent(secret) },
      },
    } as LogEvent;
    const failed: LogEvent = {
      now: 0,
      event: 'outcome',
      call: 'c',
      outcome: 'failed',
      error: `no login with ${secret}`,
    };
    const later: LogEvent = { now: 0, event: 'outcome', call: 'c', outcome: 'failed', error: secret };
    expect(maskAll(decision, asked, failed, later)).toMatchObject([
      {
        args: { password: hidden },
        reason: `because of ${hidden}`,
        capabilities: [{ name: 'proc.exec', argv: ['login', `--with=${hidden}`] }],
      },
      {
        note: `not ${hidden}`,
        question: {
          args: { password: hidden },
          capabilities: [{ capability: { path: `/w/${hidden}` }, words: `read ["${hidden}"]` }],
          preview: { before: hidden, after: hidden },
        },
      },
      { error: `no login with ${hidden}` },
      { error: secret },
    ]);
  });

  it('is masked in the earlier answers of another call’s question', () => {
    const previous = {
      question: 'c.1',
      person: 'ann',
      at: 7,
      approved: false,
      calls: 1,
      what: [`log in with ${secret}`],
      edited: false,
      note: `not with ${secret}`,
    };
    const asked = {
      ...approvalEvent('d', true),
      question: { ...question('d'), before: { approved: 0, refused: 1, latest: [previous] } },
    } as LogEvent;
    const [, event] = maskAll(decisionEvent('c', 'needs_approval', { password: secret }), asked);
    const hiddenText = (text: string) => maskOf(text);
    expect(event).toMatchObject({
      question: {
        before: {
          approved: 0,
          refused: 1,
          latest: [
            {
              ...previous,
              what: [hiddenText(`log in with ${secret}`)],
              note: hiddenText(`not with ${secret}`),
            },
          ],
        },
      },
    });
  });

  it('does not mask the names in a decision', () => {
    const args = {
      password: 'fs.write',
      secret: 'policy.yaml',
      token: 'main',
      api_key: 'blocked',
      pin: 'ask',
    };
    const [event] = maskAll(decisionEvent('c', 'blocked', args));
    const plain = decisionEvent('c', 'blocked') as DecisionEvent & { judgements: unknown };
    expect(event).toMatchObject({
      chain: ['main'],
      tool: 'filesystem.write_file',
      decision: 'blocked',
      judgements: plain.judgements,
    });
    expect(event?.capabilities).toMatchObject([{ name: 'fs.write' }]);
  });

  it('does not mask the kind of a secret that was read', () => {
    const event = {
      ...decisionEvent('c'),
      capabilities: [{ name: 'secret.read', secret: 'github' }],
    } as LogEvent;
    expect(maskAll(event)[0]?.capabilities).toEqual([{ name: 'secret.read', secret: 'github' }]);
  });

  it('is masked among too many secrets to search for: every text is masked', () => {
    const tokens = Array.from({ length: 300 }, (_, index) => `secret-${index}`);
    const event = JSON.stringify(
      maskAll(decisionEvent('c', 'blocked', { tokens, text: 'with secret-7 within' })),
    );
    expect(event).not.toMatch(/secret-\d/);
  });

  it('is in no form at any place of the file', async () => {
    const file = join(folder(), 'run.jsonl');
    const log = await openLog(file);
    // Characters that no digest, key or name of these events is made of, so that finding one is finding the secret.
    const secrets = fc
      .string({
        unit: fc.constantFrom('Q', 'W', '§', '"', '\\', '/', ' ', '\n', '\ud800', '😀'),
        minLength: 4,
        maxLength: 20,
      })
      .filter((text) => /[QW§]/.test(text.trim()) && text.trim().length >= 4);
    const keys = fc.constantFrom(
      'password',
      'apiKey',
      'X-API-Key',
      'client_secret',
      'Authorization',
      'token',
    );
    let count = 0;
    await fc.assert(
      fc.asyncProperty(secrets, keys, async (secret, name) => {
        count += 1;
        const call = `c${count}`;
        const events = [
          {
            ...decisionEvent(call, 'pre_approved', {
              deep: [{ [name]: secret }],
              text: `a ${secret} b`,
              [`k ${secret}`]: 1,
            }),
            reason: secret,
            capabilities: [{ name: 'x.y', fact: `${secret}!` }],
          },
          {
            ...approvalEvent(call, true),
            note: `${secret}${secret}`,
            question: question(call, { text: `<${secret}>` }),
          },
          {
            now: 0,
            event: 'outcome',
            call,
            outcome: 'failed',
            error: `it was ${JSON.stringify({ secret })}`,
          },
        ] as unknown as NonEmpty<LogEvent>;
        await log.append(events);
      }),
      explore(1500),
    );
    const written = readFileSync(file, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as JsonObject);
    expect(written).toHaveLength(3 * count);
    const revealed = written.map((entry) => JSON.stringify(entry)).filter((line) => /[QW§😀]/u.test(line));
    expect(revealed.slice(0, 1)).toEqual([]);
  });

  it('has equal masks exactly for equal secrets', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 6 }), fc.string({ maxLength: 6 }), (one, other) => {
        expect(maskOf(one)).toMatch(masked);
        expect(maskOf(one) === maskOf(other)).toBe(one === other);
      }),
      explore(2000),
    );
  });
});

describe('args_digest', () => {
  const digestOf = (args: Json, by = key) => createMask(by)(decisionEvent('c', 'blocked', args)).args_digest;

  it('is a keyed digest of the unmasked arguments', () => {
    expect(digestOf({ b: 1, password: 'x' })).toMatch(/^[0-9a-f]{64}$/);
    expect(digestOf({ b: 1, password: 'x' })).toBe(digestOf({ password: 'x', b: 1 }));
    expect(digestOf({ password: 'x' })).not.toBe(digestOf({ password: 'y' }));
    expect(digestOf({ password: 'x' })).not.toBe(digestOf({ password: 'x' }, Buffer.alloc(32, 8)));
    expect(digestOf(null)).toMatch(/^[0-9a-f]{64}$/);
  });

  it('is only in decisions', () => {
    const digests = maskAll(runEvent(), approvalEvent('c', true), outcomeEvent('c')).map(
      (event) => event.args_digest,
    );
    expect(digests).toEqual([undefined, undefined, undefined]);
  });
});

describe('a policy event', () => {
  it('is written unchanged, so that its digests match', () => {
    const source = `# sk-${'a1B2'.repeat(6)}\npassword: hunter2\n`;
    const event: LogEvent = {
      now: 0,
      event: 'policy',
      files: [{ name: 'p', sha256: '0'.repeat(64), source }],
    };
    expect(maskAll(event)).toEqual([event]);
  });
});
