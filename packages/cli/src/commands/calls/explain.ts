import { resolve } from 'node:path';
import { type Change, findChanges, formatChanges } from '@ambit/analysis';
import {
  createHistories,
  hasMask,
  type LogEntry,
  listOf,
  type ReadMembers,
  readLog,
  restoredSets,
  unreadSets,
} from '@ambit/audit';
import {
  builtIn,
  type CallDecision,
  type Capability,
  decidingRules,
  isStricter,
  type JsonObject,
  type Judgement,
  memberInWords,
  nonCanonicalFacts,
  type Origin,
  originsOf,
  type Policy,
  plainText,
  printable,
  type Rule,
  type RuleReference,
  rulesOf,
  shellWord,
  whyUnknown,
  withOrigins,
} from '@ambit/core';
import { explainDecision } from '@ambit/policy';
import { judgeLineInFull } from '@ambit/runtime';
import { type Exit, UnusableError } from '../../failure.js';
import { type Host, print } from '../../host.js';
import { setLister } from '../../view/set-lister.js';
import { readInput } from '../given/filter.js';
import { lineJudge } from '../given/line-judge.js';
import { logMembers, logNamed } from '../log/log-named.js';
import { noLogs, verifiedLogs } from '../log/verified-logs.js';
import type { OptionsOf } from '../table/table.js';
import { callHints, unknownTool } from './call-hints.js';

export async function explain(
  host: Host,
  words: readonly string[],
  options: OptionsOf<'explain'>,
): Promise<Exit> {
  const call = words.length === 0 ? undefined : words.join(' ');
  const { log, seq, unverified } = options;
  const { judge, given } = await lineJudge(
    host,
    options,
    log === undefined || seq === undefined
      ? undefined
      : `${host.program} log show ${seq} --log ${shellWord(log)} prints the recorded decision; --policy FILE judges again`,
  );
  const subject = await subjectOf(host, call, options);
  const { mark, banner, exit } = log === undefined ? noLogs : await verifiedLogs(host, [log], { unverified });
  const judged = await judgeLineInFull(subject.line, judge);
  if ('error' in judged) throw new UnusableError(`not a usable call: ${judged.error.message}`);
  const { request, decision, cannot, grants } = judged;
  const { policies } = given;
  const changes = findChanges({ request, decision, policies, grants });
  const origins =
    subject.origins.length > 0 ? subject.origins : originsOf(decision.capabilities, { request, policies });
  const explanation = explainDecision({ request, decision, policies, origins });
  const noted = [
    // A call with capabilities of its own needs no toolset.
    ...(decision.capabilities.every(({ name }) => name === 'tool.call')
      ? await unknownTool(request.tool, judge.toolsets)
      : []),
    ...(cannot === null ? [] : [`The tool says that this call cannot work: ${cannot}`]),
    ...subject.notes(decision.decision),
  ].map(printable);
  const text = [explanation, formatChanges(changes, decision.capabilities), ...noted].join('\n\n');
  const [first = ''] = explanation.split('\n', 1);
  const reasons = [decidedBy(decision), nextDecision(changes, decision), ...whyRefused(decision, policies)];
  const short = [first, ...reasons, ...(options.full === true ? [] : noted)].join('\n');
  const rest = options.full === true ? text : '--full shows the whole reasoning';
  const document = {
    id: judged.id,
    ...withOrigins(decision, origins),
    ...(cannot === null ? {} : { cannot }),
    changes,
    explanation: text,
    ...mark,
  };
  await print(host, options.json ? await setLister(host)(document) : `${banner}${short}\n\n${rest}`);
  return exit;
}

