import { deckName, reportName } from './decks.js';

/** How many decks are handed over in one turn. */
const atOnce = 8;

/** A script for other decks: it takes every step, and its reports say that no model read the decks. */
export function standInScript(decks: readonly string[]): string {
  const turns = batches(decks).map((batch) => ({
    call: batch.map((deck) => ({
      tool: 'evaluator',
      args: { input: `Evaluate ${deck}`, attachments: [`input/${deck}`] },
    })),
  }));
  const reports = batches(decks).map((batch) => ({
    call: batch.map((deck) => ({
      tool: 'write_file',
      args: { path: `output/${reportName(deck)}`, content: emptyReport(deck) },
    })),
  }));
  const script = {
    evaluator: [{ say: 'No model has read this deck.' }],
    orchestrator: [
      { call: [{ tool: 'list_files', args: { path: 'input' } }] },
      ...turns,
      ...reports,
      { say: 'The way is open; no model has read a deck.' },
    ],
  };
  // JSON is YAML if YAML permits each of its characters.
  return JSON.stringify(script, null, 2).replace(
    /[\x7f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function emptyReport(deck: string): string {
  return `# ${deckName(deck)}

**No model has read this deck.** There was no key for one, so a script took its place. The call that hands the deck to
the evaluator and the one that wrote this report met the same policy, and the same approvals, as in a real evaluation.

Set \`ANTHROPIC_API_KEY\` and run it again for an evaluation.
`;
}

function batches(decks: readonly string[]): readonly (readonly string[])[] {
  const count = Math.ceil(decks.length / atOnce);
  return Array.from({ length: count }, (_, index) => decks.slice(index * atOnce, (index + 1) * atOnce));
}
