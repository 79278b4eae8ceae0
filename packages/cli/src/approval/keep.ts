import { type Answer, type Question, reaches } from '@ambit/runtime';

export type Keep = NonNullable<Extract<Answer, { answer: 'approve' }>['keep']>;

/** What "for this run" keeps: the narrowest that is of use, within what the policies admit; null where they admit nothing. */
export function keepForRun({ keep, capabilities }: Question): Keep | null {
  if (keep === null) return null;
  const useful = capabilities.some(({ capability }) => Object.hasOwn(capability, 'path'))
    ? 'file'
    : 'arguments';
  const reach = reaches.indexOf(useful) < reaches.indexOf(keep.reach) ? useful : keep.reach;
  return { remember: 'run', reach };
}

/** What an answer that is kept like this covers, for the person who gives it. */
export function keepInWords({ tool, chain }: Question, { reach }: Keep): string {
  const who = `${tool} by ${chain.join(' › ')}`;
  return reach === 'file'
    ? `and every later ${who} that does no more than what is asked here, to the same files, whatever it writes in them`
    : `and every later ${who} with the very same arguments`;
}
