import { defined } from "../../../text/model/defined.ts";
import type { Argument, CallText, CodeText } from "../read/code-text.ts";
import { kebab } from "../read/names.ts";
import type { OfferedDeclaration } from "../read/symbols.ts";
import type { Thing } from "../thing.ts";
import { createMarked } from "../values/enclosing.ts";
import { bareValue } from "../values/value-text.ts";
import { readChain } from "./command-owners.ts";
import { commandThing, flagThings } from "./flag-things.ts";

/** Where a call states a fact: a position among its arguments without a name, or the name of one. */
type ArgumentPlace = number | string;

type CallFact = "names" | "value" | "description" | "choices" | "variable" | "type" | "hidden" | "negatable";

/** How a library declares a flag or a command by a call, an annotation or a literal of a type. */
export type CallForm = {
  readonly declares: "flag" | "command";
  /** The head of the call, with its bracket. The first group may be the name of the field that holds the flag. */
  readonly head: RegExp;
  readonly facts: Readonly<Partial<Record<CallFact, readonly ArgumentPlace[]>>>;
  /** Calls that are chained behind it. */
  readonly links?: Readonly<Record<string, CallFact>>;
  /** The call marks a declaration, whose value is the default and whose name is the flag if the call writes none. */
  readonly marks?: true;
  /** Whether names begin with dashes. Where both may be, others are arguments. */
  readonly dashed?: boolean;
};

export type OwnerAt = (at: number) => readonly string[];

const NO_OWNER: OwnerAt = () => [];

/** The flags, commands and variables that the calls of a file declare. */
export function readForms(
  code: CodeText,
  forms: readonly CallForm[],
  { ownerAt = NO_OWNER, offered = [] }: { ownerAt?: OwnerAt; offered?: readonly OfferedDeclaration[] } = {},
): Thing[] {
  const markedAt = createMarked(offered);
  return forms.flatMap((form) =>
    [...code.calls(form.head)].flatMap((call) => {
      const marked = form.marks ? markedAt(call.start)?.declaration : undefined;
      return readForm(code, call, { form, owner: ownerAt(call.start), marked });
    }),
  );
}

type FormContext = {
  readonly form: CallForm;
  readonly owner: readonly string[];
  readonly marked: OfferedDeclaration["declaration"] | undefined;
};

function readForm(code: CodeText, call: CallText, { form, owner, marked }: FormContext): Thing[] {
  const { facts, end } = gatherFacts(code, call, form);
  const strings = (fact: CallFact): string[] =>
    (facts.get(fact) ?? []).flatMap((each) => stringsOf(code, each));
  const description = strings("description").join(" ");
  const isHidden = (facts.get("hidden") ?? []).some(({ text }) => text !== "false");
  const place = { at: call.start, end, owner, description, hidden: isHidden };
  const spelled = strings("names")
    .flatMap((name) => name.split(/(?<!\s)\s*[,|/]\s*|\s+[<[].*$/).filter(Boolean))
    .filter((name) => form.dashed === undefined || name.startsWith("-") === form.dashed);
  if (form.declares === "command") return spelled.flatMap((name) => commandThing(code, { ...place, name }));
  const field = call.match[1] ?? marked?.name;
  const names =
    isNamed(spelled) || !field || (!form.marks && !call.match[1])
      ? spelled
      : [`--${kebab(field)}`, ...spelled];
  const negatable = (facts.get("negatable") ?? []).some(({ text }) => text !== "false");
  const written = facts.get("value")?.at(-1)?.text ?? marked?.value;
  const value = written === undefined ? undefined : bareValue(written.replace(CLOSURE, ""));
  return [
    ...flagThings(code, {
      ...place,
      names: negatable ? names.flatMap(withNegation) : names,
      value,
      type: facts.get("type")?.[0]?.text,
      choices: strings("choices"),
    }),
    ...strings("variable").map((name) =>
      code.thing({ kind: "environment", name, at: call.start, ...defined({ value }) }),
    ),
  ];
}

/** Whether a flag has a name of more than one letter. */
function isNamed(names: readonly string[]): boolean {
  return names.some((name) => name.replace(/^-+/, "").length > 1);
}

/** `() => 80`, `_ => 80`, `|| 80`. */
const CLOSURE = /^(?:\(\)|_|\w+)\s*=>\s*|^\|\w*\|\s*/;

/** `--color` and `--no-color`. */
export function withNegation(name: string): string[] {
  const bare = name.replace(/^--/, "");
  return bare.length < 2 || bare.startsWith("-") || bare.startsWith("no-") ? [name] : [name, `--no-${bare}`];
}

function gatherFacts(
  code: CodeText,
  call: CallText,
  { facts: places, links = {} }: CallForm,
): { readonly facts: ReadonlyMap<CallFact, readonly Argument[]>; readonly end: number } {
  const facts = new Map<CallFact, Argument[]>();
  const add = (fact: CallFact, found: readonly Argument[]) =>
    facts.set(fact, [...(facts.get(fact) ?? []), ...found]);
  // An object initialiser of C# gives more of the same.
  const open = /^\s*\{/.exec(code.code.slice(call.end, call.end + 40));
  const more = open && code.family === "c#" ? code.readGroup(call.end + open[0].length - 1) : undefined;
  const args = [...call.arguments, ...(more?.arguments ?? [])];
  const plain = args.filter(({ name }) => name === undefined);
  for (const [fact, where] of Object.entries(places) as [CallFact, readonly ArgumentPlace[]][])
    add(
      fact,
      where.flatMap((place) =>
        typeof place === "number" ? (plain[place] ?? []) : args.filter(({ name }) => name === place),
      ),
    );
  const chain = readChain(code, more?.end ?? call.end);
  for (const { name, arguments: given } of chain.links)
    if (Object.hasOwn(links, name)) add(links[name]!, given.length > 0 ? given : [EMPTY]);
  return { facts, end: chain.end };
}

/** A link without arguments: `.hideHelp()`. */
const EMPTY: Argument = { start: 0, end: 0, valueStart: 0, text: "" };

/** The strings of an argument: one literal, a letter, or a list of them. */
export function stringsOf(code: CodeText, argument: Argument): string[] {
  if (argument.string !== undefined) return [argument.string];
  if (/^'.'$/.test(argument.text)) return [argument.text.slice(1, -1)];
  const open = code.code.slice(argument.valueStart, argument.end).search(/[[({](?!\s*[\])}])/);
  const group = open < 0 ? undefined : code.readGroup(argument.valueStart + open);
  return (group?.arguments ?? []).flatMap(({ string }) => string ?? []);
}
