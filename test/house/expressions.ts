import { isNode, type Source } from "./sources.ts";

/** A regular expression of the product, and the first place where it stands. */
export type Expression = { readonly place: string; readonly source: string; readonly flags: string };

/** Every regular expression that the sources write as one, each once. */
export function findExpressions(sources: readonly Source[]): Expression[] {
  const found = new Map<string, Expression>();
  for (const { path, nodes, lineAt } of sources)
    for (const { type, regex, start } of nodes) {
      if (type !== "Literal" || !isPattern(regex)) continue;
      const key = `${regex.pattern}/${regex.flags}`;
      if (!found.has(key))
        found.set(key, { place: `${path}:${lineAt(start)}`, source: regex.pattern, flags: regex.flags });
    }
  return [...found.values()];
}

function isPattern(value: unknown): value is { readonly pattern: string; readonly flags: string } {
  return typeof value === "object" && value !== null && !isNode(value) && "pattern" in value;
}

/** A part of an expression, as far as it says which texts to try. */
type Part =
  | { readonly is: "set"; readonly members: readonly string[] }
  | { readonly is: "sequence"; readonly parts: readonly Part[] }
  | { readonly is: "choice"; readonly arms: readonly Part[] }
  | { readonly is: "repeat"; readonly part: Part; readonly least: number; readonly most: number }
  | { readonly is: "nothing" };

const nothing: Part = { is: "nothing" };

/** One or more characters for each sort that expressions tell apart. */
const alphabet = [..." \t\na0A_-.*#|`\"'([{<>=/:,\\+~!@$%&;)]}?^é\u0000"];

/** Reads an expression into its parts. Lookarounds, anchors and references stand for nothing. */
class PatternReader {
  readonly #source: string;
  readonly #flags: string;
  #at = 0;

  constructor(source: string, flags: string) {
    this.#source = source;
    this.#flags = flags.replace(/[gyd]/g, "");
  }

