/** The `rm` commands of a text that remove whole folders a reader needs: the root, a home, a parent, a variable's. */
export function findRemovals(text: string): string[] {
  const found: string[] = [];
  const start = /(?<![-\w])rm(?=\s)/gi;
  for (let match = start.exec(text); match; match = start.exec(text)) {
    const { words, end } = wordsAfter(text, start.lastIndex);
    if (isHarmful(words)) found.push(text.slice(match.index, Math.min(end, match.index + 120)).trim());
    // A later `rm` in the same command is one of its words.
    start.lastIndex = Math.max(end, start.lastIndex);
  }
  return found;
}

/** The words of a command. It ends with its line, but a line may break before the first file, as in a code span. */
function wordsAfter(text: string, from: number): { words: string[]; end: number } {
  const words: string[] = [];
  const word = /(\s+)([^\s`|;&)<>]+)/y;
  let end = from;
  let hasFile = false;
  for (word.lastIndex = from; ; ) {
    const match = word.exec(text);
    if (!match || lineBreaks(match[1]!) > (hasFile ? 0 : 1)) return { words, end };
    end = word.lastIndex;
    words.push(match[2]!);
    hasFile ||= !match[2]!.startsWith("-");
  }
}

function lineBreaks(space: string): number {
  return space.split("\n", 3).length - 1;
}

function isHarmful(words: readonly string[]): boolean {
  const isRecursive = words.some((word) => /^-[a-z]*r/i.test(word) || /^--r(?:e\w*)?$/i.test(word));
  if (!isRecursive) return false;
  const [first, ...others] = words.filter((word) => !word.startsWith("-")).map(bare);
  return first !== undefined && (FIRST.test(first) || others.some((file) => ANY.test(file)));
}

function bare(word: string): string {
  return word.replaceAll(/["'\\]/g, "");
}

/** What the first file of a command may not be. */
const FIRST = /^(?:[/~*]|\$\{?[a-z]|\.$|\.\.?\/?\*|\.\.\/?$|\.git\/?$)/i;

/** The later words of a sentence may hold a path, so only whole folders count among them. */
const ANY =
  /^(?:\/\*?|\/(?:bin|boot|dev|etc|home|lib\w*|opt|root|sbin|usr|var)(?:\/\*?)?|~\/?\*?|\*|\.|\.\.?\/\*?|(?:\.\.\/?)+|\.git\/?|\$\{?[a-z_]\w*\}?\/?\*?)$/i;
