/** The place of the sign that closes the bracket at `open`; -1 where nothing does. The arrow `=>` closes nothing. */
export function closingAt(code: string, open: number): number {
  const sign = code[open]!;
  const close = CLOSING[sign];
  let depth = 0;
  for (let at = open; at < code.length; at++) {
    if (code[at] === sign) depth++;
    else if (code[at] === close && (close !== ">" || code[at - 1] !== "=") && --depth === 0) return at;
  }
  return -1;
}

const CLOSING: Readonly<Record<string, string>> = { "(": ")", "{": "}", "[": "]", "<": ">" };

/** The parts of a text between separators that stand in no brackets, and where each begins. */
export function* partsOf(
  text: string,
  ...separators: readonly string[]
): Generator<{ readonly text: string; readonly start: number }> {
  let [depth, start] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]!;
    if (sign in CLOSING) depth++;
    else if (depth > 0 && (")]}".includes(sign) || (sign === ">" && text[at - 1] !== "="))) depth--;
    if (depth > 0 || !separators.includes(sign)) continue;
    yield { text: text.slice(start, at), start };
    start = at + 1;
  }
  yield { text: text.slice(start), start };
}

/** The texts of these parts. */
export function splitAt(text: string, ...separators: readonly string[]): string[] {
  return Array.from(partsOf(text, ...separators), (part) => part.text);
}
