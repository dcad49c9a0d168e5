import type { Fragment, Made, SampleCall, SampleType } from "../../syntax/source/fragment.ts";
import type { ImportedName } from "../../syntax/source/imports.ts";
import { defined } from "../../text/model/defined.ts";
import type { BoundBy } from "../binding/bound-by.ts";
import { isDistinct } from "../change/names.ts";
import type { State } from "../state/state.ts";
import type { Thing, ThingParameter } from "../surface/thing.ts";
import { asCallable, dropImplementations, lineageOf } from "./declared.ts";
import { findDeclared } from "./find-declared.ts";
import { FILES_ARE_MODULES, typeNames, typesMadeBy } from "./made-types.ts";
import { comesFrom, isOwnModule } from "./origin.ts";
import type { CodeSample } from "./page-samples.ts";
import { entryOf, pythonFile, resolveName, resolvePath } from "./resolve.ts";

/**
 * How a call names its function: through an import of the project, through a type or a package of the project, or by the
 * only name of its kind.
 */
export type CalledBy = Extract<BoundBy, "import" | "qualified" | "shape">;

/** The declarations of the one function that a call names: its overloads. None, with the reason, where it is not known. */
export type BoundCall =
  | {
      readonly is: "bound";
      readonly things: readonly [Thing, ...Thing[]];
      readonly by: CalledBy;
      /** A base that is not of the project may have other overloads. */
      readonly hasForeignBase?: boolean;
    }
  | { readonly is: "unbound"; readonly why: UnboundBy };

/** Why it is not known which function a call names. */
export type UnboundBy =
  | "foreign"
  | "declared-by-the-sample"
  | "unknown receiver"
  | "no-such-member"
  | "not in the module"
  | "several functions"
  | "too many files"
  | "no function of that name";

const DEEPEST_CHAIN = 8;

/** The function that a call of a sample names. */
export async function bindCall(call: SampleCall, sample: CodeSample, state: State): Promise<BoundCall> {
  return new CallBinder(sample, state).bind(call, sample.fragment, 0);
}

/**
 * The parameters that a call passes: an extension method of C# takes its receiver from before the name, and a method that
 * is called by its type, `Python::run(py, code)`, takes it as an argument.
 */
export function passedTo(
  { callee }: SampleCall,
  { declaration = "", owner, parameters = [] }: Thing,
): Parameters {
  const isByType = callee.length > 1 && callee.at(-2) === owner.at(-1);
  if (isByType && OWN_RECEIVER.test(declaration)) return [{ name: "self" }, ...parameters];
  return RECEIVER_FIRST.test(declaration) && !isByType ? parameters.slice(1) : parameters;
}

type Parameters = readonly ThingParameter[];

