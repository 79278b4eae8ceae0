import { oneOf } from '../alternatives.js';
import {
  isMany,
  isOpen,
  namesWord,
  onlyNames,
  text,
  textsIn,
  unknown,
  type Word,
  wholeNames,
} from '../word.js';
import type { Elements } from './arrays.js';
import { Outside } from './outside.js';
import { requireNoArray, type State, type Value } from './state.js';

/** Parameters that bash keeps as numbers. */
const numbers: ReadonlySet<string> = new Set(
  '# ? $ ! PPID UID EUID SECONDS LINENO EPOCHSECONDS RANDOM SRANDOM BASHPID SHLVL'.split(' '),
);

/** Lower-case names with a meaning for bash, and what `grep -n` prints in place of a number for a binary file. */
const ownLowerCase: ReadonlySet<string> = new Set(['auto_resume', 'histchars', 'grep']);

/** Lower-case names with a meaning for programs. The environment may have them. */
const settings = /_proxy$|^(?:p?npm|yarn)_/;

/** Upper-case names without a meaning for bash and the programs of the table. The environment may have them. */
const plainUpperCase = namesOf(
  '[A-Z] ' +
    'ACTUAL ADDED AFTER AHEAD ALL ANSWER ARCHIVE ATTEMPT AUTHOR AVG BAD BAR BASE BAZ BEFORE BEHIND BODY BR ' +
    'BRANCH BRANCHES CFG CHANGED CHANGES CHECK CHUNK CLASS CLASSES CODE COL COLS COMMIT COMMITS COMPONENT CONTENT ' +
    'COPY COUNT CRATE CTX CUR CURRENT DATA DATE DAY DAYS DB DEFAULT DELETED DELTA DEPTH DESC DEST DIFF DIR ' +
    'DIRS DOCS DST DUPES DURATION ELAPSED END ENTRIES ENTRY ERR ERROR ERRORS EXCLUDE EXIT EXPECTED EXPORT ' +
    'EXPORTS EXT EXTS FAIL FAILED FAILURES FEATURE FILE FILES FIRST FN FNAME FOLDER FOO FOUND FROM FULL FUNC ' +
    'FUNCS FUNCTION GLOB GOOD HASH HASHES HEAD HEADER HITS ID IDS IDX IMPORT IMPORTS INDEX INFO INPUT ISSUE ' +
    'ITEM ITEMS JSON KEY KEYS KIND LABEL LAST LATEST LEFT LEN LENGTH LEVEL LIMIT LINE LINK LIST LOC LOG LOGS ' +
    'MAIN MATCH MATCHES MAX MB MERGE MIN MISSING MOD MODE MODEL MODELS MODIFIED MODULE MODULES MONTH MSG MSGS ' +
    'NAME NAMES NEEDLE NEW NEWEST NEXT NOTES NOW NUM NUMBER NUMS OBJ OFFSET OK OLD OLDEST ORIG ORIGIN OURS ' +
    'OUT OUTPUT OWNER PACKAGE PACKAGES PAGE PARENT PARENTS PART PASS PASSED PATTERN PCT PERCENT PID PIDS PKG ' +
    'PKGS PORT PORTS POS PR PREV PREVIOUS PROJECT QUERY RANGE RC REASON REF REFS RELEASE REMOTE REMOVED REPO ' +
    'REPORT REPOS RES RESP RESPONSE RESULT RESULTS RET REV RIGHT ROOT ROUTE ROUTES ROW SAMPLE SCOPE SEARCH ' +
    'SECTION SEP SERVICE SERVICES SHA SINCE SIZES SLUG SOURCE SOURCES SRC STAGED STALE START STATE STATUS ' +
    'STEM STEP STR SUBDIR SUBJECT SUFFIX SUM SUMMARY SYM SYMBOL SYMBOLS SYMS TABLE TAG TAGS TEXT THEIRS ' +
    'TIMESTAMP TITLE TMPFILE TO TODAY TOP TOTAL TRACKED TREE TS TYPE UNIQUE UNTIL UNTRACKED UNUSED UPSTREAM ' +
    'URL USAGE USAGES USED VAL VALS VALUE VALUES VAR VERSION VERSIONS WEEK WIDTH WINDOW WORD WORDS WORKDIR WT ' +
    'YEAR',
  'BUILD LINES PATH PATHS SCRIPT SIZE TARGET TEMP TEST TESTS TMP USER',
);

