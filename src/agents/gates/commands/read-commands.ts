/** The lines of a text that may be commands, and the code spans inside them. Rows of tables have pipes of their own. */
export function* linesOf(text: string): Generator<string> {
  for (const line of text.split("\n", mostLines)) {
    if (line.length > longestLine) continue;
    const bare = line.replace(
      /^[\s>*+-]{0,40}(?:\d+\.\s+)?(?:PS[^>\n]{0,40}>\s*|[A-Z]:[^>\n]{0,40}>\s*|[$#%]\s+)?/,
      "",
    );
    if (!bare.startsWith("|")) yield bare;
    for (const [, span] of line.matchAll(/`([^`\n]{4,400})`/g)) yield span!;
  }
}

const mostLines = 50_000;
const longestLine = 2_000;

/** `path`: the program as it is written. */
export type PipedCommand = {
  readonly words: readonly string[];
  readonly path: string;
  readonly isPiped: boolean;
};

/** The commands of a line without the words that only start another one. Marks inside quotes separate nothing. */
export function commandsOf(line: string): PipedCommand[] {
  const commands: PipedCommand[] = [];
  let isPiped = false;
  for (const [, text, separator] of line.matchAll(COMMAND)) {
    const { words, path } = wordsOf(text!);
    if (words.length > 0) commands.push({ words, path, isPiped });
    isPiped = separator === "|" || separator === "|&";
  }
  return commands;
}

const COMMAND = /((?:"[^"]*"|'[^']*'|[^|;&\n"']|&(?=[>\d])|(?<=[<>])&|["'])+)(\|&|\|\|?|&&?|[;\n]|$)/g;

function wordsOf(text: string): Pick<PipedCommand, "words" | "path"> {
  const words = Array.from(text.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"']|["'])+/g), ([word]) =>
    word.replace(/^(["'])(.*)\1$/, "$2"),
  );
  while (words.length > 0 && STARTERS.test(words[0]!)) {
    words.shift();
    while (words[0]?.startsWith("-") || /^\w+=/.test(words[0] ?? "")) words.shift();
  }
  const [path = ""] = words;
  if (words.length > 0)
    words[0] = words[0]!
      .toLowerCase()
      .replace(/^.*[\\/](?=[^\\/])/, "")
      .replace(/\.exe$/, "");
  return { words, path };
}

const STARTERS = /^(?:sudo|doas|env|nohup|exec|time|command|builtin|&|\w+=\S*|call)$/i;