const RECEIVER_FIRST = /^[^(]*\(\s*this\s+\w/;
const OWN_RECEIVER = /^[^(]*\b(?:def|fn)\b[^(]*\(\s*(?:&\s*(?:'\w+\s+)?)?(?:mut\s+)?self\b/;
/** A type of TypeScript that joins others, each of which may have more ways to call a member. */
const JOINED = /^(?:export\s+)?(?:declare\s+)?type\b/;
/** A function that is declared for a type and stands outside of it. */
const EXTENSION = /^[^(]*\(\s*this\s+\w|\bfun\b[^(]*\.\s*\w+\s*\(/;

/** The type of a variable of a sample with its ancestors, and how the sample names it; null where it is not known. */
export async function bindVariable(
  variable: string,
  sample: CodeSample,
  state: State,
): Promise<{ readonly types: readonly Thing[]; readonly by: BoundBy } | null> {
  const made = await new CallBinder(sample, state).typesOf(variable);
  if (!made || made.types.length === 0) return null;
  const near = made.near === undefined ? {} : { near: made.near };
  const { types } = await lineageOf(made.types[0]!, { family: sample.family, state, ...near });
  return types.length > 0 ? { types, by: made.by } : null;
}

class CallBinder {
  readonly #sample: CodeSample;
  readonly #state: State;

  constructor(sample: CodeSample, state: State) {
    this.#sample = sample;
    this.#state = state;
  }

  async bind(call: SampleCall, fragment: Fragment, depth: number): Promise<BoundCall> {
    const bound = await this.#bindNamed(call, fragment, depth);
    if (call.callee.length < 2 || call.isNew || (bound.is === "unbound" && !NO_RECEIVER.has(bound.why)))
      return bound;
    // A type may have overloads that stand outside of it.
    const besides = await this.#extension(call.callee.at(-1)!);
    if (bound.is === "unbound" || besides?.is !== "bound") return besides ?? bound;
    return { ...bound, things: [...bound.things, ...besides.things] };
  }

  /** A function that the sample imports and calls on a value of any type. */
  async #extension(name: string): Promise<BoundCall | null> {
    const { family, imports } = this.#sample;
    const from = imports.filter(({ local }) => local === name || local === "*");
    if (from.length === 0) return null;
    const found = ((await this.#candidates(name)) ?? []).filter((one) =>
      EXTENSION.test(one.declaration ?? ""),
    );
    const own: Thing[] = [];
    for (const thing of found)
      for (const { module } of from)
        if (!own.includes(thing) && (await comesFrom(thing, { module, family, state: this.#state })))
          own.push(thing);
    const bound = onlyOne(own, "import", NO_NAME);
    return bound.is === "bound" ? bound : null;
  }

  async #bindNamed(call: SampleCall, fragment: Fragment, depth: number): Promise<BoundCall> {
    const { callee } = call;
    const [root, name] = [callee[0]!, callee.at(-1)!];
    const around = call.within === undefined ? undefined : this.#sample.types.get(call.within);
    if (depth > DEEPEST_CHAIN) return unbound("unknown receiver");
    if (/^(?:self|this)$/.test(root))
      return callee.length === 2 && around ? this.#inherited(name, around) : unbound("unknown receiver");
    if (root === "super") return unbound("unknown receiver");
    if (root === "()") {
      if (call.on === undefined) return unbound("unknown receiver");
      return this.#onResult(callee.slice(1), fragment.calls[call.on]!, fragment, depth);
    }
    const own = this.#sample.types.get(root);
    if (own && callee.length === 1 && own.bases.length === 1) return this.#onBase(call, own, fragment, depth);
    if (fragment.declared.has(root)) return unbound("declared-by-the-sample");
    const variable = this.#sample.variables.get(root);
    const path = variable?.made.path;
    if (path) return this.#bindNamed({ ...call, callee: [...path, ...callee.slice(1)] }, fragment, depth + 1);
    if (variable && callee.length > 1) return this.#onVariable(callee.slice(1), variable, depth);
    const imported = this.#imported(callee);
    if (imported) return this.#fromModule(callee, imported);
    if (around && callee.length === 1 && !RECEIVERS.test(this.#sample.family)) {
      const inherited = await this.#inherited(name, around);
      if (inherited.is === "bound") return inherited;
    }
    if (call.isNew && this.#sample.family === "ruby") {
      // A module of Ruby may declare `new` itself.
      const made = await this.#byName(call);
      return made.is === "bound" ? made : this.#byName({ callee: [...callee, "new"], isNew: false });
    }
    return (await this.#fromWritten(callee)) ?? this.#byName(call);
  }

  /** What a call names with its module, which needs no import: `crate::function`, `new \Name\Space\Type`. */
  async #fromWritten(callee: readonly string[]): Promise<BoundCall | null> {
    if (!this.#sample.writesModules) return null;
    for (let length = callee.length - 1; length > 0; length--) {
      const module = callee.slice(0, length).join(".");
      if (!(await this.#isOwn(module))) continue;
      const bound = await this.#fromModule(callee, { module, local: module, name: "*" });
      if (bound.is === "bound" || length === 1) return bound;
    }
    return null;
  }

  /** A type of the sample without a constructor of its own is made like its base. */
  async #onBase(
    call: SampleCall,
    { bases, members }: SampleType,
    fragment: Fragment,
    depth: number,
  ): Promise<BoundCall> {
    const isMadeHere = members.has(call.callee[0]!) || [...members].some((name) => CONSTRUCTOR.test(name));
    if (isMadeHere) return unbound("declared-by-the-sample");
    return this.bind({ ...call, callee: bases[0]! }, fragment, depth + 1);
  }

  /** A member that a type of the sample has from its base. */
  async #inherited(name: string, { bases, members }: SampleType): Promise<BoundCall> {
    const [base, ...others] = bases;
    if (members.has(name)) return unbound("declared-by-the-sample");
    if (!base || others.length > 0) return unbound("unknown receiver");
    const imported = this.#imported(base);
    if (imported && !(await this.#isOwn(imported.module))) return unbound("foreign");
    return this.#member(name, { types: [base.at(-1)!], by: imported ? "import" : "qualified" });
  }

  /** A member of what a call made. */
  async #onResult(
    path: readonly string[],
    call: SampleCall,
    fragment: Fragment,
    depth: number,
  ): Promise<BoundCall> {
    const own = call.callee.length === 1 ? this.#sample.types.get(call.callee[0]!) : undefined;
    if (own?.members.has(path[0]!)) return unbound("declared-by-the-sample");
    return this.#along(path, await this.#typesMade(call, fragment, depth));
  }

  async #onVariable(
    path: readonly string[],
    { made, fragment }: { readonly made: Made; readonly fragment: Fragment },
    depth: number,
  ): Promise<BoundCall> {
    if (made.type !== undefined) return this.#along(path, { types: typeNames(made.type), by: "qualified" });
    return made.call === undefined
      ? unbound("unknown receiver")
      : this.#onResult(path, fragment.calls[made.call]!, fragment, depth);
  }

  /** The member at the end of a path of members of a value. */
  async #along([name, ...rest]: readonly string[], made: MadeTypes | null): Promise<BoundCall> {
    if (rest.length === 0) {
      const bound = await this.#member(name!, made);
      // A function of Rust that takes no value of its type is called by the name of the type only.
      const isOfType = bound.is === "bound" && bound.things.every(({ path }) => path.endsWith(".rs"));
      return isOfType && !bound.things.every(({ declaration = "" }) => OWN_RECEIVER.test(declaration))
        ? unbound("no-such-member")
        : bound;
    }
    const found = made && (await this.#declaredOn(name!, made));
    const [member] = found?.members ?? [];
    if (!made || !member || member.parameters) return unbound("unknown receiver");
    return this.#along(rest, { ...(await typesMadeBy(member, this.#state)), by: made.by });
  }

  /** The types that a variable of the sample may have. */
  async typesOf(variable: string, depth = 0): Promise<MadeTypes | null> {
    const known = this.#sample.variables.get(variable);
    if (!known) return null;
    const { made, fragment } = known;
    if (made.type !== undefined) return { types: typeNames(made.type), by: "qualified" };
    return made.call === undefined ? null : this.#typesMade(fragment.calls[made.call]!, fragment, depth);
  }

  /** The types of what a call is made on. */
  #receiver({ callee, on }: SampleCall, fragment: Fragment, depth: number): Promise<MadeTypes | null> {
    return on === undefined
      ? this.typesOf(callee[0]!, depth + 1)
      : this.#typesMade(fragment.calls[on]!, fragment, depth + 1);
  }

  /** The types that the result of a call may have. A type without a constructor of its own is made by its name. */
  async #typesMade(call: SampleCall, fragment: Fragment, depth: number): Promise<MadeTypes | null> {
    const maker = await this.bind(call, fragment, depth + 1);
    if (maker.is === "bound") return { ...(await typesMadeBy(maker.things[0], this.#state)), by: maker.by };
    const name = call.callee.at(-1)!;
    if (maker.why === "no-such-member" && this.#sample.unwraps?.test(name))
      return this.#receiver(call, fragment, depth);
    const own = call.callee.length === 1 ? this.#sample.types.get(name) : undefined;
    if (own?.bases.length === 1)
      return this.#typesMade({ ...call, callee: own.bases[0]! }, fragment, depth + 1);
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
    const found = await this.#declaredOn(name, made);
    if (found === null) return unbound("too many files");
    const { members, types } = found;
    const hasForeignBase =
      (this.#sample.overloads || types.some(({ declaration = "" }) => JOINED.test(declaration))) &&
      types.some((one) =>
        one.bases?.some((base) => !/^I\p{Lu}/u.test(base) && !types.some((type) => type.name === base)),
      );
    const bound = onlyOne(await this.#callable(members), made.by, "no-such-member");
    return bound.is === "bound" ? { ...bound, hasForeignBase } : bound;
  }

  /** The members of a name that a type has, of its nearest ancestor that declares one, and all its ancestors. */
  async #declaredOn(
    name: string,
    { types: [type], near }: MadeTypes,
  ): Promise<{ readonly members: readonly Thing[]; readonly types: readonly Thing[] } | null> {
    const { family } = this.#sample;
    if (type === undefined) return { members: [], types: [] };
    const { types } = await lineageOf(type, {
      family,
      state: this.#state,
      ...defined({ near: near || undefined }),
    });
    const isOpen = !FILES_ARE_MODULES.test(family);
    for (const { name: owner, owner: outer, path } of types) {
      const found = (await this.#declared(name)) ?? (await this.#declared(name, owner));
      if (found === null) return null;
      const members = found.filter(
        (one) =>
          one.owner.at(-1) === owner &&
          (one.path === path || (isOpen && isEnd(one.owner, [...outer, owner]))),
      );
      if (members.length > 0) return { members, types };
    }
    return { members: [], types };
  }

  #imported(callee: readonly string[]): ImportedName | undefined {
    const path = callee.join(".");
    return this.#sample.imports.find(
      ({ local }) => local === callee[0] || (local.includes(".") && path.startsWith(`${local}.`)),
    );
  }

  #isOwn(module: string): Promise<boolean> {
    return isOwnModule(module, { family: this.#sample.family, state: this.#state });
  }

  async #fromModule(callee: readonly string[], imported: ImportedName): Promise<BoundCall> {
    const { local, name, module } = imported;
    if (!(await this.#isOwn(module))) return unbound("foreign");
    const rest = callee.slice(local.split(".").length);
    const owners = name === "*" || name === "default" ? rest.slice(0, -1) : [name, ...rest].slice(0, -1);
    const sought = rest.at(-1) ?? (name === "default" ? local : name);
    const placed = await this.#declaredIn(module, name === "*" ? rest : [name, ...rest]);
    if (placed) return placed;
    // The reader chooses the local name of what a module exports as a whole.
    const entry = await this.#entryOf(module);
    if (name === "default" && entry !== null) return unbound("not in the module");
    const found = await this.#candidates(sought, owners.at(-1));
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

  /** What a path of a module leads to, where files are modules: a function, or a member of what a value of it is. */
  async #declaredIn(module: string, path: readonly string[]): Promise<BoundCall | null> {
    const entry = await this.#entryOf(module);
    const [first, ...rest] = path;
    const place = entry && first !== undefined && (await resolvePath([first, ...rest], entry, this.#state));
    if (!place) return null;
    const { path: file, names } = place;
    const things = await this.#state.surface(file);
    const own = things.filter(
      (thing) =>
        thing.name === names.at(-1) &&
        thing.exported !== "no" &&
        thing.owner.length === names.length - 1 &&
        isSuffix(thing.owner, names.slice(0, -1)),
    );
    const [bound] = await this.#callable(own);
    if (bound) return onlyOne(await this.#callable(own), "import", "not in the module");
    const value = things.find(
      ({ name, owner, kind }) => name === names[0] && owner.length === 0 && kind === "symbol",
    );
    if (!value || (value.parameters && value.type !== undefined) || names.length < 2) return null;
    const made = await typesMadeBy(value, this.#state);
    return this.#along(names.slice(1), { ...made, by: "import" });
  }

  async #fileOf(name: string, module: string): Promise<string | null> {
    const entry = await this.#entryOf(module);
    return entry && resolveName(name, entry, this.#state);
  }

  async #entryOf(module: string): Promise<string | null> {
    const { family } = this.#sample;
    if (!FILES_ARE_MODULES.test(family)) return null;
    return family === "python" ? pythonFile(module, this.#state) : entryOf(module, this.#state);
  }

  async #byName({ callee, isNew }: Pick<SampleCall, "callee" | "isNew">): Promise<BoundCall> {
    const { family, imports, isWhole } = this.#sample;
    const [name, owner] = [callee.at(-1)!, callee.at(-2)];
    const found = await this.#candidates(name, owner);
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
    if (owner !== undefined && named.length === 0) {
      const inherited = await this.#member(name, { types: [owner], by: "qualified" });
      return inherited.is === "bound" ? inherited : unbound(NO_NAME);
    }
    if (owner !== undefined) return onlyOne(named, "qualified", NO_NAME);
    if (found.length !== named.length) return unbound(NO_NAME);
    // What a sample makes is a type, and the project has one of that name.
    if (isNew && /^\p{Lu}/u.test(name)) return onlyOne(named, "qualified", NO_NAME);
    return isDistinct(name) ? onlyOne(named, "shape", NO_NAME) : unbound(NO_NAME);
  }

  /**
   * What the project offers under a name, in the language of the sample, that can be called; null for an everyday word.
   * Then its owner may tell the files.
   */
  async #candidates(name: string, owner?: string): Promise<readonly Thing[] | null> {
    const found =
      (await this.#declared(name)) ?? (owner === undefined ? null : await this.#declared(name, owner));
    return found && this.#callable(found);
  }

  async #callable(things: readonly Thing[]): Promise<readonly Thing[]> {
    const callable = await Promise.all(things.map((thing) => asCallable(thing, this.#state)));
    return dropImplementations(callable.flat(), this.#state);
  }

  #declared(name: string, owner?: string): Promise<readonly Thing[] | null> {
    return findDeclared(name, { family: this.#sample.family, state: this.#state, owner });
  }
}

/** Languages whose types call their members with a receiver only. In the others a bare call may be one of a member. */
const RECEIVERS = /^(?:javascript|python|go|rust|php)$/;
const CONSTRUCTOR = /^(?:__init__|constructor|initialize|__construct|init)$/;
/** What is said of a call whose receiver does not tell which function is meant. */
const NO_RECEIVER: ReadonlySet<UnboundBy> = new Set([
  "unknown receiver",
  "no-such-member",
  "no function of that name",
]);
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
  return end.length === 0 ? all.length === 0 : isEnd(all, end);
}

function isEnd(all: readonly string[], end: readonly string[]): boolean {
  return end.length <= all.length && end.every((name, at) => all[all.length - end.length + at] === name);
}

/** Whether a file belongs to a package or a module of that name. */
function isIn({ path }: Thing, name: string): boolean {
  const parts = path.replace(/\.\w+$/, "").split("/");
  return parts.at(-1) === name || parts.at(-2) === name;
}
