import { randomBytes } from 'node:crypto';
import { createMask, type MaskRules } from '@ambit/audit';
import type { Capability, JsonObject, LogEvent, Store, StoredAnswer } from '@ambit/runtime';

/** A kept answer as its run's log would show it: what looks secret, and what the run was told is secret, is masked. */
export async function maskedAnswer(store: Store, kept: StoredAnswer): Promise<StoredAnswer> {
  const record = await store.run(kept.run);
  const recording = record?.options.recording as { readonly mask?: MaskRules } | undefined;
  const { approval, tool, args, shown, chain } = kept.answer;
  const event = { now: 0, event: 'decision', call: approval, chain, tool, args, capabilities: shown };
  const masked = createMask(randomBytes(32), recording?.mask)(event as unknown as LogEvent);
  const capabilities = masked.capabilities as unknown as readonly Capability[];
  return { ...kept, answer: { ...kept.answer, args: masked.args as JsonObject, shown: capabilities } };
}
