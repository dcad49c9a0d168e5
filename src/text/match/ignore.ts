/** The rules of one `.gitignore`, in order. The last rule that matches a path decides. */
export type IgnoreRules = readonly IgnoreRule[];

type IgnoreRule = {
  /** Segments of the pattern; `**` matches any number of names. */
  readonly segments: readonly string[];
  readonly negated: boolean;
  readonly onlyDirectories: boolean;
};

/** Parses a `.gitignore`. A pattern without an inner slash matches names at any depth. */
export function parseIgnore(text: string): IgnoreRules {
  return text.split(/\r?\n/).flatMap((line) => parseRule(line) ?? []);
}

function parseRule(line: string): IgnoreRule | null {
  let pattern = trimEnd(line);
  if (pattern === "" || pattern.startsWith("#")) return null;
  const negated = pattern.startsWith("!");
  if (negated) pattern = pattern.slice(1);
  const onlyDirectories = pattern.endsWith("/");
  if (onlyDirectories) pattern = pattern.slice(0, -1);
  const anchored = pattern.includes("/");
  const segments = pattern.split("/").filter((segment) => segment !== "");
  if (segments.length === 0) return null;
  return { segments: anchored ? segments : ["**", ...segments], negated, onlyDirectories };
}

/** Removes trailing spaces, unless the last one is escaped. */
function trimEnd(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === " " && line[end - 2] !== "\\") end--;
  return line.slice(0, end);
}

/** Whether the rules of one directory exclude a path below it, include it again, or (`null`) do not match it. */
export function judge(rules: IgnoreRules, names: readonly string[], isDirectory: boolean): boolean | null {
  let verdict: boolean | null = null;
  for (const { segments, negated, onlyDirectories } of rules)
    if ((!onlyDirectories || isDirectory) && matches(segments, names)) verdict = !negated;
  return verdict;
}

/** Matches segments and names in step. `**` takes no name at first, and one more whenever the rest does not match. */
function matches(segments: readonly string[], names: readonly string[]): boolean {
  let segment = 0;
  let name = 0;
  let star = -1;
  let starName = 0;
  while (name < names.length) {
    if (segments[segment] === "**") {
      star = segment++;
      starName = name;
    } else if (segment < segments.length && matchesName(segments[segment]!, names[name]!)) {
      segment++;
      name++;
    } else if (star >= 0) {
      segment = star + 1;
      name = ++starName;
    } else return false;
  }
  return segment === segments.length;
}

function matchesName(pattern: string, name: string): boolean {
  let p = 0;
  let n = 0;
  let star = -1;
  let starName = 0;
  while (n < name.length) {
    const step = p < pattern.length ? matchAt(pattern, p, name.charAt(n)) : 0;
    if (step > 0) {
      p += step;
      n++;
    } else if (pattern[p] === "*") {
      star = p++;
      starName = n;
    } else if (star >= 0) {
      p = star + 1;
      n = ++starName;
    } else return false;
  }
  while (pattern[p] === "*") p++;
  return p === pattern.length;
}

/** How many characters of the pattern one character matches; 0 if it does not match. */
function matchAt(pattern: string, at: number, character: string): number {
  const first = pattern.charAt(at);
  if (first === "*") return 0;
  if (first === "?") return 1;
  if (first === "\\" && at + 1 < pattern.length) return pattern[at + 1] === character ? 2 : 0;
  if (first === "[") {
    const close = pattern.indexOf("]", at + 2);
    if (close > 0) return inSet(pattern.slice(at + 1, close), character) ? close + 1 - at : 0;
  }
  return first === character ? 1 : 0;
}

function inSet(set: string, character: string): boolean {
  const negated = set.startsWith("!") || set.startsWith("^");
  const members = negated ? set.slice(1) : set;
  let found = false;
  for (let i = 0; i < members.length; i++) {
    const isRange = members[i + 1] === "-" && i + 2 < members.length;
    if (isRange ? members[i]! <= character && character <= members[i + 2]! : members[i] === character)
      found = true;
    if (isRange) i += 2;
  }
  return found !== negated;
}