function decidedBy({ decision, judgements, capabilities }: CallDecision): string {
  const judgement = judgements.find((one) => one.decision === decision) ?? judgements[0];
  if (judgement === undefined) return 'no policy has judged it';
  const about = named(judgement, capabilities);
  const { policy, undecided } = judgement;
  const rule = decidingRules(judgement)[0];
  const answered = judgement.answered_by === null ? '' : ', and an answer already covers it';
  if (rule === undefined)
    return printable(`decided by the default of ${policy}: no rule covers ${about}${answered}`);
  const said = undecided.find((one) => one === rule)?.why;
  const bad = nonCanonicalFacts(capabilities[judgement.capability] ?? { name: '' });
  const unseen = bad.find((fact) => said === `no fact \`${fact}\``);
  const why = unseen === undefined ? said : `\`${unseen}\` is not in canonical form`;
  return printable(
    `decided by the rule ${rule.id} (${rule.at})${why === undefined ? answered : `, which may apply: ${why}`}`,
  );
}

/** The reason and what to do instead, each with the capability and the rule that it belongs to. */
function whyRefused(of: CallDecision, policies: readonly Policy[]): readonly string[] {
  const { decision, judgements, capabilities, reason, instead } = of;
  if (decision === 'pre_approved') return [];
  const strictest = judgements.filter((one) => one.decision === decision);
  const [first] = strictest.slice(0, 1).flatMap(decidingRules);
  const saying = (key: 'reason' | 'instead') =>
    strictest
      .flatMap((judgement) => decidingRules(judgement).map((rule) => ({ judgement, rule })))
      .find(({ judgement, rule }) => ruleOf(rule, judgement, policies)?.[key] === of[key]);
  const [why, other] = [saying('reason'), saying('instead')];
  const ofRule = (rule: RuleReference | undefined, told: RuleReference | undefined) =>
    rule === undefined || rule.id === told?.id ? '' : ` (${rule.id}, ${rule.at})`;
  const about = named(why?.judgement, capabilities);
  return [
    ...(reason === null ? [] : [printable(`because of ${about}${ofRule(why?.rule, first)}: ${reason}`)]),
    ...(instead === null ? [] : [printable(`instead${ofRule(other?.rule, why?.rule ?? first)}: ${instead}`)]),
  ];
}

/** What was judged: `fs.write /work/a.md`. */
function named(judgement: Judgement | undefined, capabilities: CallDecision['capabilities']): string {
  const capability = judgement && capabilities[judgement.capability];
  if (judgement === undefined || capability === undefined) return 'the call';
  const unknown = whyUnknown(judgement, capabilities);
  const { member } = judgement;
  const known = member === undefined ? capability.path : memberInWords(member);
  const path = unknown === null ? known : `(${unknown})`;
  return typeof path === 'string' ? `${capability.name} ${path}` : capability.name;
}

/** The rule itself, with the reason and the alternative that a judgement leaves out. */
function ruleOf(
  { id, at }: RuleReference,
  { policy }: Judgement,
  policies: readonly Policy[],
): Rule | undefined {
  const of = [builtIn, ...policies].find(({ name }) => name === policy);
  return of && rulesOf(of).find((rule) => rule.id === id && rule.at === at);
}

/** What would permit a refused call, or make a permitted one stricter. */
function nextDecision(
  changes: readonly Change[],
  { decision, judgements, capabilities }: CallDecision,
): string {
  const isLooser = (one: Change) => isStricter(decision, one.decision);
  const first = changes.find(isLooser) ?? (decision === 'pre_approved' ? changes[0] : undefined);
  if (first !== undefined) return formatChanges([first], capabilities).split('\n')[1]?.trim() ?? '';
  const stopped = judgements.filter((one) => one.decision !== 'pre_approved').map((one) => one.capability);
  const number = new Set(stopped).size;
  return decision === 'pre_approved' || number < 2
    ? 'found no single change that would alter this decision'
    : `found no single change that would permit it: ${number} of its ${capabilities.length} capabilities are not pre-approved`;
}

