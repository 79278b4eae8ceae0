import { type Capability, membersIn, pathFact, remembered, sortedText } from '@ambit/core';

/** Joins capabilities that differ only in their path, in place of the first. */
export function asFileSets(capabilities: readonly Capability[]): readonly Capability[] {
  const groups = new Map<string, { readonly first: Capability; readonly paths: string[] }>();
  for (const capability of capabilities) {
    const { path, ...others } = capability;
    const isOne = typeof path === 'string';
    const key = `${isOne} ${sortedText(isOne ? { ...others, name: capability.name } : capability)}`;
    const { paths } = remembered(groups, key, () => ({ first: capability, paths: [] }));
    if (isOne) paths.push(path);
  }
  return [...groups.values()].map(({ first, paths }) =>
    paths.length === 0 ? first : { ...first, path: pathFact(paths) },
  );
}

/** Whether each of these was described, members of file sets one by one. Fewer are allowed. */
export function isDescribed(capabilities: readonly Capability[], described: readonly Capability[]): boolean {
  const known = new Set(membersIn(described).map(sortedText));
  return membersIn(capabilities).every((member) => known.has(sortedText(member)));
}
