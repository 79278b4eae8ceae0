import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { docs, everywhere, excepted } from './banned-words.mjs';
import { root } from './workspace.cjs';

const widest = 100;
const isPage = (path) => path.endsWith('.md');

/** Fails on a banned phrase, and on a line of a page that is too long. The error names each place. */
export function words() {
  const found = files().flatMap((path) => problemsOf(path, readFileSync(join(root, path), 'utf8')));
  if (found.length === 0) return;
  throw new Error(
    `${found.length} places need plainer words (scripts/banned-words.mjs)\n${found.join('\n')}`,
  );
}

/** One line for each problem in the text of a file: its place and what to write instead. */
export function problemsOf(path, text) {
  const lists = isPage(path) ? [...everywhere, ...docs] : everywhere;
  const phrases = lists.flatMap(([phrase, instead]) =>
    [...text.matchAll(asPattern(phrase))].map(
      ({ 0: match, index }) =>
        `${path}:${lineAt(text, index)} \`${match.replace(/\s+/g, ' ')}\`: write ${instead}`,
    ),
  );
  return isPage(path) ? [...phrases, ...longLines(path, text)] : phrases;
}

function asPattern(phrase) {
  // A comment continues after `//` or `*` at the start of the next line.
  const gap = '(?:[ \\t]+|[ \\t]*\\n[ \\t]*(?:(?://|\\*|#|>)[ \\t]*)?)';
  return new RegExp(`\\b${phrase.replace(/(?<!\\) /g, gap)}`, 'gi');
}

/** Rows of tables, addresses and lines of code cannot be wrapped. */
function longLines(path, text) {
  let isCode = false;
  return text.split('\n').flatMap((line, index) => {
    if (/^\s*```/.test(line)) isCode = !isCode;
    const isExempt = isCode || line.startsWith('|') || /^\S*\s*<?https?:\S+$/.test(line);
    return isExempt || line.length <= widest
      ? []
      : [`${path}:${index + 1} the line has ${line.length} characters`];
  });
}

const lineAt = (text, index) => text.slice(0, index).split('\n').length;

function files() {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  return (
    listed
      .split('\0')
      .filter((path) => /\.(md|ts|mjs|cjs|yaml|worker)$/.test(path) && !excepted.includes(path))
      // Git lists a deleted file until the deletion is staged.
      .filter((path) => existsSync(join(root, path)))
  );
}
