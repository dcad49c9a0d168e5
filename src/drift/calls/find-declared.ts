import { isProduct, type State } from "../state/state.ts";
import type { Thing } from "../surface/thing.ts";
import { familyOf } from "./page-samples.ts";

const known = new WeakMap<State, Map<string, Promise<readonly Thing[] | null>>>();

/**
 * The symbols and members of a name that product files of a language family declare; null where too many files may
 * declare it. Files that only use the name are not parsed; of an owner, only files that hold its name too.
 */
export function findDeclared(
  name: string,
  { family, state, owner }: FamilyState & { readonly owner?: string | undefined },
): Promise<readonly Thing[] | null> {
  const answers = known.get(state) ?? new Map<string, Promise<readonly Thing[] | null>>();
  known.set(state, answers);
  const key = `${family}\0${name}\0${owner ?? ""}`;
  const answer = answers.get(key) ?? search(name, { family, state, owner });
  answers.set(key, answer);
  return answer;
}

const FEW_FILES = 20;
const MOST_FILES = 60;

async function search(
  name: string,
  { family, state, owner = name }: FamilyState & { readonly owner?: string | undefined },
): Promise<readonly Thing[] | null> {
  const words = [...new Set([name, owner])];
  const holders = await state.holders(words);
  const besides = new Set(holders.get(owner));
  const files = (holders.get(name) ?? []).filter(
    (path) => besides.has(path) && familyOf(path) === family && isProduct(path),
  );
  // A method of Go names its owner in parentheses.
  const declared = family === "go" ? [name] : words;
  const declares = files.length > FEW_FILES ? declared.map(declarationOf) : [];
  const things: Thing[] = [];
  let parsed = 0;
  for (const path of files) {
    const text = declares.length > 0 ? ((await state.text(path)) ?? "") : "";
    if (!declares.every((one) => one.test(text))) continue;
    if (++parsed > MOST_FILES) return null;
    for (const thing of await state.surface(path))
      if (thing.name === name && (thing.kind === "symbol" || thing.kind === "member")) things.push(thing);
  }
  return things.filter(({ exported }) => exported !== "no");
}

/**
 * A line where the name may be declared: words may stand before it, a sign that opens a declaration behind it. What stands
 * behind a dot is declared where a word stands before the path, `fun Kiln.fire(`, or where it is given a value.
 */
function declarationOf(name: string): RegExp {
  const own = String.raw`\b${name.replace(/\W/g, String.raw`\$&`)}\b`;
  const lead = String.raw`^[ \t]*(?:(?!(?:${STATEMENT})\b)[^\s=(){};"']+[ \t]+)*(?:func[ \t]*\([^()\n]*\)[ \t]*)?`;
  const plain = String.raw`(?:[$*&@"']*|(?<=\S[ \t]+)[$*&@:"'\w.]*?)${own}["']?\s*(?:[=:(<?{[,;!]|$|\s)`;
  return new RegExp(String.raw`${lead}(?:${plain}|[\w$.:]*${own}\s*=)`, "mu");
}

const STATEMENT = "return|await|throw|yield|raise|new|go|defer|else|assert";

/** A language family in a state of the project. */
export type FamilyState = { readonly family: string; readonly state: State };
