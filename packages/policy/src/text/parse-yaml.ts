import { Composer, type CST, type Document, isScalar, type ParsedNode, Parser } from 'yaml';
import { escapeText } from './escape.js';
import type { Span } from './place.js';
import type { Problems } from './problems.js';
import { largestFile, reportSize } from './source.js';
import { scanTokens, unprintable, unreadable } from './tokens.js';
import type { Node } from './tree.js';
import { buildTree } from './tree-builder.js';

/** The one document of a YAML text, or null. `invisible` allows invisible characters; `least` is the help for an empty file. */
export function parseYaml(
  text: string,
  problems: Problems,
  { invisible = false, least = null }: { readonly invisible?: boolean; readonly least?: string | null } = {},
): Node | null {
  // A longer text can only have more bytes.
  if (text.length > largestFile || Buffer.byteLength(text) > largestFile) {
    reportSize(problems);
    return null;
  }
  const tokens = scanTokens(text, problems, invisible ? unprintable : unreadable);
  if (tokens === null) return null;
  const documents = composeDocuments(text, tokens, problems);
  const [first, second] = documents;
  if (second !== undefined) {
    const start = second.range?.[0] ?? text.length;
    const span = { start, end: Math.min(text.length, start + 3) };
    problems.add('SEVERAL_DOCUMENTS', span, {
      message: 'a second document begins here',
      help: 'remove it: a file holds one document',
    });
  }
  reportSyntax(text, documents.slice(0, 2), problems);
  if (first === undefined || first.contents === null || isNothing(first.contents)) {
    if (problems.isEmpty)
      problems.add('EMPTY_FILE', { start: 0, end: 0 }, { message: 'the file is empty', help: least });
    return null;
  }
  // A tree repaired after a mistake would cause false mistakes.
  if (documents.some((document) => document.errors.some(({ code }) => code !== 'TAG_RESOLVE_FAILED')))
    return null;
  const hasAnchors = tokens.some((token) => token.startsWith('&'));
  return buildTree(first.contents, { problems, hasAnchors });
}

type Composed = Document.Parsed<ParsedNode, true>;

/** What the library's `parseAllDocuments` returns, without a second tokenisation. */
function composeDocuments(text: string, tokens: readonly string[], problems: Problems): readonly Composed[] {
  // Duplicate keys are found by the tree builder, in linear time and with the place of the key.
  const options = { uniqueKeys: false, merge: false, stringKeys: false } as const;
  const composer = new Composer<ParsedNode, true>(options);
  const documents = [...composer.compose(parsed(tokens))];
  if (documents.length === 0) reportSyntax(text, [composer.streamInfo()], problems);
  return documents;
}

function* parsed(tokens: readonly string[]): Generator<CST.Token> {
  const parser = new Parser();
  for (const token of tokens) yield* parser.next(token);
  yield* parser.end();
}

/** Only the first mistake of a line, and none after one in indentation: these mostly follow from it. */
function reportSyntax(
  text: string,
  documents: readonly Pick<Composed, 'errors' | 'warnings'>[],
  problems: Problems,
): void {
  let lineEnd = -1;
  for (const { errors, warnings } of documents) {
    for (const { code, message, pos } of [...errors, ...warnings]) {
      // The scan of the tokens already reports every tag; these two errors cover only some.
      if (code === 'TAG_RESOLVE_FAILED' || code === 'MULTIPLE_DOCS' || pos[0] <= lineEnd) continue;
      const newline = text.indexOf('\n', pos[0]);
      lineEnd = newline === -1 ? text.length : newline;
      const span: Span = { start: pos[0], end: Math.max(pos[0], pos[1]) };
      const [, help = null] = remedies.find(([said]) => said.test(message)) ?? [];
      problems.add('SYNTAX', span, {
        message: escapeText(message.charAt(0).toLowerCase() + message.slice(1)),
        help,
      });
      if (code === 'BAD_INDENT' || code === 'TAB_AS_INDENT') return;
    }
  }
}

/** Remedies by the library's messages. */
const remedies: readonly (readonly [RegExp, string])[] = [
  [/^Tabs/, 'indent with spaces'],
  [/^All mapping items/, 'the keys of one map begin in one column; in a list, that is the column after `- `'],
  [/^Nested mappings/, 'the keys of one map begin in one column; quote a text that contains `: `'],
  [/^Block collections/, 'quote a text that contains `: `'],
  [/ end with an? |^Missing closing/, 'close every `{`, `[` and quote'],
];

function isNothing(node: ParsedNode): boolean {
  return isScalar(node) && node.value === null && node.range[0] === node.range[1];
}
