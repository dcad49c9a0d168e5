const thinkingName = "(?:seed:)?(?:think|thinking|thought|thoughts|reasoning|reflection|analysis)";
const opening = `(?:<${thinkingName}(?:\\s[^<>\\n]{0,80})?>|\\[THINK\\]|◁think▷)`;
const closing = `(?:</${thinkingName}>|\\[/THINK\\]|◁/think▷)`;

/** What a model may say before it thinks. A page, a sample or a verdict in it would be part of the answer. */
const greeting = "[^\\n#`|]{0,80}\\n\\s*";

/**
 * An answer without the model's thinking. Reasoning models put it between tags before the answer; some servers leave
 * the opening tag out, and a cut answer has no closing one.
 */
export function withoutThinking(text: string): string {
  const final = /<\|channel\|>final<\|message\|>([\s\S]*?)(?:<\|(?:return|end)\|>|$)/.exec(text);
  if (final) return final[1]!;
  const block = new RegExp(`^\\s*(?:${greeting})?${opening}[\\s\\S]*?${closing}\\s*`, "i");
  let rest = text;
  while (block.test(rest) && !isVerdict(rest)) rest = rest.replace(block, "");
  if (isUnclosed(rest)) return "";
  const close = new RegExp(`^(?:(?!${opening})[\\s\\S])*?${closing}\\s*`, "i");
  return rest.replace(close, "");
}

/** Whether an answer opens its thinking and never closes it. */
function isUnclosed(text: string): boolean {
  return !isVerdict(text) && new RegExp(`^\\s*(?:${greeting})?${opening}`, "i").test(text);
}

/** An answer that begins with a decision does not begin with thinking. */
function isVerdict(text: string): boolean {
  return /^\W*(?:notice\s*)?\d{1,3}\W+(?:KEEP|FIX|ADD)\b/i.test(text);
}
