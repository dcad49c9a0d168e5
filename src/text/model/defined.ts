/** The fields that have a value. An optional field is left out of an object rather than being undefined in it. */
export function defined<const T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const kept: { [K in keyof T]?: Exclude<T[K], undefined> } = {};
  for (const name in fields)
    if (fields[name] !== undefined) kept[name] = fields[name] as Exclude<T[typeof name], undefined>;
  return kept;
}
