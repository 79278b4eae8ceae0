import { type CallOutcome, escapeRegExp, type Json, type Refusal } from '@ambit/core';
import type Anthropic from '@anthropic-ai/sdk';
import type { Activity } from '../approvers/parking.js';
import type { BudgetWatch } from '../budget/budget.js';
import type { Catalogue, WorkerCall } from '../catalogue/catalogue.js';
import { effectiveModel } from '../catalogue/effective-model.js';
import { attachmentBlock } from '../delegate/attachments.js';
import { leavingAfter } from '../toolsets/entered-toolsets.js';
import type { WorkerDefinition } from '../worker-file/worker-definition.js';
import { type Conversation, converse, workerMemory } from './conversation.js';
import { type Equipping, equip } from './equip.js';

export interface Performing extends Equipping {
  readonly budget: BudgetWatch;
  readonly activity: Activity;
}

/** Runs a worker to its end, and checks its last message against its output schema. Rejects if it cannot finish. */
export async function performWorker(of: Performing, call: WorkerCall): Promise<Json> {
  const { catalogue, services, journal, budget, emit } = of;
  const { worker, authority, signal } = call;
  const { chain } = authority;
  const at = { chain, place: call.place };
  const found = effectiveModel(worker, { inherited: call.model, run: catalogue.model });
  if (found.model === null) throw new Error(found.problem);
  const { model, from } = found;
  const memory = workerMemory(journal, call.place);
  const content = await memory.opening(() => openingOf(call), { chain, model });
  const connection = await services.models.connect(model, worker.name);
  const endpoint = connection.client.baseURL;
  const equipment = await equip(of, { worker, authority, endpoint, model, place: call.place });
  emit({ type: 'worker_started', ...at, model, model_from: from });
  const toWords = modelWords(catalogue, worker.name);
  const conversation: Conversation = {
    connection,
    system: systemOf(worker),
    content,
    tools: equipment.tools,
    providerTools: () => equipment.providerTools(signal),
    signal,
    answerTokens: budget.answerTokens,
    answerCut: budget.answerCut,
    onText: (text) => emit({ type: 'model_text', ...at, text }),
    onTurn: (took) => emit({ type: 'model_turn', ...at, model, ...took }),
    call: async (name, args, id) => {
      emit({ type: 'call_made', ...at, call: id });
      return toWords(await equipment.call(name, args, { id, signal }), args);
    },
    newId: authority.run.options.newId,
    split: of.activity.split,
    memory,
    ...(call.next === undefined ? {} : { next: call.next }),
  };
  const output = await leavingAfter(equipment, () => converse(conversation));
  const result = checkedOutput(worker, output);
  emit({ type: 'worker_finished', ...at, output });
  return result;
}

function openingOf({ attachments, input }: WorkerCall): readonly Anthropic.ContentBlockParam[] {
  const blocks = attachments.map(({ name, content }) => {
    const block = attachmentBlock(name, content);
    if (block === null)
      throw new Error(`${name} is neither a PDF, nor an image, nor text: no model can read it`);
    return block;
  });
  return [...blocks, { type: 'text', text: input === '' ? '(no input)' : input }];
}

function systemOf({ instructions, output }: WorkerDefinition): string {
  if (output === null) return instructions;
  return `${instructions}\n\nAnswer in the end with JSON that fits this schema, and with nothing else:\n${JSON.stringify(output.json)}`.trim();
}

function checkedOutput({ name, output: schema }: WorkerDefinition, output: string): Json {
  if (schema === null) return output;
  const parsed = schema.parse(asJson(name, output));
  if (!parsed.ok) throw new Error(`what ${name} answered does not fit its output schema: ${parsed.problem}`);
  return parsed.value;
}

function asJson(name: string, text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw new Error(`${name} answered with something that is not JSON, which its output schema asks for`);
  }
}

/** Rewrites an outcome for a model. `named` holds the paths that the model itself named. */
type ModelWords = (outcome: CallOutcome, named: unknown) => CallOutcome;

/** Failures and refusals for the model, without paths of the host. */
function modelWords(catalogue: Catalogue, worker: string): ModelWords {
  const state = catalogue.guarded.flatMap(({ path, what }) => (what === 'state folder' ? [path] : []));
  const known: readonly (readonly [string, string])[] = [
    ...(catalogue.roots.get(worker) ?? []).map(({ folder, name }) => [folder, name] as const),
    ...state.map((path) => [path, 'the state folder'] as const),
    [catalogue.root, '.'],
    [catalogue.home, '~'],
  ];
  // The innermost folder names a path.
  const folders = known
    .filter(([folder]) => folder !== '/')
    .sort(([one], [other]) => other.length - one.length);
  const toWords = (text: string, said: string) => inWords(text, { folders, said });
  return (outcome, named) => {
    if (outcome.status === 'completed') return outcome;
    const said = typeof named === 'string' ? named : (JSON.stringify(named) ?? '');
    if (outcome.status === 'failed') return { ...outcome, error: toWords(outcome.error, said) };
    return { ...outcome, refusal: refusalInWords(outcome.refusal, (text) => toWords(text, said)) };
  };
}

function refusalInWords(refusal: Refusal, toWords: (text: string) => string): Refusal {
  const { reason, rule, instead } = refusal;
  return {
    ...refusal,
    reason: toWords(reason),
    rule: rule === null ? null : { ...rule, at: toWords(rule.at) },
    instead: instead === null ? null : toWords(instead),
  };
}

interface Words {
  readonly folders: readonly (readonly [string, string])[];
  readonly said: string;
}

const end = '[^\\s\'"`,;:()<>]*';
const descriptor = new RegExp(
  `/proc/(?:self|thread-self|\\d+)/(?:task/\\d+/)?fd/\\d+(?:/\\.(?=/|$))?/?(${end})`,
  'g',
);
/** `ENOENT: no such file or directory, open '/a/b' -> '/c'` */
const systemError = /\b(E[A-Z0-9]+: [^,'\n]+), [a-z]+((?: (?:-> )?'[^'\n]*')+)/g;

function inWords(text: string, { folders, said }: Words): string {
  const short = text.replace(descriptor, (path, rest: string) => (isSaid(path, said) ? path : rest));
  const named = folders.reduce((result, [folder, name]) => {
    const path = new RegExp(`(?<![\\w./-])${escapeRegExp(folder)}(?![\\w.-])(/${end})?`, 'g');
    return result.replace(path, (found, rest = '') => (isSaid(found, said) ? found : joined(name, rest)));
  }, short);
  return named.replace(systemError, (_, what: string, paths: string) => {
    const list = [...paths.matchAll(/'([^']*)'/g)].map(([, path = '']) => path);
    const told = list.filter((path) => path !== '' && (!path.startsWith('/') || isSaid(path, said)));
    return told.length === 0 ? what : `${what}: ${told.map((path) => `\`${path}\``).join(', ')}`;
  });
}

function isSaid(path: string, said: string): boolean {
  return said.includes(path);
}

function joined(name: string, rest: string): string {
  if (name !== '.') return `${name}${rest}`;
  return rest === '' || rest === '/' ? '.' : rest.slice(1);
}
