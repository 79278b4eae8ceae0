import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A turn of a script whose calls each add a line to the ledger. */
export const add = (...list: readonly string[]) => ({
  call: list.map((line) => ({ tool: 'add', args: { line } })),
});

/** A run whose calls add lines to a file, so that a test can count what was done twice or never. */
export interface LedgerRun {
  /** Rules of the policy for `ledger.add`. */
  readonly rules: readonly object[];
  /** More keys of the policy. */
  readonly policy?: object;
  readonly script: Readonly<Record<'main' | 'helper', readonly object[]>>;
  /** Milliseconds that adding a line takes at most, before it is added and once more after. */
  readonly most?: number;
}

/** Makes a folder with the working folder of such a run in it. The caller removes it. */
export function makeLedger(run: LedgerRun): { readonly folder: string; readonly root: string } {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ambit-killed-')));
  const root = join(folder, 'work');
  mkdirSync(root);
  for (const [name, content] of Object.entries(filesOf(run)))
    writeFileSync(join(root, name), typeof content === 'string' ? content : JSON.stringify(content));
  return { folder, root };
}

/** The lines that were added, in order. */
export function ledgerOf({ root }: { readonly root: string }): readonly string[] {
  const file = join(root, 'ledger.txt');
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
}

function filesOf({
  rules,
  policy = {},
  script,
  most = 0,
}: LedgerRun): Readonly<Record<string, string | object>> {
  return {
    'policy.yaml': {
      version: 1,
      default: 'needs_approval',
      capabilities: { 'ledger.add': rules, 'code.load': 'pre_approved', 'worker.call': 'pre_approved' },
      ...policy,
    },
    'main.worker': `${JSON.stringify({ toolsets: { './ledger.mjs': {}, helper: {} } })}\n---\nWork.\n`,
    'helper.worker': `${JSON.stringify({ toolsets: { './ledger.mjs': {} } })}\n---\nHelp.\n`,
    'script.yaml': script,
    'ledger.mjs': `
import { appendFileSync } from 'node:fs';
const wait = () => ${most} > 0 && new Promise((done) => setTimeout(done, Math.random() * ${most}));
export default {
  name: 'ledger',
  capabilities: [],
  tools: [
    {
      name: 'add',
      description: 'Adds a line.',
      input: { json: { type: 'object' }, parse: (value) => ({ ok: true, value }) },
      describe: ({ line }) => ({ capabilities: [{ name: 'ledger.add', line }] }),
      execute: async ({ line }) => {
        await wait();
        appendFileSync(new URL('./ledger.txt', import.meta.url), line + '\\n');
        await wait();
        return 'added';
      },
    },
  ],
};
`,
  };
}
