import { textOf, type Word } from '../../word.js';
import type { Around, Effects, Languages } from '../effects.js';
import { inFolder } from '../words.js';
import { file } from './make-effect.js';

/** Texts that only print parts of JSON files, of the input, or of what the interpreter says about itself. */
export const values: Languages = {
  'node-value': (written, around) => valueOr('js', isOfNode, written, around),
  'python-value': (written, around) => valueOr('python', isOfPython, written, around),
};

/** The files that a text reads if it only prints values; otherwise it is code. */
function valueOr(
  language: string,
  isValue: (text: string) => boolean,
  written: Word,
  around: Around,
): Effects {
  const known = textOf(written);
  if (known === null || !isValue(known))
    return [{ kind: 'code', language, text: known, ...inFolder(around.folder) }];
  const names = known.matchAll(/\b(?:open\(|readFileSync\(|require\((?=.\.))(["'])(.*?)\1/g);
  return [...names].map(([, , name = '']) => file('read', name, around));
}

/** A text without escapes, separators of statements, and calls, which are looked for. */
const quoted = String.raw`(?:"[^"\\\n;()]*"|'[^'\\\n;()]*')`;

/** Node finds another file for a name that is missing; the table has those of `./package.json`. */
const nodeValue = String.raw`(?:require\((?:"\./package\.json"|'\./package\.json')\)|JSON\.parse\(require\((?:"(?:node:)?fs"|'(?:node:)?fs')\)\.readFileSync\((?:0|${quoted})(?:, *${quoted})?\)\)|process\.(?:version|versions|platform|arch))(?:\??\.\w+|\[(?:${quoted}|\d+)\])*`;
const nodeText = String.raw`(?:${nodeValue}|Object\.(?:keys|values|entries)\(${nodeValue}(?: *\|\| *\{\})?\)(?:\.length|\.join\((?:${quoted}|['"]\\n['"])\))?|JSON\.stringify\(${nodeValue}(?:, *null, *\d)?\))`;
const nodeLine = new RegExp(
  `^(?:${nodeText}|console\\.log\\(${nodeText}(?:, *(?:${nodeText}|${quoted}))*\\));?$`,
);

function isOfNode(text: string): boolean {
  return nodeLine.test(text.trim());
}

const pythonName = String.raw`[a-z]\w*`;
const pythonAccess = String.raw`(?:\[(?:${quoted}|-?\d+|-?\d*:-?\d*)\]|\.get\(${quoted}\)|\.(?:keys|items|values)\(\))*`;
const pythonFile = String.raw`open\(${quoted}(?:, *(?:"rb?"|'rb?'))?(?:, *encoding=(?:"utf-?8"|'utf-?8'))?\)`;
const pythonValue = String.raw`(?:(?:json|tomllib)\.load\((?:sys\.stdin|sys\.stdin\.buffer|${pythonFile}|${pythonName})\)${pythonAccess}|(?:ast\.parse|json\.loads|tomllib\.loads)\((?:${pythonFile}|${pythonName})\.read\(\)\)${pythonAccess}|sys\.(?:version|executable|prefix|platform|version_info(?:\[:?\d\]|\.\w+)?)|platform\.python_version\(\)|${pythonName}${pythonAccess}|${quoted})`;
const pythonText = String.raw`(?:${pythonValue}|(?:len|list|sorted)\(${pythonValue}\)|json\.dumps\(${pythonValue}(?:, *indent=\d)?\))`;
const pythonModules = '(?:sys|json|tomllib|platform|ast)';
const pythonLine = new RegExp(
  `^(?:import ${pythonModules}(?:, *${pythonModules})*|(?:for (?<each>${pythonName}) in ${pythonText}: *|with ${pythonFile} as (?<file>${pythonName}): *)?(?:(?<set>${pythonName}) *= *${pythonText}|print\\(${pythonText}(?:, *${pythonText})*\\)|${pythonText})?)$`,
);
/** What other names than those that the text itself sets stand for, which it may not set. */
const pythonWords = new Set(
  'import sys json tomllib platform ast for in with as open encoding len list sorted indent print'.split(' '),
);

function isOfPython(text: string): boolean {
  const own = new Set<string>();
  return text.split(/[;\n]/).every((each) => {
    const line = pythonLine.exec(each.trim());
    const { each: item, file, set } = line?.groups ?? {};
    for (const name of [item, file, set]) if (name !== undefined) own.add(name);
    const names = (line?.[0] ?? '').replaceAll(new RegExp(quoted, 'g'), '').match(/(?<![.\w])[a-z_]\w*/g);
    const isKnown = (name: string) => own.has(name) !== pythonWords.has(name);
    return line !== null && (names ?? []).every(isKnown);
  });
}
