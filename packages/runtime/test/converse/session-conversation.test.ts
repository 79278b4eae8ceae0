import { describe, expect, it, onTestFinished } from 'vitest';
import { startScriptedModel } from '../../../examples/scripted-model.js';
import { open, resume } from '../../src/index.js';
import { type Files, worker, workplace } from '../session.js';

const files: Files = {
  'policy.yaml': { version: 1, default: 'blocked' },
  'main.worker': worker({}, 'Talk.'),
};

async function talking(...says: readonly string[]) {
  const model = await startScriptedModel(says.map((say) => ({ say })));
  onTestFinished(() => model.close());
  const place = workplace(files);
  return {
    requests: model.requests,
    options: {
      root: place.root,
      policies: [place.path('policy.yaml')],
      workers: place.path('main.worker'),
      mode: 'strict',
      model: `anthropic:m@${model.url}`,
      environment: { AMBIT_HOME: place.state, HOME: place.state },
    } as const,
  };
}

/** What the user and the model said, as the last request had it. */
function heard(requests: readonly { readonly body: Record<string, unknown> }[]): readonly string[] {
  const messages = requests.at(-1)?.body.messages as readonly { content: readonly { text: string }[] }[];
  return messages.flatMap(({ content }) => content.map(({ text }) => text));
}

describe('a conversation', () => {
  it('continues with the user’s input until it ends', async () => {
    const { options, requests } = await talking('one', 'two', 'three');
    const said: string[] = [];
    const words = ['b', '', null];
    const nextTurn = async (text: string) => {
      said.push(text);
      return words[said.length - 1] ?? null;
    };
    const opened = await open({ ...options, nextTurn });
    if (!opened.ok) throw new Error(JSON.stringify(opened.problems));
    const result = await opened.session.run({ input: 'a' });
    await opened.session.close();
    expect([result.status, result.output, said]).toEqual(['finished', 'three', ['one', 'two', 'three']]);
    expect(heard(requests)).toEqual(['a', 'one', 'b', 'two', '(no input)']);
  });

  it('continues after an interruption with its whole history', async () => {
    const { options, requests } = await talking('one', 'two', 'three');
    let asked = 0;
    const nextTurn = async () => {
      asked += 1;
      if (asked === 2) throw new Error('the line was cut');
      return asked > 3 ? null : 'b';
    };
    const opened = await open({ ...options, nextTurn });
    if (!opened.ok) throw new Error(JSON.stringify(opened.problems));
    const { session } = opened;
    expect(await session.run({ input: 'a' })).toMatchObject({ status: 'failed', why: 'the line was cut' });
    await session.close();
    const { root, environment } = options;
    const resumed = await resume(session.id, { root, environment, policies: [], nextTurn });
    if (!resumed.ok) throw new Error(JSON.stringify(resumed.problems));
    expect((await resumed.session.run({})).output).toBe('three');
    await resumed.session.close();
    expect(heard(requests)).toEqual(['a', 'one', 'b', 'two', 'b']);
  });

  it('ends when the session stops while it waits for the user', async () => {
    const { options } = await talking('one');
    const opened = await open({
      ...options,
      nextTurn: async (_said, signal) => {
        if (opened.ok) opened.session.stop('enough');
        return signal.aborted ? null : 'never';
      },
    });
    if (!opened.ok) throw new Error(JSON.stringify(opened.problems));
    expect(await opened.session.run({ input: 'a' })).toMatchObject({ status: 'stopped', why: 'enough' });
    await opened.session.close();
  });
});
