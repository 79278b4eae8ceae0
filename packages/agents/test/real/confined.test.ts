import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ClientName } from '../../src/index.js';
import { programs, RealPlace } from './real-client.js';
import { shellCalls } from './shell-calls.js';

/** Clients that honour other arguments than the model's. */
const rewriting: readonly ClientName[] = ['claude-code', 'codex', 'gemini', 'copilot'];

/** The effects of the script are unknown before it runs, and the policy permits that. */
const script = (outside: string) => `echo inside > inside
echo outside > ${outside}
cat .env
echo "variable $LEAKED"
`;

describe('a permitted opaque command', () => {
  for (const client of rewriting)
    it.skipIf(!programs.has(client))(`runs confined in ${client}`, async () => {
      const place = new RealPlace('version: 1\ndefault: pre_approved\n');
      const outside = join(place.base, 'outside');
      const { proj, requests, results } = await place.drive(client, {
        files: { 'tool.sh': script(outside), '.env': 'KEY=the-secret-text\n' },
        script: [{ tools: [shellCalls[client]('sh tool.sh; echo the end')] }, 'done'],
        env: { LEAKED: 'the-leaked-text' },
      });
      expect(results.map(({ text }) => text).join('\n')).toContain('the end');
      expect(readFileSync(join(proj, 'inside'), 'utf8')).toBe('inside\n');
      expect(existsSync(outside)).toBe(false);
      const told = JSON.stringify(requests);
      expect(told).not.toContain('the-secret-text');
      expect(told).not.toContain('the-leaked-text');
      const [decided] = await place.decisions(client);
      expect(decided?.context).toMatchObject({
        isolation: expect.stringMatching(/^(?:bubblewrap|namespaces)$/),
      });
    });
});
