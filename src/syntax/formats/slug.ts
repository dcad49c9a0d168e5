/** The anchor GitHub gives a heading with these words, before it is made unique. */
export function slugOf(words: string): string {
  const lower = words.trim().toLowerCase();
  const kept = /^[a-z0-9_ -]*$/.test(lower) ? lower : lower.replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "");
  return kept.replaceAll(" ", "-");
}

/** Makes each anchor of a page unique in the order of its headings: `usage`, `usage-1`, `usage-2`. */
export function createSlugger(): (words: string) => string {
  // The last number given to each plain anchor. It shows which numbered anchors were given, so these are not stored.
  const last = new Map<string, number>();
  let endsInNumber = false;
  return (words) => {
    const plain = slugOf(words);
    const numbered = /^(.*)-([1-9]\d*)$/.exec(plain.slice(-200));
    let number = last.get(plain) ?? (numbered && isGiven(numbered[1]!, Number(numbered[2])) ? 0 : -1);
    endsInNumber ||= numbered !== null;
    do number++;
    while (number > 0 && endsInNumber && last.has(`${plain}-${number}`));
    last.set(plain, number);
    return number === 0 ? plain : `${plain}-${number}`;
  };

  function isGiven(plain: string, number: number): boolean {
    return (last.get(plain) ?? 0) >= number;
  }
}
