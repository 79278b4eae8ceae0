import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import {
  type Approver,
  type EntryCall,
  type Opened,
  open,
  printable,
  type RunResult,
  type Session,
} from '@ambit/runtime';
import { editorOf } from '../approval/edit-arguments.js';
import { Keyboard, type KeyInput } from '../approval/keyboard.js';
import { createTerminalApprover } from '../approval/terminal-approver.js';
import { type Exit, exits, UnloadableError, UnusableError } from '../failure.js';
import { type Host, write } from '../host.js';
import { jsonText } from '../json-text.js';
import { policyFiles } from '../policies.js';
import { createProgress, noProgress, type Progress } from '../progress.js';
import {
  attachedFiles,
  budgetOf,
  contextOf,
  foldersOf,
  modeOf,
  type RunCommandOptions,
  workerFile,
} from '../run-options.js';
import { summaryOf } from '../summary.js';
import { looksOf } from '../text.js';

export async function run(
  host: Host,
  { worker, input }: { readonly worker: string; readonly input: string | undefined },
  options: RunCommandOptions,
): Promise<Exit> {
  const mode = modeOf(host, options);
  const workers = await workerFile(host, worker);
  const attachments = await attachedFiles(host, options.attach);
  const wanted = {
    root: host.folder,
    policies: await policyFiles(host, options.policy),
    observe: options.observe,
    workers,
    mode,
    context: contextOf(options.context),
    folders: foldersOf(host, options.folder),
    budget: budgetOf(options),
    open: options.open ?? false,
    environment: host.environment,
    ...(options.log === undefined ? {} : { log: resolve(host.folder, options.log) }),
    ...(options.model === undefined ? {} : { model: options.model }),
    ...(options.timeout === undefined ? {} : { answerLimit: options.timeout * 1000 }),
  };
  if (mode === 'approve_all') await write(host.stderr, loud);
  const looks = () => looksOf(host.stderr, host.environment);
  const progress = options.quiet === true ? noProgress : createProgress(host.stderr, looks);
  const interruption = new Interruption();
  const quiet = host.onInterrupt(() => interruption.happen());
  const person = mode === 'interactive' ? atTerminal(host, progress) : null;
  try {
    const opened = await open({
      ...wanted,
      approver: person?.approver ?? null,
      onEvent: (event) => progress.take(event),
    });
    const session = sessionOf(opened);
    interruption.stop(session);
    const result = await performed(session, { attachments, ...(input === undefined ? {} : { input }) });
    progress.close();
    person?.close();
    const { id, log } = session;
    const document = { run: id, log, ...result };
    const output = result.output === '' ? '' : `${result.output.trimEnd()}\n`;
    await write(host.stdout, options.json === true ? `${jsonText(document)}\n` : shown(output, host));
    await write(host.stderr, summaryOf(result, { id, log, program: host.program }));
    return result.status === 'finished' ? exits.done : exits.bad;
  } finally {
    progress.close();
    person?.close();
    quiet();
  }
}

const loud = `ambit: --approve-all: every question is answered with yes and nobody is asked, as far as the policies
       let that count. What they block, and what they keep for a person, is refused.
`;

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
  throw new UnloadableError(
    opened.problems.flatMap(({ diagnostic }) => (diagnostic === null ? [] : [diagnostic])),
    opened.problems.flatMap(({ message, help, diagnostic }) =>
      diagnostic === null ? [help === null ? message : `${message}\nhelp: ${help}`] : [],
    ),
  );
}

/** The user's wish to end, which may come before there is anything to end. */
class Interruption {
  #session: Session | null = null;
  #happened = false;

  happen(): void {
    this.#happened = true;
    this.#session?.stop('interrupted by the user');
  }

  stop(session: Session): void {
    this.#session = session;
    if (this.#happened) this.happen();
  }
}

function atTerminal(host: Host, progress: Progress): { readonly approver: Approver; close(): void } {
  // Typed in raw mode, ctrl-C is a character; as a signal it takes the same way as any other.
  const keyboard = new Keyboard(host.stdin as KeyInput, host.stderr, () => host.interrupt());
  const approver = createTerminalApprover({
    keyboard,
    output: host.stderr,
    looks: () => looksOf(host.stderr, host.environment),
    person: personOf(host),
    editor: editorOf(host.environment),
    onScreen: (isTaken) => progress.hold(isTaken),
  });
  return { approver, close: () => keyboard.close() };
}

/** The operating system's word on who answers; the environment may say anything. */
function personOf({ environment }: Host): string {
  try {
    return userInfo().username;
  } catch {
    return environment.USER || 'somebody';
  }
}

/** The worker's words, which are a model's: as they are for a program, escaped for a terminal. */
function shown(output: string, { stdout }: Host): string {
  return stdout.isTTY === true ? output.split('\n').map(printable).join('\n') : output;
}
