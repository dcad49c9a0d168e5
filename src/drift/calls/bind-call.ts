import type { Fragment, Made, SampleCall } from "../../syntax/source/fragment.ts";
import type { ImportedName } from "../../syntax/source/imports.ts";
import { isDistinct } from "../change/names.ts";
import type { State } from "../state/state.ts";
import type { Thing } from "../surface/thing.ts";
import { comesFrom } from "./origin.ts";
import { type CodeSample, familyOf } from "./page-samples.ts";

/**
 * How a call names its function: through an import of the project, through a type or a package of the project, or by the
 * only name of its kind.
 */
export type BoundBy = "import" | "owner" | "name";

/** The declarations of the one function that a call names: its overloads. */
export type BoundCall = { readonly things: readonly Thing[]; readonly by: BoundBy };

const DEEPEST_CHAIN = 8;

/** The function that a call of a sample names; null where it is another project's, the sample's own, or one of several. */
export async function bindCall(
  call: SampleCall,
  sample: CodeSample,
  state: State,
): Promise<BoundCall | null> {
  return new CallBinder(sample, state).bind(call, sample.fragment, 0);
}

class CallBinder {
  readonly #sample: CodeSample;
  readonly #state: State;

  constructor(sample: CodeSample, state: State) {
    this.#sample = sample;
    this.#state = state;
  }

  async bind(call: SampleCall, fragment: Fragment, depth: number): Promise<BoundCall | null> {
    const { callee } = call;
    const [root, name] = [callee[0]!, callee.at(-1)!];
    if (depth > DEEPEST_CHAIN || /^(?:self|this|super)$/.test(root)) return null;
    if (root === "()") {
      if (call.on === undefined || callee.length !== 2) return null;
      const made = await this.#typesMade(fragment.calls[call.on]!, fragment, depth);
      return made && this.#member(name, made.types, made.by);
    }
    if (fragment.declared.has(root)) return null;
    const variable = callee.length === 2 ? this.#sample.variables.get(root) : undefined;
    if (variable) return this.#onVariable(name, variable, depth);
    const imported = this.#imported(callee);
    if (imported) return this.#fromModule(callee, imported);
    return this.#byName(callee);
  }