async function subjectOf(
  host: Host,
  call: string | undefined,
  { log, seq, shell }: OptionsOf<'explain'>,
): Promise<Subject> {
  if (shell !== undefined && (call ?? log ?? seq) !== undefined)
    throw new UnusableError('--shell takes the place of CALL', 'give one of them');
  if (log !== undefined && seq !== undefined && call === undefined) {
    const file = await logNamed(host, log);
    const members = await logMembers(host, file);
    const subject = await callOfEntry(file, seq, members.read);
    await members.warn();
    return subject;
  }
  const numbers = `give the number of a decision: ${host.program} log tail ${log ?? 'LOG'}`;
  if (log !== undefined || seq !== undefined)
    throw new UnusableError('--log FILE and --seq N take the place of CALL, and need each other', numbers);
  const given = shell ?? call;
  if (given === undefined)
    throw new UnusableError(
      'no call is given',
      "JSON like a line for `decide`, - for stdin, --shell 'git push', or --log FILE --seq N",
    );
  if (given === '-' && shell === undefined)
    return { line: await readInput(host), origins: [], notes: () => [] };
  // Plain words are a command line. Text that resembles JSON stays JSON, with its mistakes.
  const isCommand = shell !== undefined || !/^\s*[{["\d]/.test(given);
  const line = isCommand ? JSON.stringify({ tool: 'shell.run', args: { command: given } }) : given;
  return { line, origins: [], notes: () => (shell === undefined ? callHints(host, given) : []) };
}

/** The call that is explained. */
interface Subject {
  readonly line: string;
  /** As the log has them; empty in older logs. */
  readonly origins: readonly Origin[];
  /** Further output, after the decision. */
  notes(decision: string): readonly string[];
}

async function callOfEntry(file: string, seq: number, members: ReadMembers): Promise<Subject> {
  const { entry, history } = await entryAt(file, seq);
  const list = `ambit log tail ${shellWord(file)}`;
  if (entry.event !== 'decision')
    throw new UnusableError(`entry ${seq} is not a decision, but: ${entry.event}`, list);
  const { decision } = entry;
  if (decision === null)
    throw new UnusableError(
      `entry ${seq} was refused before it was judged: ${plainText(entry.why ?? entry.code)}`,
    );
  const grants = listOf<Record<string, unknown>>(entry.grants);
  const capabilities = restoredSets(listOf<Capability>(entry.capabilities), members);
  const unread = unreadSets(capabilities, members);
  const call = {
    id: entry.call,
    worker: entry.chain,
    tool: entry.tool,
    args: entry.args,
    capabilities,
    context: entry.context,
    history,
    grants: grants
      .filter(({ source }) => source === 'reference')
      .map(({ worker, tool, capabilities }) => ({ worker, tool, capabilities })),
    now: entry.time,
  };
  const isFirst = history.length === 0;
  const kept = grants.some(({ source }) => source === 'kept');
  return {
    line: JSON.stringify(call),
    origins: listOf<Origin>(entry.origins),
    notes: (now) => [
      ...(hasMask(entry as unknown as JsonObject)
        ? ['The log masks a secret of this call: a rule that reads it may decide differently here.']
        : []),
      ...unread.map((why) => `A file set is judged here as a missing path, because ${why}.`),
      ...(isFirst
        ? []
        : ['The log holds only the names of earlier capabilities, so a combination may be undecided here.']),
      ...(kept ? ['Answers that a person kept for the run are not applied here.'] : []),
      ...(now === decision
        ? []
        : [`The log records another decision under the policies of its run: ${plainText(decision)}`]),
    ],
  };
}

/** The entry, and the names of what its run had been permitted before. */
async function entryAt(
  file: string,
  seq: number,
): Promise<{ readonly entry: LogEntry; readonly history: readonly string[] }> {
  const histories = createHistories();
  for await (const { entry, file: segment } of readLog(file)) {
    const before = histories.accept(entry.run, entry);
    if (entry.seq === seq && segment === resolve(file))
      return { entry, history: before().map(({ name }) => name) };
  }
  throw new UnusableError(`${file}: there is no entry ${seq}`, `ambit log tail ${file}`);
}
