/** The anchor GitHub gives a heading with these words, before it is made unique. */
export function slugOf(words: string): string {
  return words
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "")
    .replaceAll(" ", "-");
}

/** Makes each anchor of a page unique in the order of its headings: `usage`, `usage-1`, `usage-2`. */
export function createSlugger(): (words: string) => string {
  const counts = new Map<string, number>();
  return (words) => {
    const plain = slugOf(words);
    let slug = plain;
    let count = counts.get(plain);
    if (count !== undefined) {
      do slug = `${plain}-${++count}`;
      while (counts.has(slug));
      counts.set(plain, count);
    }
    counts.set(slug, 0);
    return slug;
  };
}
