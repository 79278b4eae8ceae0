import { type Objects, UnknownObject } from './objects.js';
import { newest } from './order.js';
import type { References } from './references.js';

/** Where git looks for a short name, in this order. */
const places = ['', 'refs/', 'refs/tags/', 'refs/heads/', 'refs/remotes/'];

/** The id of the object that a revision names; null if unknown. Throws `UnknownObject`, also for a folder without a path. */
export function resolveRevision(text: string, references: References, objects: Objects): string | null {
  const [, name = '', steps = ''] =
    /^(:\/[\w @,#=-]+$|[^~^:{}]*(?:@\{-?\d+\})?)((?:~\d*|\^\d*|\^\{(?:commit|tree|\/[\w @,#=-]+|)\})*:?)$/.exec(
      text,
    ) ?? [];
  if (name === '' || name.includes('..')) return null;
  let id = name.startsWith(':/')
    ? withMessage(name.slice(2), tipsOf(references), objects)
    : idOfName(name, references, objects);
  if (id === null) return null;
  if (objects.peel(id).kind === 'tree') throw new UnknownObject(id);
  for (const [step] of steps.matchAll(/~\d*|\^\{[^}]*\}|\^\d*|:/g)) {
    id = step.startsWith('^{/') ? withMessage(step.slice(3, -1), [id], objects) : objects.peel(id).id;
    if (id === null) return null;
    if (step === '^{tree}' || step === ':') id = objects.commit(id).tree;
    if (step.startsWith('^{') || step === ':' || step === '^0' || step === '~0') continue;
    const number = step.length === 1 ? 1 : Number(step.slice(1));
    for (let left = step.startsWith('~') ? number : 1; left > 0; left -= 1) {
      const parent: string | undefined = objects.commit(id).parents[step.startsWith('~') ? 0 : number - 1];
      if (parent === undefined) return null;
      id = parent;
    }
  }
  return id;
}

/** The commits that `HEAD` and the names below `refs` stand for. */
function tipsOf({ byName }: References): readonly string[] {
  return [...byName].flatMap(([name, id]) => (name === 'HEAD' || name.startsWith('refs/') ? [id] : []));
}

/** The newest commit whose message contains a text; null if no message does, or if several commits may be the newest. */
function withMessage(wanted: string, from: readonly string[], objects: Objects): string | null {
  const tips = from.map((id) => objects.peel(id)).flatMap(({ id, kind }) => (kind === 'commit' ? [id] : []));
  const shows = (id: string) =>
    (objects.find(id)?.bytes.toString('latin1') ?? '').split('\n\n').slice(1).join('\n\n').includes(wanted);
  const [first = null, other = null] = [tips, tips.toReversed()].map(
    (all) => newest(objects, all, 1, { shows })[0],
  );
  return first === other ? first : null;
}

/** `-` and `@{-N}`: what was checked out before. */
const earlier = /^(?:-|@\{-(\d+)\})$/;

/** The branch or commit that `-` or `@{-N}` stands for; any other text itself; null if unknown. */
export function leftBefore(text: string, references: References): string | null {
  const found = earlier.exec(text);
  return found === null ? text : references.left(Number(found[1] ?? 1));
}

function idOfName(name: string, references: References, objects: Objects): string | null {
  const { byName } = references;
  if (earlier.test(name)) {
    const left = leftBefore(name, references);
    return left === null || earlier.test(left) ? null : idOfName(left, references, objects);
  }
  const [, logged, number] = /^(.*)@\{(\d+)\}$/.exec(name) ?? [];
  if (logged !== undefined) return earlierValue(logged, Number(number), references);
  if (/^[0-9a-f]{40}$/i.test(name)) return name.toLowerCase();
  if (name === '@') return byName.get('HEAD') ?? null;
  const found = places.map((place) => byName.get(place + name)).find((id) => id !== undefined);
  if (found !== undefined) return found;
  const remote = byName.get(`refs/remotes/${name}/HEAD`);
  if (remote !== undefined) return remote;
  const ids = /^[0-9a-f]{4,39}$/i.test(name) ? objects.startingWith(name.toLowerCase()) : [];
  return ids.length === 1 ? (ids[0] ?? null) : null;
}

/** The value of a reference N changes ago; without a name, of the current branch. */
function earlierValue(name: string, steps: number, references: References): string | null {
  const { byName, head } = references;
  const full =
    name === ''
      ? (head ?? 'HEAD')
      : name === '@'
        ? 'HEAD'
        : places.map((place) => place + name).find((each) => byName.has(each));
  return full === undefined ? null : (references.log(full)?.[steps] ?? null);
}
