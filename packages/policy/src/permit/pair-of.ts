import { isMap, isScalar, type Pair, type ParsedNode } from 'yaml';

/** The pair of a map that has this key. */
export function pairOf(node: unknown, key: string): Pair<ParsedNode, ParsedNode | null> | undefined {
  if (!isMap(node)) return undefined;
  return (node.items as Pair<ParsedNode, ParsedNode | null>[]).find(
    (pair) => isScalar(pair.key) && pair.key.value === key,
  );
}