  read(): Part {
    const arms = [this.#readSequence()];
    while (this.#take("|")) arms.push(this.#readSequence());
    return arms.length === 1 ? arms[0]! : { is: "choice", arms };
  }

  #readSequence(): Part {
    const parts: Part[] = [];
    while (this.#at < this.#source.length && !/[|)]/.test(this.#source[this.#at]!))
      parts.push(this.#readItem());
    return { is: "sequence", parts };
  }

  #readItem(): Part {
    const part = this.#readAtom();
    const rest = this.#source.slice(this.#at);
    const [all, braces] = /^(?:[*+?]|\{(\d+(?:,\d*)?)\})\??/.exec(rest) ?? [];
    if (all === undefined) return part;
    this.#at += all.length;
    const [least, most] = limits(all, braces);
    return { is: "repeat", part, least, most };
  }

  #readAtom(): Part {
    const group = /^\((?:\?(?::|<[^=!>]+>|[a-z-]+:|(<?[=!])))?/.exec(this.#source.slice(this.#at));
    if (group) {
      this.#at += group[0].length;
      const inner = this.read();
      this.#take(")");
      return group[1] === undefined ? inner : nothing;
    }
    const start = this.#at;
    if (this.#source[start] === "[") this.#at = endOfClass(this.#source, start);
    else if (this.#source[start] === "\\")
      this.#at += /^\\(?:u\{[^}]*\}|u[\da-f]{4}|x[\da-f]{2}|[pP]\{[^}]*\}|k<[^>]*>|c[A-Z]|.)/is.exec(
        this.#source.slice(start),
      )![0].length;
    else this.#at++;
    const atom = this.#source.slice(start, this.#at);
    return /^(?:[\^$]|\\[bB1-9]|\\k.*)$/s.test(atom) ? nothing : this.#setOf(atom);
  }

  #setOf(atom: string): Part {
    const shape = new RegExp(`^${atom}$`, `${this.#flags.replace("m", "")}`);
    const literal = atom.length === 1 ? [atom] : /^\\[^\w\s]$/.test(atom) ? [atom.slice(1)] : [];
    const named = Array.from(atom.matchAll(/[^\\[\]^]/gu), ([character]) => character);
    const members = [...new Set([...literal, ...alphabet, ...named])].filter((character) =>
      shape.test(character),
    );
    return { is: "set", members };
  }

  #take(character: string): boolean {
    if (this.#source[this.#at] !== character) return false;
    this.#at++;
    return true;
  }
}

function limits(all: string, braces: string | undefined): [number, number] {
  if (braces === undefined)
    return all[0] === "?" ? [0, 1] : [all[0] === "+" ? 1 : 0, Number.POSITIVE_INFINITY];
  const [least, most] = braces.split(",");
  return [
    Number(least),
    most === undefined ? Number(least) : most === "" ? Number.POSITIVE_INFINITY : Number(most),
  ];
}

function endOfClass(source: string, start: number): number {
  let depth = 0;
  for (let at = start; at < source.length; at++) {
    if (source[at] === "\\") at++;
    else if (source[at] === "[" && (depth === 0 || source[at + 1] === ":")) depth++;
    else if (source[at] === "]") return at + 1;
  }
  return source.length;
}

/** A short text that a part matches. `pick` says which member of a set, and which arm of a choice. */
function sample(part: Part, pick: number): string {
  if (part.is === "set") return part.members[pick % Math.max(1, part.members.length)] ?? "";
  if (part.is === "sequence") return part.parts.map((each) => sample(each, pick)).join("");
  if (part.is === "choice") return sample(part.arms[pick % part.arms.length]!, pick);
  // In every second text a repeat has as much as may be cut in several ways.
  if (part.is === "repeat")
    return sample(part.part, pick).repeat(Math.min(part.least + 2 * ((pick >> 1) % 2), part.most, 8));
  return "";
}

/** The parts of an expression that repeat without a close bound, each with a text that leads to it. */
function* findRepeats(part: Part, lead: string): Generator<{ readonly lead: string; readonly part: Part }> {
  if (part.is === "choice") for (const arm of part.arms) yield* findRepeats(arm, lead);
  if (part.is === "sequence") {
    let before = lead;
    for (const each of part.parts) {
      yield* findRepeats(each, before);
      before += sample(each, 0);
    }
  }
  if (part.is === "repeat") {
    yield* findRepeats(part.part, lead);
    if (part.most >= 50) yield { lead, part: part.part };
  }
}

/** The texts of which many in a row may make an expression slow, and what stands before them. */
export function findPumps({ source, flags }: Expression): { readonly lead: string; readonly pump: string }[] {
  const found = new Map<string, { lead: string; pump: string }>();
  const add = (lead: string, pump: string): void => {
    if (pump !== "") found.set(`${lead}\n\n${pump}`, { lead, pump });
  };
  for (const { lead, part } of findRepeats(new PatternReader(source, flags).read(), "")) {
    const picks = part.is === "set" ? Math.min(part.members.length, 3) : 4;
    for (let pick = 0; pick < picks; pick++) add(lead, sample(part, pick));
    for (let pick = 0; pick < 2; pick++) add("", `${lead}${sample(part, pick)}`);
    for (const character of [" ", "a", "-", "."]) if (accepts(part, character)) add(lead, character);
    add("", lead);
  }
  return [...found.values()];
}

function accepts(part: Part, character: string): boolean {
  return part.is === "set" && part.members.includes(character);
}

/** Long enough that an exponential expression stands out, and short enough that it still comes back. */
const repeats = [6, 12, 20, 30];

/** A text on which an expression takes exponential work; `null` if none was found. `limit`: CPU time in microseconds. */
export function findExponential(expression: Expression, limit: number): string | null {
  const shape = new RegExp(expression.source, expression.flags);
  for (const { lead, pump } of findPumps(expression))
    for (const times of repeats)
      if (isSlow(shape, `${lead}${pump.repeat(times)}\u0000`, limit))
        return `${JSON.stringify(lead)} + ${JSON.stringify(pump)}…`;
  return null;
}

/** Another process may have cost the first time. */
function isSlow(shape: RegExp, text: string, limit: number): boolean {
  return [0, 1, 2].every(() => cost(shape, text) > limit);
}

/** The CPU time of a search through a text, in microseconds. */
function cost(shape: RegExp, text: string): number {
  const start = process.cpuUsage();
  shape.lastIndex = 0;
  text.replace(shape, "");
  const { user, system } = process.cpuUsage(start);
  return user + system;
}

/** The CPU time of an expression that is exponential in the smallest way, on the longest of our texts. */
export function exponentialCost(): number {
  const longest = 20;
  const costs = Array.from({ length: 5 }, () => cost(/^(?:a|a)*$/, `${"a".repeat(longest)}b`));
  return Math.min(...costs) / 8;
}
