import type { Fragment, Made, SampleCall } from "../../syntax/source/fragment.ts";
import type { ImportedName } from "../../syntax/source/imports.ts";
import type { BoundBy } from "../binding/bound-by.ts";
import { isDistinct } from "../change/names.ts";
import type { State } from "../state/state.ts";
import type { Thing } from "../surface/thing.ts";
import { asCallable, findDeclared, lineageOf } from "./declared.ts";
import { comesFrom, isOwnModule, packageFolder } from "./origin.ts";
import type { CodeSample } from "./page-samples.ts";
import { entryOf, pythonFile, resolveName } from "./resolve.ts";

/**
 * How a call names its function: through an import of the project, through a type or a package of the project, or by the
 * only name of its kind.
 */
export type CalledBy = Extract<BoundBy, "import" | "qualified" | "shape">;

/** The declarations of the one function that a call names: its overloads. None, with the reason, where it is not known. */
export type BoundCall =
  | { readonly is: "bound"; readonly things: readonly [Thing, ...Thing[]]; readonly by: CalledBy }
  | { readonly is: "unbound"; readonly why: UnboundBy };

/** Why it is not known which function a call names. */
export type UnboundBy =
  | "foreign"
  | "the sample declares it"
  | "unknown receiver"
  | "no such member of the type"
  | "not in the module"
  | "several functions"
  | "too many files"
  | "no function of that name";

const DEEPEST_CHAIN = 8;

/** The function that a call of a sample names. */
export async function bindCall(call: SampleCall, sample: CodeSample, state: State): Promise<BoundCall> {
  return new CallBinder(sample, state).bind(call, sample.fragment, 0);
}

class CallBinder {
  readonly #sample: CodeSample;
  readonly #state: State;

  constructor(sample: CodeSample, state: State) {
    this.#sample = sample;
    this.#state = state;
  }

  async bind(call: SampleCall, fragment: Fragment, depth: number): Promise<BoundCall> {
    const { callee } = call;
    const [root, name] = [callee[0]!, callee.at(-1)!];
    if (depth > DEEPEST_CHAIN || /^(?:self|this|super)$/.test(root)) return unbound("unknown receiver");
    if (root === "()") {
      if (call.on === undefined || callee.length !== 2) return unbound("unknown receiver");
      return this.#member(name, await this.#typesMade(fragment.calls[call.on]!, fragment, depth));
    }
    if (fragment.declared.has(root)) return unbound("the sample declares it");
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
  ): Promise<BoundCall> {
    if (made.type !== undefined) return this.#member(name, { types: typeNames(made.type), by: "qualified" });
    return this.#member(name, await this.#typesMade(fragment.calls[made.call!]!, fragment, depth));
  }

  /** The types that the result of a call may have. A type without a constructor of its own is made by its name. */
  async #typesMade(call: SampleCall, fragment: Fragment, depth: number): Promise<MadeTypes | null> {
    const maker = await this.bind(call, fragment, depth + 1);
    if (maker.is === "bound")
      return { types: typesOf(maker.things), by: maker.by, near: maker.things[0].path };
    const name = call.callee.at(-1)!;
    if (call.callee.length > 1 || !/^[A-Z]/.test(name) || fragment.declared.has(name)) return null;
    const types = ((await this.#declared(name)) ?? []).filter(({ kind }) => kind === "symbol");
    const imported = this.#imported(call.callee);
    const [type] = types;
    if (!type || new Set(types.map(({ id }) => id)).size > 1) return null;
    if (!imported) return { types: [name], by: "qualified" };
    const { module } = imported;
    const isOwn = await comesFrom(type, { module, family: this.#sample.family, state: this.#state });
    return isOwn ? { types: [name], by: "import" } : null;
  }

  async #member(name: string, made: MadeTypes | null): Promise<BoundCall> {
    if (!made || made.types.length === 0) return unbound("unknown receiver");
    const found = await this.#candidates(name);
    if (found === null) return unbound("too many files");
    const [type] = made.types;
    const { family } = this.#sample;
    const { types } = await lineageOf(type!, {
      family,
      state: this.#state,
      ...(made.near && { near: made.near }),
    });
    // A type that inherits has the member of its nearest ancestor.
    for (const { name: owner, path } of types) {
      const members = found.filter(
        (one) => one.owner.at(-1) === owner && (!FILES_ARE_MODULES.test(family) || one.path === path),
      );
      if (members.length > 0) return onlyOne(members, made.by, "no such member of the type");
    }
    return unbound("no such member of the type");
  }

  #imported(callee: readonly string[]): ImportedName | undefined {
    const path = callee.join(".");
    return this.#sample.imports.find(
      ({ local }) => local === callee[0] || (local.includes(".") && path.startsWith(`${local}.`)),
    );
  }

