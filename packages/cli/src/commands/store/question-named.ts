import type { Store, StoredQuestion } from '@ambit/runtime';
import { byId } from './by-id.js';

export async function questionNamed(store: Store, id: string): Promise<StoredQuestion> {
  return byId(await store.questions(), id, {
    noun: 'question',
    idOf: ({ question }) => question.id,
    list: 'ambit approvals list --all',
  });
}
