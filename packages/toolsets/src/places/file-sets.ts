import { type Capability, membersIn, pathFact } from '@ambit/core';

/** Joins capabilities that differ only in their path, in place of the first. */
export function asFileSets(capabilities: readonly Capability[]): readonly Capability[] {
  const groups = new Map<string, { readonly first: Capability; readonly paths: string[] }>();
  for (const capability of capabilities) {
    const { path, ...others } = capability;
    const isOne = typeof path === 'string';
    const key = `${isOne} ${keyOf(isOne ? { ...others, name: capability.name } : capability)}`;
    const known = groups.get(key);
    if (known === undefined) groups.set(key, { first: capability, paths: isOne ? [path] : [] });
    else if (isOne) known.paths.push(path);
  }
  return [...groups.values()].map(({ first, paths }) =>
    paths.length === 0 ? first : { ...first, path: pathFact(paths) },
  );
}

/** Whether each of these was described, members of file sets one by one. Fewer are allowed. */
export function isDescribed(capabilities: readonly Capability[], described: readonly Capability[]): boolean {
  const known = new Set(membersIn(described).map(keyOf));
  return membersIn(capabilities).every((member) => known.has(keyOf(member)));
}

/** Equal for equal capabilities: the order of their facts is all that may differ. */
function keyOf(capability: Capability): string {
  return JSON.stringify(Object.entries(capability).sort(([one], [other]) => (one < other ? -1 : 1)));
}
