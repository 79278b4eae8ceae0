import { quote } from '@ambit/policy/internal';
import { unsettledInWords, verdictInWords } from '../diff/words.js';
import { shownCall } from '../exact/call-text.js';
import type { AttenuationProof, Callers } from './attenuation.js';

/** For people. */
export function formatAttenuation(proof: AttenuationProof, { child, parent }: Callers): string {
  const [one, other] = [quote(child), quote(parent)];
  switch (proof.status) {
    case 'proved':
      return `proved: the rules for ${one} allow nothing that those for ${other} do not`;
    case 'refuted':
      return [
        `refuted: the rules for ${one} allow what those for ${other} do not`,
        `  ${one}: ${verdictInWords(proof.child)}`,
        `  ${other}: ${verdictInWords(proof.parent)}`,
        `  ${one} acting for ${other}: ${verdictInWords(proof.acting)}`,
        `  ${shownCall(proof.call)}`,
      ].join('\n');
    case 'unknown':
      return [
        `unknown: whether the rules for ${one} allow what those for ${other} do not is not settled`,
        ...proof.unknown.flatMap(unsettledInWords),
      ].join('\n');
  }
}
