import { changesInWords, counted } from '@ambit/core';
import type { SessionEvent } from '@ambit/runtime';

type Started = Extract<SessionEvent, { type: 'toolset_started' }>;

/** Lines that a watcher must see; null for other events. Not escaped. */
export function noticeOf(event: SessionEvent): string | null {
  if (event.type === 'toolset_started')
    return event.left_out.length + event.changed.length === 0 ? null : startedText(event);
  if (event.type === 'worker_created')
    return event.warnings.length === 0 ? null : `${event.worker} was created: ${event.warnings.join('; ')}`;
  if (event.type === 'answer_void')
    return `what ${event.person} answered about ${event.tool} (${event.approval}) no longer counts: ${event.why}`;
  if (event.type !== 'recorded') return null;
  if (event.event.event === 'guard_changed')
    return `a guarded file changed, so the run stops: ${changesInWords(event.event.changes)}`;
  if (event.event.event !== 'policy') return null;
  const { files, problems } = event.event;
  const names = files.map(({ name }) => name).join(', ');
  return problems === undefined
    ? `changed on disk; it now judges beside the policies that the run began with: ${names}`
    : `a changed policy does not load, so the run continues under the policies that it has: ${problems.join('\n')}`;
}

/** Not escaped. */
export function startedText({ toolset, tools, left_out, changed, first_seen }: Started): string {
  const odd = [
    ...left_out.map(({ tool, why }) => `not offered: \`${tool}\`, because ${why}`),
    ...changed.map((tool) => `\`${tool}\` changed since it was first seen (${first_seen})`),
  ];
  return [`${toolset} has started, with ${counted(tools.length, 'tool')}`, ...odd].join('\n');
}