  async #onVariable(
    name: string,
    { made, fragment }: { readonly made: Made; readonly fragment: Fragment },
    depth: number,
  ): Promise<BoundCall | null> {
    if (made.type !== undefined) return this.#member(name, typeNames(made.type), "owner");
    const maker = await this.#typesMade(fragment.calls[made.call!]!, fragment, depth);
    return maker && this.#member(name, maker.types, maker.by);
  }

  /** The types that the result of a call may have. A type without a constructor of its own is made by its name. */
  async #typesMade(
    call: SampleCall,
    fragment: Fragment,
    depth: number,
  ): Promise<{ readonly types: readonly string[]; readonly by: BoundBy } | null> {
    const maker = await this.bind(call, fragment, depth + 1);
    if (maker) return { types: typesOf(maker.things), by: maker.by };
    const name = call.callee.at(-1)!;
    if (call.callee.length > 1 || !/^[A-Z]/.test(name) || fragment.declared.has(name)) return null;
    const { things } = await this.#state.things(name);
    const { family } = this.#sample;
    const types = things.filter((thing) => thing.kind === "symbol" && familyOf(thing.path) === family);
    const imported = this.#imported(call.callee);
    const [type] = types;
    if (!type || new Set(types.map(({ id }) => id)).size > 1) return null;
    if (!imported) return { types: [name], by: "owner" };
    const { module } = imported;
    const isOwn = await comesFrom(type, { module, family, state: this.#state });
    return isOwn ? { types: [name], by: "import" } : null;
  }

  async #member(name: string, types: readonly string[], by: BoundBy): Promise<BoundCall | null> {
    if (types.length === 0) return null;
    const found = await this.#candidates(name);
    return onlyOne(
      found.filter(({ owner }) => owner.length > 0 && types.includes(owner.at(-1)!)),
      by,
    );
  }

  #imported(callee: readonly string[]): ImportedName | undefined {
    const path = callee.join(".");
    return this.#sample.imports.find(
      ({ local }) => local === callee[0] || (local.includes(".") && path.startsWith(`${local}.`)),
    );
  }

  async #fromModule(callee: readonly string[], imported: ImportedName): Promise<BoundCall | null> {
    const { local, name, module } = imported;
    const rest = callee.slice(local.split(".").length);
    const owners = name === "*" || name === "default" ? rest.slice(0, -1) : [name, ...rest].slice(0, -1);
    const sought = rest.at(-1) ?? (name === "default" ? local : name);
    const found = await this.#candidates(sought);
    const { family } = this.#sample;
    const own: Thing[] = [];
    for (const thing of found) {
      const submodule = rest.length === 1 && thing.owner.length === 0 && name !== "*" && family === "python";
      const isOwner = isSuffix(thing.owner, owners);
      if (!isOwner && !submodule) continue;
      const from = isOwner ? module : `${module}.${name}`;
      if (await comesFrom(thing, { module: from, family, state: this.#state })) own.push(thing);
    }
    return onlyOne(own, "import");
  }

  async #byName(callee: readonly string[]): Promise<BoundCall | null> {
    const { family, imports, isWhole } = this.#sample;
    const [name, owner] = [callee.at(-1)!, callee.at(-2)];
    const found = await this.#candidates(name);
    const named =
      owner === undefined
        ? found.filter((thing) => thing.owner.length === 0)
        : found.filter(
            (thing) => thing.owner.at(-1) === owner || (thing.owner.length === 0 && isIn(thing, owner)),
          );
    const wide = imports.filter(({ local }) => local === "*");
    for (const { module } of wide)
      for (const thing of named)
        if (await comesFrom(thing, { module, family, state: this.#state })) return onlyOne(named, "import");
    // A sample that has its imports uses nothing else of other modules.
    if (isWhole && /^(?:javascript|python)$/.test(family)) return null;
    if (owner !== undefined) return onlyOne(named, "owner");
    return found.length === named.length && isDistinct(name) ? onlyOne(named, "name") : null;
  }

  /** What the project offers under a name, in the language of the sample, that can be called. */
  async #candidates(name: string): Promise<readonly Thing[]> {
    const { things, unread } = await this.#state.things(name);
    if (unread.length > 0) return [];
    return things.filter(
      (thing) =>
        (thing.kind === "symbol" || thing.kind === "member") &&
        thing.parameters !== undefined &&
        thing.exported !== "no" &&
        thing.name === name &&
        familyOf(thing.path) === this.#sample.family,
    );
  }
}

/** The overloads of one function; null where the things are different functions. */
function onlyOne(things: readonly Thing[], by: BoundBy): BoundCall | null {
  const ids = new Set(things.map(({ id }) => id));
  return ids.size === 1 ? { things, by } : null;
}

function isSuffix(all: readonly string[], end: readonly string[]): boolean {
  if (end.length === 0) return all.length === 0;
  return end.length <= all.length && end.every((name, at) => all[all.length - end.length + at] === name);
}

/** Whether a file belongs to a package or a module of that name. */
function isIn({ path }: Thing, name: string): boolean {
  const parts = path.replace(/\.\w+$/, "").split("/");
  return parts.at(-1) === name || parts.at(-2) === name;
}

/** The types that the result of a function may have: the type itself for a constructor. */
function typesOf(things: readonly Thing[]): string[] {
  const [thing] = things;
  if (!thing) return [];
  if (/^[^(]*\b(?:class|struct|record|object)\b/.test(thing.declaration ?? "")) return [thing.name];
  const owner = thing.owner.at(-1);
  return typeNames(thing.type ?? "").flatMap((name) =>
    /^(?:Self|self|this)$/.test(name) ? (owner ?? []) : name,
  );
}

const WRAPPERS =
  /^(?:Promise|Awaitable|Coroutine|Task|ValueTask|Option|Optional|Result|Box|Arc|Rc|Pin|impl|dyn|mut|const|struct|readonly|typing|Any|None|null|undefined|error|anyhow|io)$/;

/** The first type that a written type names, without what wraps it. */
function typeNames(type: string): string[] {
  const [first] = type.split(",");
  const names = (first?.match(/[\p{L}_][\w]*/gu) ?? []).filter((name) => !WRAPPERS.test(name));
  return names.length === 0 ? [] : [names.at(/\./.test(first!) ? -1 : 0)!];
}
