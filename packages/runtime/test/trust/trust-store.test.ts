import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import { listTrust, trustOf } from '../../src/index.js';
import { trustFile } from '../../src/trust/trust-store.js';
import { workplace } from '../session.js';

it('a pipe in place of a record of trust is an error, and nothing waits for its writer', async () => {
  const environment = { AMBIT_HOME: workplace({}).state };
  const file = trustFile(environment, '/project/policy.yaml');
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  execFileSync('mkfifo', [file]);
  const wrong = `${file}: it is a pipe, not a regular file`;
  await expect(trustOf(environment, '/project/policy.yaml')).rejects.toThrow(wrong);
  await expect(listTrust(environment)).rejects.toThrow(wrong);
});
