/** JSON on one line, in which a terminal shows every character: what it would obey or hide is written as an escape. */
export function jsonText(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent) ?? 'null';
  return plain.test(text) ? text : text.replace(unseen, escaped);
}

const plain = /^[\n\x20-\x7e]*$/;

const unseen = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

function escaped(found: string): string {
  return found
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
