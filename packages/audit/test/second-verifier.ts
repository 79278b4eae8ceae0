import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
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
    const { stdout } = await askPython([...optionsOf({ keys, anchorFiles }), file]);
    const said = JSON.parse(stdout) as unknown;
    const expected = JSON.stringify(inShort(verification, file));
    if (JSON.stringify(said) !== expected)
      throw new Error(`the verifiers disagree: ${expected}, and in Python ${JSON.stringify(said)}`);
  }
  return verification;
}

/** The results of the second verifier for each log, by one call of its program. */
export function saidInPython(files: readonly string[], asked: AskedFiles): readonly unknown[] {
  // Where memory can be limited, it has 1.5 GB.
  const limited = 'ulimit -v 1500000 2> /dev/null; exec python3 -S -E -B "$@"';
  const { status, stdout, stderr } = spawnSync(
    'sh',
    ['-c', limited, 'sh', program, ...optionsOf(asked), ...files],
    { encoding: 'utf8', maxBuffer: 2 ** 26, timeout: 600_000 },
  );
  const said = stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as { ok: boolean });
  if (stderr !== '' || status !== (said.every(({ ok }) => ok) ? 0 : 1))
    throw new Error(`the second verifier ended with ${status}: ${stderr}`);
  return said;
}

interface AskedFiles {
  readonly keys: readonly VerifierKey[];
  readonly anchorFiles: readonly string[];
}

function optionsOf({ keys, anchorFiles }: AskedFiles): readonly string[] {
  return [
    ...written(keys.map(({ text }) => `${text}\n`)).flatMap((name) => ['--key', name]),
    ...anchorFiles.flatMap((name) => ['--anchor', name]),
  ];
}

/** Answers each line of arguments with what the program would print. */
const answering = `
import contextlib, io, json, sys
sys.path.insert(0, sys.argv[1])
from verify_log import main
for line in sys.stdin:
    with contextlib.redirect_stdout(io.StringIO()) as said:
        main(json.loads(line))
    print(json.dumps({'stdout': said.getvalue()}), flush=True)
`;

let asking: { readonly child: ChildProcess; readonly answers: AsyncIterator<string> } | null = null;

/** One process answers all questions: to start it takes longer than to verify a small log. */
async function askPython(args: readonly string[]): Promise<{ readonly stdout: string }> {
  asking ??= startPython();
  asking.child.stdin?.write(`${JSON.stringify(args)}\n`);
  const answer = await asking.answers.next();
  if (answer.done === true) throw new Error('the second verifier ended without an answer');
  return JSON.parse(answer.value) as { stdout: string };
}

function startPython() {
  const child = spawn('python3', ['-S', '-E', '-B', '-c', answering, dirname(program)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  // It ends with this process, which does not wait for it.
  child.unref();
  for (const stream of [child.stdin, child.stdout]) (stream as { unref?: () => void }).unref?.();
  return { child, answers: createInterface(child.stdout)[Symbol.asyncIterator]() };
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
