import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readAnchor, type VerifierKey, verifyLog } from '../src/index.js';
import { folder } from './events.js';

const program = fileURLToPath(new URL('../../../verifier/verify_log.py', import.meta.url));

export const hasPython = spawnSync('python3', ['--version']).status === 0;
if (!hasPython)
  process.stderr.write('python3 is not there: the second verifier is NOT tested, and agrees with nothing\n');

export interface Asked {
  readonly keys?: readonly VerifierKey[];
  /** The texts of tree heads that were kept elsewhere. */
  readonly anchors?: readonly string[];
}

/** What verification says, and that the second verifier, which shares no code with it, says the same. */
export async function bothVerify(file: string, { keys = [], anchors = [] }: Asked = {}) {
  const place = folder();
  const named = anchors.map((text, index) => {
    const name = join(place, `anchor-${index}`);
    writeFileSync(name, text);
    return name;
  });
  const verification = await verifyLog(file, {
    keys,
    anchors: await Promise.all(named.map((name) => readAnchor(name))),
  });
  if (hasPython) {
    const keyFiles = keys.map(({ text }, index) => {
      const name = join(place, `key-${index}`);
      writeFileSync(name, `${text}\n`);
      return name;
    });
    const options = [
      ...keyFiles.flatMap((name) => ['--key', name]),
      ...named.flatMap((name) => ['--anchor', name]),
    ];
    const { stdout, stderr } = spawnSync('python3', ['-S', '-E', '-B', program, file, ...options], {
      encoding: 'utf8',
    });
    const said = JSON.parse(stdout === '' ? JSON.stringify({ error: stderr }) : stdout) as unknown;
    const expected = verification.ok
      ? {
          ok: true,
          entries: verification.entries,
          segments: verification.segments,
          root: verification.root,
          torn: verification.torn !== null,
          unfinished: verification.unfinished !== null,
          signed: verification.signed?.entries ?? null,
          trust: verification.signed?.trust ?? null,
        }
      : {
          ok: false,
          code: verification.code,
          line: verification.line,
          where: verification.where ?? null,
        };
    if (JSON.stringify(said) !== JSON.stringify(expected))
      throw new Error(
        `the verifiers disagree: ${JSON.stringify(expected)}, and in Python ${JSON.stringify(said)}`,
      );
  }
  return verification;
}
