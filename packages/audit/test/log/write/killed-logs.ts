import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type VerifierKey, verifyLog } from '../../../src/index.js';
import { hasPython, inShort, saidInPython } from '../../second-verifier.js';

/** A log as each kill left it, to be looked at by both verifiers. */
export class KilledLogs {
  readonly #copies: string[] = [];

  /** `folder` takes the copies. */
  constructor(
    readonly folder: string,
    readonly signer: VerifierKey | null,
  ) {}

  add(log: string): void {
    const copy = join(this.folder, `log-${this.#copies.length}`);
    cpSync(dirname(log), copy, { recursive: true });
    this.#copies.push(join(copy, basename(log)));
  }

  /** How often a text occurs in the segments of the last log. */
  count(text: string): number {
    const first = this.#copies.at(-1) ?? '';
    const segments = readdirSync(dirname(first)).filter((name) => name.startsWith(basename(first, '.jsonl')));
    const texts = segments.map((name) => readFileSync(join(dirname(first), name), 'utf8'));
    return texts.join('\n').split(text).length - 1;
  }

  /** What is wrong with them; the last one is that of a run that has ended. */
  async wrong(): Promise<readonly string[]> {
    const [copies, keys] = [this.#copies, this.signer === null ? [] : [this.signer]];
    const found = await Promise.all(copies.map((copy) => verifyLog(copy, { keys })));
    const said = hasPython ? saidInPython(copies, { keys, anchorFiles: [] }) : [];
    return found.flatMap((verification, index) => {
      const short = JSON.stringify(inShort(verification, copies[index] ?? ''));
      const other = JSON.stringify(said[index]);
      // The one honest moment that a log cannot tell from heads that were cut off.
      const isLate = !verification.ok && verification.code === 'END_UNSIGNED' && index < copies.length - 1;
      return [
        ...(verification.ok || isLate
          ? []
          : [`log ${index} does not verify: ${JSON.stringify(verification)}`]),
        ...(!hasPython || other === short
          ? []
          : [`the verifiers disagree: ${short}, and in Python ${other}`]),
      ];
    });
  }
}
