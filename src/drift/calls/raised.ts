import type { State } from "../state/state.ts";

/** The errors that the code of a declaration raises itself, or says that it throws. */
export function raisedIn(code: string): ReadonlySet<string> {
  return new Set(
    Array.from(code.matchAll(/\b(?:raise|throws?)\s+(?:new\s+)?([\w.\\:]+(?:\s*,\s*[\w.]+)*)/g)).flatMap(
      ([, names]) => names!.split(",").map((name) => lastName(name.trim())),
    ),
  );
}

type RaisedSets = { readonly was: ReadonlySet<string>; readonly is: ReadonlySet<string> };

/** The error that a declaration raises in place of another one. */
export function raisedInstead(name: string, { was, is }: RaisedSets): string | undefined {
  const gone = [...was].filter((one) => !is.has(one));
  const fresh = [...is].filter((one) => !was.has(one));
  // A declaration that became abstract leaves its errors to others.
  if (fresh.some((one) => /^(?:NotImplemented|Unimplemented)/.test(one))) return undefined;
  if (gone.length !== 1 || fresh.length !== 1 || gone[0] !== lastName(name)) return undefined;
  return name === `\\${gone[0]}` ? `\\${fresh[0]}` : fresh[0];
}

export function lastName(path: string): string {
  return path.split(/[.\\:]+/).at(-1)!;
}

/** Errors from which so many others descend that a new name may be one of them. */
const BROAD = /^(?:\w*Exception|Error|(?:OS|IO|Lookup|Runtime|Arithmetic|Value|Type|Standard)Error)$/;

/** Errors of the standard libraries that have others below them, those of one line below the first of it. */
const FAMILIES = [
  "Exception LookupError ValueError TypeError OSError ArithmeticError RuntimeError AttributeError NameError AssertionError",
  "LookupError IndexError KeyError",
  "ValueError UnicodeError JSONDecodeError",
  "OSError FileNotFoundError FileExistsError PermissionError TimeoutError ConnectionError NotADirectoryError IsADirectoryError",
  "ArithmeticError ZeroDivisionError OverflowError FloatingPointError",
  "RuntimeError NotImplementedError RecursionError FrozenError",
  "StandardError ArgumentError IndexError IOError NameError RangeError RuntimeError TypeError ZeroDivisionError",
  "NameError NoMethodError UnboundLocalError",
  "Error TypeError RangeError SyntaxError ReferenceError EvalError URIError AggregateError",
  "Exception RuntimeException IOException LogicException SystemException ArgumentException InvalidOperationException",
  "Exception FormatException TimeoutException NotSupportedException NotImplementedException KeyNotFoundException",
  "RuntimeException IllegalArgumentException IllegalStateException IndexOutOfBoundsException UnsupportedOperationException",
  "RuntimeException NullPointerException ArithmeticException ClassCastException NoSuchElementException UncheckedIOException",
  "RuntimeException OutOfBoundsException OverflowException RangeException UnderflowException UnexpectedValueException",
  "IllegalArgumentException NumberFormatException",
  "IOException FileNotFoundException EOFException UnknownHostException DirectoryNotFoundException",
  "LogicException InvalidArgumentException DomainException LengthException OutOfRangeException BadFunctionCallException",
  "ArgumentException ArgumentNullException ArgumentOutOfRangeException",
  "InvalidOperationException ObjectDisposedException",
].map((line) => line.split(" "));

const PARENTS: ReadonlyMap<string, ReadonlySet<string>> = readParents();

function readParents(): ReadonlyMap<string, ReadonlySet<string>> {
  const parents = new Map<string, Set<string>>();
  for (const [parent, ...children] of FAMILIES)
    for (const child of children) parents.set(child, (parents.get(child) ?? new Set()).add(parent!));
  return parents;
}

/** Whether an error is a kind of another one, by the types of the project; also where nothing is known of it. */
export async function isKindOf(name: string, wide: string, state: State): Promise<boolean> {
  const above = lastName(wide);
  let at = lastName(name);
  for (let turn = 0; turn < 4; turn++) {
    if (PARENTS.has(at) && PARENTS.has(above)) return isBelow(at, above);
    const { things } = await state.things(at);
    const text = things.find(({ declaration }) => declaration?.includes(at))?.declaration;
    if (text === undefined) return BROAD.test(above);
    if (new RegExp(`\\b${above}\\b`).test(text.replace(at, ""))) return true;
    const base = /(?:\(|extends\s+|:\s*|<\s*)([\w.:\\]+)/.exec(text.slice(text.indexOf(at) + at.length))?.[1];
    if (base === undefined) return false;
    at = lastName(base);
  }
  return true;
}

function isBelow(name: string, above: string): boolean {
  return name === above || [...(PARENTS.get(name) ?? [])].some((parent) => isBelow(parent, above));
}
