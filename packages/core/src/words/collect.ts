/** The value of a key; a missing value is made and kept. */
export function remembered<Key, Value>(
  values: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
  key: Key,
  make: () => Value,
): Value {
  const known = values.get(key);
  if (known !== undefined) return known;
  const value = make();
  values.set(key, value);
  return value;
}

/** The items of each key, in order. */
export function groupedBy<Key, Item>(
  items: Iterable<Item>,
  keyOf: (item: Item) => Key,
): ReadonlyMap<Key, readonly Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) remembered(groups, keyOf(item), () => []).push(item);
  return groups;
}

/** The item of this id, or those whose ids begin with it. */
export function withId<Item>(
  items: readonly Item[],
  wanted: string,
  idOf: (item: Item) => string,
): readonly Item[] {
  const exact = items.filter((item) => idOf(item) === wanted);
  return exact.length > 0 || wanted === '' ? exact : items.filter((item) => idOf(item).startsWith(wanted));
}
