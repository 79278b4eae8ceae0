/** A setting as git reads it: section and name in lower case, a subsection as written. */
export interface Setting {
  readonly key: string;
  readonly value: string;
}

/** Other blanks are text for git. */
const blanks = /^[ \t\r\n]+/;

/** The settings in a file of git's; null if it does not follow git's documentation. */
export function readSettings(text: string): readonly Setting[] | null {
  const settings: Setting[] = [];
  let section = '';
  const lines = text
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n')
    .split('\n');
  for (let index = 0; index < lines.length; index += 1) {
    let line = (lines[index] ?? '').replace(blanks, '');
    if (line.startsWith('[')) {
      const header = /^\[([A-Za-z0-9.-]+)(?:[ \t]+"((?:[^"\\\n]|\\.)*)")?\]/.exec(line);
      if (header === null) return null;
      const [all, name = '', below] = header;
      section = name.toLowerCase() + (below === undefined ? '' : `.${below.replaceAll(/\\(.)/g, '$1')}`);
      line = line.slice(all.length).replace(blanks, '');
    }
    if (line === '' || line.startsWith('#') || line.startsWith(';')) continue;
    const named = /^([A-Za-z][A-Za-z0-9-]*)[ \t]*(=|$|(?=[#;]))/.exec(line);
    if (named === null || section === '') return null;
    const [all, name = '', sign] = named;
    let rest = sign === '=' ? line.slice(all.length) : null;
    while (rest !== null && isContinued(rest) && index + 1 < lines.length) {
      index += 1;
      rest = `${rest.slice(0, -1)}${lines[index] ?? ''}`;
    }
    const value = rest === null ? 'true' : settingValue(rest);
    if (value === null) return null;
    settings.push({ key: `${section}.${name.toLowerCase()}`, value });
  }
  return settings;
}

/** Whether a value continues on the next line: an odd number of backslashes at its end, outside a comment. */
function isContinued(text: string): boolean {
  const slashes = /\\+$/.exec(text)?.[0].length ?? 0;
  return slashes % 2 === 1 && settingValue(text.slice(0, -1), true) !== null;
}

/** Returns null if the text is malformed, and with `isOpen` if a comment has begun. */
function settingValue(text: string, isOpen = false): string | null {
  let value = '';
  let isQuoted = false;
  let end = 0;
  const trimmed = text.replace(blanks, '');
  for (let index = 0; index < trimmed.length; index += 1) {
    const letter = trimmed[index] ?? '';
    if (letter === '"') isQuoted = !isQuoted;
    else if (letter === '\\') {
      index += 1;
      const escaped = { n: '\n', t: '\t', b: '\b', '"': '"', '\\': '\\' }[trimmed[index] ?? ''];
      if (escaped === undefined) return null;
      value += escaped;
      end = value.length;
      continue;
    } else if (!isQuoted && (letter === '#' || letter === ';')) return isOpen ? null : value.slice(0, end);
    else value += letter;
    if (isQuoted || !blanks.test(letter)) end = value.length;
  }
  return isQuoted && !isOpen ? null : value.slice(0, end);
}
