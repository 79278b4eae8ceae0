import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { formatVerification, verifyLog } from '../../src/index.js';
import { bothVerify } from '../second-verifier.js';
import {
  edited,
  headOver,
  headsOf,
  linesOf,
  parse,
  rehashed,
  signedLog,
  signer,
  writeHeads,
  writeLines,
} from '../signed.js';

const keys = [signer.verifier];

describe('an anchor', () => {
  it('reveals a log that was rewritten and signed with the same key', async () => {
    const file = await signedLog();
    const anchors = [headsOf(file)[3] ?? ''];
    expect(await bothVerify(file, { keys, anchors })).toMatchObject({ ok: true, anchors: 1 });
    writeLines(file, rehashed(edited(linesOf(file), 4, { reason: 'another' })));
    writeHeads(file, [headOver(linesOf(file))]);
    expect(await bothVerify(file, { keys })).toMatchObject({ ok: true });
    expect(await bothVerify(file, { keys, anchors })).toMatchObject({
      ok: false,
      code: 'ANCHOR_MISMATCH',
      line: 1,
    });
  });

  it('reveals a tail that was cut from the log and its heads', async () => {
    const file = await signedLog();
    const notes = headsOf(file);
    writeLines(file, linesOf(file).slice(0, 5));
    writeHeads(file, notes.slice(0, 3));
    expect(await bothVerify(file, { keys })).toMatchObject({ ok: true });
    const anchors = [notes.join('')];
    expect(await bothVerify(file, { keys, anchors })).toMatchObject({ code: 'ANCHOR_LONGER', line: 19 });
  });

  it('reveals a log of another run in its place', async () => {
    const anchors = [headsOf(await signedLog()).at(-1) ?? ''];
    const other = await signedLog({ run: 'r2' });
    expect(await bothVerify(other, { keys, anchors })).toMatchObject({ code: 'ANCHOR_ORIGIN' });
  });

  it.each<[string, string, (head: string) => string]>([
    ['not a checkpoint', 'ANCHOR_MALFORMED', () => 'hello\n'],
    ['empty', 'ANCHOR_MALFORMED', () => ''],
    [
      'one whose origin has a control character',
      'ANCHOR_MALFORMED',
      (head) => head.replace('one/r1', 'one/r1\u001c'),
    ],
    ['one whose signer has no name', 'ANCHOR_MALFORMED', (head) => head.replace('— ambit/one', '— \ufeff')],
    ['torn', 'ANCHOR_MALFORMED', (head) => `${head}${head.slice(0, 30)}`],
    ['one with an invalid signature', 'ANCHOR_SIGNATURE', (head) => head.replace('\n7\n', '\n6\n')],
    ['signed by another key', 'ANCHOR_KEY', (head) => head.replace('— ambit/one', '— ambit/two')],
  ])('is rejected if it is %s: %s', async (_, code, change) => {
    const file = await signedLog();
    const anchors = [change(headsOf(file).at(-1) ?? '')];
    expect(await bothVerify(file, { keys, anchors })).toMatchObject({ ok: false, code });
  });

  it('needs no signature: an unsigned log can be compared with one', async () => {
    const { file, anchor } = await unsignedLog();
    expect(await bothVerify(file, { anchors: [anchor] })).toMatchObject({
      ok: true,
      anchors: 1,
      signed: null,
    });
    expect(await bothVerify(file, { keys })).toMatchObject({ code: 'UNSIGNED', line: 1 });
    writeLines(file, rehashed(edited(linesOf(file), 1, { tool: 'x.y' })));
    expect(await bothVerify(file)).toMatchObject({ ok: true });
    expect(await bothVerify(file, { anchors: [anchor] })).toMatchObject({ code: 'ANCHOR_MISMATCH' });
  });

  it('may include signatures of other keys', async () => {
    const file = await signedLog();
    const head = (headsOf(file).at(-1) ?? '').trimEnd();
    const others = head
      .split('\n')
      .slice(-1)
      .map((line) => line.replace('ambit/one', 'witness.example'));
    const anchors = [[head, ...others, ''].join('\n')];
    expect(await bothVerify(file, { keys, anchors })).toMatchObject({ ok: true, anchors: 1 });
  });

  async function unsignedLog() {
    const file = await signedLog();
    rmSync(`${file}.heads`);
    writeLines(file, rehashed(linesOf(file).slice(1).map(parse)));
    const verification = await verifyLog(file);
    if (!verification.ok) throw new Error(formatVerification(file, verification));
    return { file, anchor: `unsigned/r1\n${verification.entries}\n${verification.root}\n` };
  }
});
