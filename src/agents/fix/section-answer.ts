/** The decision on one notice, and the model's reason. */
export type Verdict = { readonly word: "keep" | "fix" | "add"; readonly reason: string };

/** An answer to a question about a section: a verdict for each notice, and the section where it should change. */
export type SectionAnswer = {
  /** By the position of the notice. */
  readonly verdicts: ReadonlyMap<number, Verdict>;
  /** `null`: the answer holds no section. */
  readonly section: string | null;
};

const verdictLine =
  /^[\s>*_`#-]*(?:notice\s*)?#?(\d{1,3})[\s.):*_`-]*(KEEP|FIX|ADD)\b[\s*_`]*[:.,–—-]*[\s*_`]*(.*)$/i;
const bareVerdict = /^[\s>*_`#-]*(KEEP|FIX|ADD)\b[\s*_`]*[:.,–—-]+[\s*_`]*(.*)$/i;
const begin = /^[\s>*_`=#<-]*BEGIN\s+SECTION[\s*_`=#>-]*$/i;
const end = /^[\s>*_`=#<-]*END\s+SECTION[\s*_`=#>-]*$/i;

/** Reads an answer. Models decorate lines and wrap the section in a fence; both are understood. */
export function parseSectionAnswer(text: string, notices: number): SectionAnswer {
  const lines = text.split(/\r?\n/);
  const from = lines.findIndex((line) => begin.test(line));
  const to = from < 0 ? -1 : lines.findLastIndex((line, i) => i > from && end.test(line));
  const outside = from < 0 ? lines : lines.filter((_, i) => i < from || (to >= 0 && i > to));
  const section = to < 0 ? null : unwrap(lines.slice(from + 1, to));
  return { verdicts: findVerdicts(outside, notices), section };
}

function findVerdicts(lines: readonly string[], notices: number): Map<number, Verdict> {
  const verdicts = new Map<number, Verdict>();
  for (const line of lines) {
    const numbered = verdictLine.exec(line);
    const bare = numbered === null && notices === 1 ? bareVerdict.exec(line) : null;
    const number = numbered ? Number(numbered[1]) : 1;
    const [word = "", reason = ""] = numbered ? numbered.slice(2) : (bare?.slice(1) ?? []);
    if (word === "" || number < 1 || number > notices || verdicts.has(number - 1)) continue;
    verdicts.set(number - 1, { word: word.toLowerCase() as Verdict["word"], reason: reason.trim() });
  }
  return verdicts;
}

/** The lines of a section without a fence around the whole. */
function unwrap(lines: readonly string[]): string {
  const first = lines.findIndex((line) => line.trim() !== "");
  const last = lines.findLastIndex((line) => line.trim() !== "");
  const opening = /^(`{3,}|~{3,})(?:markdown|md|mdx|rst|text)?\s*$/.exec(lines[first] ?? "");
  const isWrapped = opening && last > first && lines[last]!.trim() === opening[1];
  const inside = lines.slice(first + 1, last);
  const nested = isWrapped && inside.filter((line) => line.trim().startsWith(opening[1]!)).length % 2 === 0;
  return (nested ? inside : lines).join("\n");
}