  async #fromModule(callee: readonly string[], imported: ImportedName): Promise<BoundCall> {
    const { local, name, module } = imported;
    if (!(await isOwnModule(module, { family: this.#sample.family, state: this.#state })))
      return unbound("foreign");
    const rest = callee.slice(local.split(".").length);
    const owners = name === "*" || name === "default" ? rest.slice(0, -1) : [name, ...rest].slice(0, -1);
    const sought = rest.at(-1) ?? (name === "default" ? local : name);
    const found = await this.#candidates(sought);
    if (found === null) return unbound("too many files");
    const { family } = this.#sample;
    const own: Thing[] = [];
    for (const thing of found) {
      const submodule = rest.length === 1 && thing.owner.length === 0 && name !== "*" && family === "python";
      const isOwner = isSuffix(thing.owner, owners);
      if (!isOwner && !submodule) continue;
      const from = isOwner ? module : `${module}.${name}`;
      if (await comesFrom(thing, { module: from, family, state: this.#state })) own.push(thing);
    }
    return this.#oneFile(own, (await this.#fileOf(owners[0] ?? sought, module)) ?? undefined);
  }

  /** Where files are modules, one function is in one file: that which the module passes on, or the only one. */
  #oneFile(things: readonly Thing[], path: string | undefined): BoundCall {
    const here = things.filter((thing) => thing.path === path);
    const chosen = here.length > 0 ? here : things;
    const isApart =
      FILES_ARE_MODULES.test(this.#sample.family) && new Set(chosen.map((one) => one.path)).size > 1;
    return isApart ? unbound("several functions") : onlyOne(chosen, "import", "not in the module");
  }

  async #fileOf(name: string, module: string): Promise<string | null> {
    const { family } = this.#sample;
    if (!FILES_ARE_MODULES.test(family)) return null;
    const entry =
      family === "python"
        ? pythonFile(module, this.#state)
        : entryOf(module, (await packageFolder(module, this.#state)) ?? "", this.#state);
    return entry && resolveName(name, entry, this.#state);
  }

  async #byName(callee: readonly string[]): Promise<BoundCall> {
    const { family, imports, isWhole } = this.#sample;
    const [name, owner] = [callee.at(-1)!, callee.at(-2)];
    const found = await this.#candidates(name);
    if (found === null) return unbound("too many files");
    const named =
      owner === undefined
        ? found.filter((thing) => thing.owner.length === 0)
        : found.filter(
            (thing) => thing.owner.at(-1) === owner || (thing.owner.length === 0 && isIn(thing, owner)),
          );
    const wide = imports.filter(({ local }) => local === "*");
    for (const { module } of wide)
      for (const thing of named)
        if (await comesFrom(thing, { module, family, state: this.#state }))
          return onlyOne(named, "import", NO_NAME);
    // A sample that has its imports uses nothing else of other modules.
    if (isWhole && /^(?:javascript|python)$/.test(family)) return unbound("foreign");
    if (owner !== undefined) return onlyOne(named, "qualified", NO_NAME);
    const isOnly = found.length === named.length && isDistinct(name);
    return isOnly ? onlyOne(named, "shape", NO_NAME) : unbound(NO_NAME);
  }

  /** What the project offers under a name, in the language of the sample, that can be called; null for an everyday word. */
  async #candidates(name: string): Promise<readonly Thing[] | null> {
    const found = await this.#declared(name);
    const callable = await Promise.all((found ?? []).map((thing) => asCallable(thing, this.#state)));
    return found && callable.filter((thing) => thing !== null);
  }

  #declared(name: string): Promise<readonly Thing[] | null> {
    return findDeclared(name, { family: this.#sample.family, state: this.#state });
  }
}

const FILES_ARE_MODULES = /^(?:javascript|python)$/;
const NO_NAME = "no function of that name";

/** The types that the result of a call may have, and how the sample names the function. */
type MadeTypes = { readonly types: readonly string[]; readonly by: CalledBy; readonly near?: string };

function unbound(why: UnboundBy): BoundCall {
  return { is: "unbound", why };
}

/** The overloads of one function. */
function onlyOne([first, ...rest]: readonly Thing[], by: CalledBy, none: UnboundBy): BoundCall {
  if (!first) return unbound(none);
  return rest.every(({ id }) => id === first.id)
    ? { is: "bound", things: [first, ...rest], by }
    : unbound("several functions");
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
