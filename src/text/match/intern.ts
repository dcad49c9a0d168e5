/** Gives equal strings the same number, counted from 0. */
export function createInterner(): { id(key: string): number } {
  const ids = new Map<string, number>();
  return {
    id(key) {
      const id = ids.get(key) ?? ids.size;
      if (id === ids.size) ids.set(key, id);
      return id;
    },
  };
}
