import {
  isJsonObject,
  type Json,
  type JsonObject,
  jsonText,
  printable,
  printableLines,
  shortened,
} from '@ambit/core';

/** A refusal as a result that the model reads, because a protocol error means a malformed request. */
export function refusal(text: string): JsonObject {
  return { content: [{ type: 'text', text }], isError: true };
}

export const relatedTask = 'io.modelcontextprotocol/related-task';
const reserved = [
  relatedTask,
  ...['serverInfo', 'subscriptionId'].map((name) => `io.modelcontextprotocol/${name}`),
];

/** Without the members of a server's result in which a client reads a question, the name, a task or a stream of the gateway. */
export function withoutReserved(result: JsonObject): JsonObject {
  const { inputRequests: _, requestState: __, ...rest } = result;
  const { _meta: meta = null } = rest;
  if (!isJsonObject(meta) || !reserved.some((key) => key in meta)) return rest;
  const kept = Object.entries(meta).filter(([key]) => !reserved.includes(key));
  return { ...rest, _meta: Object.fromEntries(kept) };
}

/** Why a result is a failure, in the server's text; null for a success. */
export function errorIn(result: JsonObject): string | null {
  if (result.isError !== true) return null;
  const blocks = Array.isArray(result.content) ? (result.content as readonly Json[]) : [];
  const texts = blocks.flatMap((block) =>
    isJsonObject(block) && typeof block.text === 'string' ? [block.text] : [],
  );
  return shownText(texts.join('\n') || 'it failed', 4_000);
}

/** A question of Ambit to the client's user. */
export function questionFor(
  call: { readonly what: string; readonly args: JsonObject },
  reason: string,
): string {
  const args = shownText(jsonText(call.args, 1), 3_000);
  return `Ambit asks whether this call may run: ${call.what}\n${args}\nWhy it asks: ${printableLines(reason)}`;
}

const secretWords = new RegExp(
  'passw(?:or)?[dt]|pass(?:phrase|code)|\\b(?:pin|pwd|otp|cvv|ssn)\\b|secret|token|credential|(?:api|ssh|access|private).?key|' +
    'one.?time.?code|(?:recovery|seed|security|verification).(?:code|phrase)|mnemonic|card.?number|' +
    'kennwort|mot.de.passe|contrasena|\\bsenha\\b|wachtwoord|пapoл|密[码碼]',
);

const longestForm = 10_000;

/**
 * A question of a server in one line, after its name, so that it does not resemble one of ours. Null if it is not
 * forwarded: another form, a question for a secret or in Ambit's name, or texts with hidden characters.
 */
export function elicitationOf(params: JsonObject, server: string): JsonObject | null {
  const { message, requestedSchema = null } = params;
  if (typeof message !== 'string' || whyCancelled(params) !== null) return null;
  return {
    message: `The MCP server ${server} asks (not Ambit): ${printable(message.slice(0, 2_000))}`,
    requestedSchema,
  };
}

function whyCancelled({ message, requestedSchema, mode = 'form' }: JsonObject): string | null {
  if (mode !== 'form' || typeof message !== 'string' || !isJsonObject(requestedSchema))
    return 'it is not a form';
  const form = JSON.stringify(requestedSchema);
  const all = `${message} ${form}`;
  const [word] = secretWords.exec(inLatin(all)) ?? [];
  if (word !== undefined) return `\`${word}\` may ask for a secret`;
  if (namesAmbit(all)) return 'it names Ambit';
  const isHidden = form.length > longestForm || printable(form) !== form || /\\[nru]/.test(form);
  return isHidden ? 'its form is too long, or hides characters' : null;
}

const told = new WeakMap<object, Set<string>>();
const mostTold = 100;

/** Tells a person, once, that a question of a server was cancelled. `serving`: of the client that it was for. */
export function tellCancelled(
  params: JsonObject,
  serving: { readonly say: (line: string) => void },
  server: string,
): null {
  const lines = told.get(serving) ?? new Set();
  told.set(serving, lines);
  const why = whyCancelled(params) ?? 'the client cannot ask its user';
  const { message = null } = params;
  const line = `a question of the MCP server ${server} was cancelled, because ${why}: ${shownText(jsonText(message), 200)}`;
  if (!lines.has(line) && lines.size < mostTold) serving.say(line);
  if (lines.size < mostTold) lines.add(line);
  return null;
}

/** A word of its own, or with a space after each letter. */
const ownName = /(?<![a-z])a(?:mbit|[\s._-]+m[\s._-]+b[\s._-]+i[\s._-]+t)(?![a-z])/;

function namesAmbit(text: string): boolean {
  const words = text.replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ');
  return [text, words, words.replace(/\d/g, ' ')].some((each) =>
    ownName.test(inLatin(each).replace(/[l|!]/g, 'i').replaceAll('rn', 'm')),
  );
}

/** Letters of other scripts, and digits, with the Latin letters that they look like. */
const alike: ReadonlyMap<string, string> = new Map(
  (
    'аa αa вb βb ьb сc ϲc ԁd еe εe һh іi ιi 1i ӏi јj кk κk мm оo οo 0o рp ρp ѕs 5s тt τt уy υy хx χx ' +
    'ıi ɪi ɩi ᴀa ʙb ᴄc ᴅd ᴇe ᴋk ᴍm ɴn ᴏo ᴘp ꜱs ᴛt ᴡw ' +
    'ꓮa ꓐb ꓚc ꓓd ꓰe ꓲi ꓗk ꓟm ꓠn ꓳo ꓑp ꓣr ꓢs ꓔt ꓪw ꓬy ' +
    'ꭺa ᏼb ꮯc ꭰd ꭼe ꮖi ꮶk ꮇm ꮲp ꭱr ꮪs ꭲt ꮤw'
  )
    .split(' ')
    .map((pair) => [...pair] as [string, string]),
);

function inLatin(text: string): string {
  const plain = text.normalize('NFKD').replace(/[\p{M}\p{Cf}]/gu, '');
  return plain.toLowerCase().replace(/./gsu, (letter) => alike.get(letter) ?? letter);
}

/** The text with a bounded length, and without control characters. */
export function shownText(text: string, most: number): string {
  return shortened(printableLines(text), most);
}
