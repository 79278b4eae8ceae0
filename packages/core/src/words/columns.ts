import { eastAsianWidth } from 'get-east-asian-width';

/** Terminal columns of an escaped text. Where terminals differ, the wider count. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += columnsOfCharacter(character);
  return columns;
}

function columnsOfCharacter(character: string): number {
  if (character >= ' ' && character <= '~') return 1;
  if (/[\p{Mn}\p{Me}]/u.test(character)) return 0;
  const code = character.codePointAt(0) as number;
  return code >= 0x1f000 && code <= 0x1faff ? 2 : eastAsianWidth(code);
}
