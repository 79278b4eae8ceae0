import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readAnchor, type Verification, type VerifierKey, verifyLog } from '../src/index.js';
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
  const anchorFiles = written(anchors);
  const verification = await verifyLog(file, {
    keys,
    anchors: await Promise.all(anchorFiles.map((name) => readAnchor(name))),
  });
  if (hasPython) {
    const [said] = saidInPython([file], { keys, anchorFiles });
    const expected = JSON.stringify(inShort(verification, file));
    if (JSON.stringify(said) !== expected)
      throw new Error(`the verifiers disagree: ${expected}, and in Python ${JSON.stringify(said)}`);
  }
  return verification;
}

/** What the second verifier says of each of these logs, by one call of its program. */
export function saidInPython(
  files: readonly string[],
  { keys, anchorFiles }: { readonly keys: readonly VerifierKey[]; readonly anchorFiles: readonly string[] },
): readonly unknown[] {
  const options = [
    ...written(keys.map(({ text }) => `${text}\n`)).flatMap((name) => ['--key', name]),
    ...anchorFiles.flatMap((name) => ['--anchor', name]),
  ];
  const { status, stdout, stderr } = spawnSync('python3', ['-S', '-E', '-B', program, ...options, ...files], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  const said = stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as { ok: boolean });
  if (stderr !== '' || status !== (said.every(({ ok }) => ok) ? 0 : 1))
    throw new Error(`the second verifier ended with ${status}: ${stderr}`);
  return said;
}

/** The second verifier has one code for a line that is not an entry. */
const noEntry =
  'BAD_ENCODING BAD_JSON DUPLICATE_KEY BAD_HEAD BAD_FIELD UNKNOWN_EVENT WRONG_VERSION TRAILING_GARBAGE'.split(
    ' ',
  );

/** What both verifiers say. */
export function inShort(verification: Verification, file: string) {
  return verification.ok
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
        code: noEntry.includes(verification.code) ? 'NO_ENTRY' : verification.code,
        file: verification.where ?? file,
        line: verification.line,
      };
}

function written(texts: readonly string[]): readonly string[] {
  const place = folder();
  return texts.map((text, index) => {
    const name = join(place, `${index}`);
    writeFileSync(name, text);
    return name;
  });
}