/** These words, perhaps with a digit, and names of several words: `LAST_TAG`. `parts` only occur in the latter. */
function namesOf(words: string, parts: string): RegExp {
  const [word, either] = [words, `${words} ${parts}`].map((list) => `(?:${list.replaceAll(' ', '|')})`);
  return new RegExp(`^(?:${word}\\d?|${either}(?:_${either})+)$`);
}

/** Whether a line may assign the name: names without a meaning for bash and programs. */
export function isAssignable(name: string): boolean {
  return isOwn(name) || plainUpperCase.test(name);
}

/** Whether the name is the line's own: unset before it assigns it. */
function isOwn(name: string): boolean {
  return /^[a-z][A-Za-z0-9_]{0,99}$/.test(name) && !ownLowerCase.has(name) && !settings.test(name);
}

/** The values of `IFS` that are described: the usual one, and a line feed alone. */
export const separators: readonly string[] = [' \t\n', '\n'];

/** Whether the shell splits at line feeds alone. */
export function splitsLines({ variables }: State): boolean {
  const value = variables.get('IFS')?.value ?? text(separators[0] ?? '');
  if (value.kind !== 'text') throw new Outside('where the shell splits words is unknown', '$IFS');
  return value.text === '\n';
}

/** The value of a name or a parameter; null if it is certainly unset. */
export function valueNamed(name: string, state: State): Value | null {
  requireNoArray(state, name);
  const own = state.variables.get(name);
  if (own !== undefined) return own.value;
  if (name === 'PWD') {
    const [folder, ...others] = state.folders;
    if (folder !== undefined && others.length === 0) return text(folder.named);
  }
  if (numbers.has(name)) return unknown(`$${name}`, { isNumber: true, ...(name === '!' && { isJob: true }) });
  if (name === 'IFS') return text(separators[0] ?? '');
  if (/^[@*]$/.test(name)) throw new Outside('this use of the parameters is not described', `$${name}`);
  if (/^\d+$/.test(name) && state.parameters?.[0] !== undefined)
    return wordAt(Number(name), state.parameters);
  if (/^[1-9]\d*$/.test(name)) {
    if (state.hasParameters === true)
      throw new Outside('a parameter of the text is not described', `$${name}`);
    return null;
  }
  if ((isOwn(name) && state.inherits !== true) || name === 'TMPDIR') return null;
  return unknown(`$${name}`);
}

/** The parameter or element with this number. Words that may be several may move it. */
function wordAt(index: number, words: readonly Word[]): Value | null {
  const many = words.findIndex(isMany);
  const word = words[index];
  if (word?.kind === 'text' && word.isMatched === true)
    return namesWord(
      onlyNames(words.flatMap((each) => (each.kind === 'text' && each.isMatched ? each.text : []))),
    );
  if (many === -1 || index < many) return word ?? null;
  const rest = words.slice(many);
  if (rest.some(({ kind }) => kind === 'unknown')) return unknown(`$${index}`);
  return namesWord({
    texts: [...new Set([...rest.flatMap(textsIn), ''])],
    open: rest.some(isOpen),
    under: null,
  });
}

/** The element with this number, from the end where it is negative; null if it is unknown, or for no element. */
export function elementAt(index: number | null, elements: Elements): Value | null {
  if (index !== null && (index >= 0 || !elements.some(isMany)))
    return wordAt(index < 0 ? elements.length + index : index, elements);
  const all = oneOf(elements);
  if (all.kind === 'unknown') return all;
  const names = all.kind === 'text' ? onlyNames([all.text]) : wholeNames(all);
  return namesWord({ ...names, texts: [...names.texts, ''] });
}
