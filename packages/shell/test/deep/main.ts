import { coversAnything, missesOf } from './cover.js';
import { describeLine } from './describe.js';
import type { Event } from './events.js';
import { makeFixture, restore } from './fixture.js';
import { generatorOf } from './generate/line.js';
import { runLine } from './run-line.js';
import { type Checked, work } from './worker.js';

async function check(line: string): Promise<Checked> {
  const capabilities = await describeLine(line).catch((error: Error) => error);
  if (capabilities instanceof Error) {
    const problem = `describing throws: ${capabilities.message}`;
    return { capabilities: [], misses: [problem], cause: problem, isRun: false, isCut: false };
  }
  // The description covers every effect.
  if (coversAnything(capabilities))
    return { capabilities, misses: [], cause: '', isRun: false, isCut: false };
  const { events, isCut } = runLine(line);
  restore(events.flatMap((event) => ('path' in event && isChange(event) ? [event.path] : [])));
  // A line that is stopped early leaves files that its programs would have renamed or removed.
  const isLeft = (event: Event) => isCut && 'call' in event && event.call.includes('O_EXCL');
  const misses = missesOf(line, events, capabilities).filter((event) => !isLeft(event));
  const [first] = misses;
  const cause = first === undefined ? '' : `${first.kind} ${first.programs.at(-1) ?? 'bash'}`;
  return { capabilities, misses: misses.map(shown), cause, isRun: true, isCut };
}

function isChange({ kind }: Event): boolean {
  return kind === 'write' || kind === 'delete' || kind === 'meta';
}

function shown(event: Event): string {
  const by = event.programs.at(-1) ?? 'bash';
  if (event.kind === 'exec') return `exec ${event.path} ${JSON.stringify(event.argv)} in ${event.cwd}`;
  if ('path' in event) return `${event.kind} ${event.path} by ${by}: ${event.call}`;
  return `${event.kind} ${event.host}:${event.port} by ${by}`;
}

makeFixture();
await work(generatorOf, check);
