import { type Approver, jsonText, printable } from '@ambit/core';
import { formatDiagnostics } from '@ambit/policy';
import { type EntryCall, eventVersion, type Opened, type RunResult, type Session } from '@ambit/runtime';
import { type Exit, exits, UnloadableError, UnusableError } from '../../failure.js';
import { type Host, write } from '../../host.js';
import { editorOf } from '../../questions/edit-arguments.js';
import { Keyboard, UserTurns } from '../../questions/keyboard.js';
import { isAtTerminal, personOf } from '../../questions/person.js';
import { createTerminalApprover } from '../../questions/terminal-approver.js';
import { createProgress } from '../../view/run/create-progress.js';
import type { Progress } from '../../view/run/progress.js';
import { summaryOf } from '../../view/run/summary.js';
import { looksOf } from '../../view/text.js';
import type { OptionsOf } from '../table/table.js';
import { planOf, type RunCall } from './run-plan.js';

/** A run in which the user continues after each answer, until the input ends. */
export async function chat(host: Host, call: RunCall, options: OptionsOf<'run'>): Promise<Exit> {
  const turns = new UserTurns(host);
  try {
    const isFirst = call.input === undefined && options.resume === undefined;
    const first = isFirst ? await turns.next(null, new AbortController().signal) : call.input;
    if (first === null) throw new UnusableError('nothing was said', 'type one line for each turn');
    return await run(host, { ...call, input: first }, { ...options, turns });
  } finally {
    turns.release();
  }
}

export async function run(
  host: Host,
  call: RunCall,
  options: OptionsOf<'run'> & { readonly turns?: UserTurns },
): Promise<Exit> {
  const { turns } = options;
  const plan = await planOf(host, call, options);
  const { mode } = plan;
  if (mode === 'approve_all') await write(host.stderr, loud);
  if (options.wait === true)
    await write(host.stderr, `ambit: questions wait for: ${host.program} approvals list\n`);
  const progress = createProgress(host, options);
  let quiet = () => {};
  const isAsked = mode === 'interactive' && isAtTerminal(host) && options.park !== true;
  // The keyboard takes stdin over.
  if (isAsked) turns?.release();
  const person = isAsked ? atTerminal(host, progress) : null;
  const nextTurn = async (said: string, signal: AbortSignal): Promise<string | null> => {
    progress.hold(true);
    try {
      if (options.json !== true) await write(host.stdout, shown(`${said.trimEnd()}\n`, host));
      return (await turns?.next(person?.keyboard ?? null, signal)) ?? null;
    } finally {
      progress.hold(false);
    }
  };
  try {
    const opened = await plan.open({
      approver: person?.approver ?? null,
      onEvent: (event) => progress.take(event),
      ...(turns === undefined ? {} : { nextTurn }),
    });
    const session = sessionOf(opened);
    // Until here a signal ends the process at once: nothing has started, and opening may wait for a slow file system.
    quiet = host.onInterrupt(({ isSystem }) => {
      session.park(isSystem ? 'the process was terminated' : 'interrupted by the user');
      if (!isSystem) progress.say('ambit: parking the run; ctrl-C again ends the program at once');
    });
    for (const line of noticesOf(session)) await write(host.stderr, `ambit: ${printable(line)}\n`);
    const { id, log } = session;
    if (options.json === true && options.quiet !== true)
      await write(host.stdout, `${jsonText({ v: eventVersion, type: 'opened', run: id, log })}\n`);
    progress.recall(plan.past);
    const result = await performed(session, plan.entry);
    progress.close(result);
    person?.close();
    const document = { v: eventVersion, type: 'result', run: id, log, ...result };
    // In a conversation it was said before.
    const isSaid = result.output === '' || turns !== undefined;
    const output = isSaid ? '' : `${result.output.trimEnd()}\n`;
    await write(host.stdout, options.json === true ? `${jsonText(document)}\n` : shown(output, host));
    await write(host.stderr, summaryOf(result, { id, log, program: host.program, folder: host.folder }));
    return result.status === 'finished' ? exits.done : exits.bad;
  } finally {
    progress.close();
    person?.close();
    quiet();
  }
}

const loud = `ambit: --approve-all: every question is answered with yes, as far as the
       policies accept that. What they block, or keep for a person, is refused.
`;

/** What the user must know of the stored data of the run. */
function noticesOf({ unkept, setAside }: Session): readonly string[] {
  const part = 'an unfinished part of the log from a killed run';
  const asides = setAside.map(({ file, bytes }) => `${part}, ${bytes} bytes, was set aside: ${file}`);
  return unkept === null ? asides : [unkept, ...asides];
}

async function performed(session: Session, entry: EntryCall): Promise<RunResult> {
  try {
    return await session.run(entry);
  } finally {
    await session.close();
  }
}

function sessionOf(opened: Opened): Session {
  if (opened.ok) return opened.session;
  const [first, ...others] = opened.problems;
  if (others.length === 0 && first.diagnostic === null) throw new UnusableError(first.message, first.help);
  const diagnostics = opened.problems.flatMap(({ diagnostic }) => diagnostic ?? []);
  const rest = opened.problems.filter(({ diagnostic }) => diagnostic === null);
  const report = [
    ...(diagnostics.length === 0 ? [] : [formatDiagnostics(diagnostics)]),
    ...rest.map(({ message, help }) => (help === null ? message : `${message}\nhelp: ${help}`)),
  ];
  throw new UnloadableError(diagnostics, report, opened.problems.length);
}

function atTerminal(
  host: Host,
  progress: Progress,
): { readonly approver: Approver; readonly keyboard: Keyboard; close(): void } {
  // In raw mode, ctrl-C is a character; it is turned into a signal like any other.
  const output = progress.through(host.stderr);
  const keyboard = new Keyboard(host.stdin, output, () => host.interrupt());
  const approver = createTerminalApprover({
    keyboard,
    output,
    looks: () => looksOf(host.stderr, host.environment),
    person: personOf(host),
    editor: editorOf(host.environment),
    program: host.program,
    onScreen: (isTaken) => progress.hold(isTaken),
  });
  return { approver, keyboard, close: () => keyboard.close() };
}

function shown(output: string, { stdout }: Host): string {
  return stdout.isTTY === true ? output.split('\n').map(printable).join('\n') : output;
}
