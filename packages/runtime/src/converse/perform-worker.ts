import type { Json } from '@ambit/core';
import type Anthropic from '@anthropic-ai/sdk';
import type { Parking } from '../approvers/parking.js';
import type { BudgetWatch } from '../budget/budget.js';
import type { WorkerCall } from '../catalogue/catalogue.js';
import { effectiveModel } from '../catalogue/effective-model.js';
import { attachmentBlock } from '../delegate/attachments.js';
import { leavingAfter } from '../toolsets/entered-toolsets.js';
import type { WorkerDefinition } from '../worker-file/worker-definition.js';
import { type Conversation, converse, workerMemory } from './conversation.js';
import { type Equipping, equip } from './equip.js';
import { modelWords } from './model-words.js';

export interface Performing extends Equipping {
  readonly budget: BudgetWatch;
  readonly parking: Pick<Parking, 'split'>;
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
    split: of.parking.split,
    memory,
    ...(call.next === undefined ? {} : { next: call.next }),
  };
  const output = await leavingAfter(equipment, () => converse(conversation));
  const result = checkedOutput(worker, output);
  emit({ type: 'worker_finished', ...at, output });
  return result;
}

function openingOf({ attachments, input }: WorkerCall): readonly Anthropic.ContentBlockParam[] {
  return [...attachments.map(attachmentBlock), { type: 'text', text: input === '' ? '(no input)' : input }];
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
    throw new Error(`${name} did not answer with JSON, which its output schema requires`);
  }
}
