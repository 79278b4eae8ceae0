import { randomBytes } from 'node:crypto';
import { createMask, type MaskRules } from '@ambit/audit';
import {
  type Capability,
  isNonEmpty,
  type Json,
  type JsonObject,
  jsonText,
  type LogEvent,
  ladder,
  printable,
} from '@ambit/core';
import type { Store, StoredAnswer } from '@ambit/runtime';
import { type Exit, exits } from '../../failure.js';
import { type Host, type Printing, print, write } from '../../host.js';
import { timeText } from '../../view/ago.js';
import { type Looks, looksOf, styled, wrapped } from '../../view/text.js';
import { byId, withStore } from './with-store.js';

export async function approvalsKept(host: Host, { json }: Printing): Promise<Exit> {
  const kept = await withStore(host, async (store) =>
    Promise.all((await store.kept()).map((one) => maskedAnswer(store, one))),
  );
  if (json) {
    await print(host, { kept: kept.map((one) => ({ id: one.answer.approval, ...one })) });
    return exits.done;
  }
  const looks = looksOf(host.stdout, host.environment);
  for (const one of kept) await print(host, `${keptLines(one, looks).join('\n')}\n\n`);
  const hint = kept.length === 0 ? 'no kept answers here' : `${host.program} approvals revoke ID`;
  await write(host.stderr, `${hint}\n`);
  return exits.done;
}

export async function approvalsRevoke(host: Host, id: string, { json }: Printing): Promise<Exit> {
  return withStore(host, async (store) => {
    const { answer } = byId(await store.kept(), id, {
      noun: 'kept answer',
      idOf: (one) => one.answer.approval,
      list: 'ambit approvals kept',
    });
    const { approval } = answer;
    const revoked = await store.revoke(approval, Date.now());
    if (json) await print(host, { id: approval, revoked });
    else if (revoked) await print(host, `${printable(approval)} is revoked; it no longer applies`);
    else await write(host.stderr, `${printable(approval)} is already revoked\n`);
    return revoked ? exits.done : exits.bad;
  });
}

function keptLines({ answer, at, run, revoked }: StoredAnswer, looks: Looks): readonly string[] {
  const { approval, person, chain, tool, remember, reach, until, args, shown } = answer;
  const isOver = until !== undefined && until <= Date.now();
  const standing = revoked !== null ? `revoked ${timeText(revoked)}` : isOver ? 'over' : `kept ${remember}`;
  const rungs = isNonEmpty(shown) ? ladder({ chain, tool, args, capabilities: shown }, reach) : [];
  const words = rungs.findLast((rung) => rung.reach === reach)?.words;
  return [
    styled(
      `${printable(approval)}  ${standing}${until === undefined ? '' : ` until ${timeText(until)}`}`,
      revoked === null ? 'bold' : 'dim',
      looks,
    ),
    ...wrapped(`${person} approved, ${timeText(at)}, in the run ${run}`, looks.width, '  '),
    ...wrapped(`${tool} by ${chain.join(' › ')}`, looks.width, '  '),
    ...argumentLines(args, looks),
    ...wrapped(words ?? reach, looks.width, '  covers: '),
  ];
}

function argumentLines(args: JsonObject, { width }: Looks): readonly string[] {
  return Object.entries(args).flatMap(([name, value]) => {
    const [first = '', ...others] = textOf(value as Json).split('\n');
    const lines = [
      ...wrapped(`${name}: ${first}`, width, '  with '),
      ...others.flatMap((line) => wrapped(line, width, '       ')),
    ];
    const left = lines.length - mostLines;
    return left <= 0 ? lines : [...lines.slice(0, mostLines), `       … and ${left} more`];
  });
}

/** Of one argument. */
const mostLines = 6;

function textOf(value: Json): string {
  return typeof value === 'string' ? value : jsonText(value);
}

/** Secrets are masked as in the log. */
async function maskedAnswer(store: Store, kept: StoredAnswer): Promise<StoredAnswer> {
  const record = await store.run(kept.run);
  const recording = record?.options.recording as { readonly mask?: MaskRules } | undefined;
  const { approval, tool, args, shown, chain } = kept.answer;
  const event = { now: 0, event: 'decision', call: approval, chain, tool, args, capabilities: shown };
  const masked = createMask(randomBytes(32), recording?.mask)(event as unknown as LogEvent);
  const capabilities = masked.capabilities as unknown as readonly Capability[];
  return { ...kept, answer: { ...kept.answer, args: masked.args as JsonObject, shown: capabilities } };
}
