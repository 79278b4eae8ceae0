import { describe, expect, it } from 'vitest';
import { load } from '../world.js';

describe('the suggestion for a pattern that nothing can match', () => {
  it.each<[string, string]>([
    ['path: .env', 'write `./.env`, or `**/.env` for any folder'],
    ['path: "*.pem"', 'write `./*.pem`, or `**/*.pem` for any folder'],
    ['path: ..', 'write `./**`'],
    ['path: ~ada', 'write `~/**`'],
    ['path: a/b', 'write `./a/b`'],
    ['path: ~/../x', 'write `/home/x`'],
    ['path: ./a/../../x', 'write `/x`'],
    ['path: ./a/../x', 'write `./x`'],
    ['path: ~/..', 'write `/home`'],
    [
      'host: 10.0.0.0/8',
      'a block of addresses: `when: {"cidr": [{"var": "capability.host"}, "10.0.0.0/8"]}`',
    ],
    [
      'host: "fe80::1/10"',
      'a block of addresses: `when: {"cidr": [{"var": "capability.host"}, "fe80::/10"]}`',
    ],
    ['host: a.example/8', 'write `a.example`'],
  ])('%s: %s', (text, help) => {
    const loaded = load(
      `version: 1\ndefault: blocked\ncapabilities:\n  crm.x: { decision: blocked, match: { ${text} } }\n`,
    );
    expect(loaded.ok ? null : loaded.diagnostics[0].help).toBe(help);
  });
});
