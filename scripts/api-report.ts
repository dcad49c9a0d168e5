import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type ESTree, parseSync } from "vite";
import manifest from "../package.json" with { type: "json" };

/** A public name, as an entry exports it. */
export type PublicName = {
  readonly name: string;
  readonly kind: "value" | "type";
  /** The declaration without comments and bodies. */
  readonly signature: string;
  /** The note of a name that is kept only for older programs. */
  readonly deprecated: string | null;
};

/** Every entry of the package with its public names, read from the sources. */
export function readApi(): ReadonlyMap<string, readonly PublicName[]> {
  const modules = new Modules();
  const entries = Object.entries(manifest.exports).flatMap(([entry, door]) => {
    if (typeof door === "string") return [];
    const source = door.default.replace("./dist/", "src/").replace(/\.js$/, ".ts");
    return [[`suture${entry.slice(1)}`, modules.publicNames(source)] as const];
  });
  return new Map(entries);
}

/** One page for each entry, by path. */
export function printApi(): Readonly<Record<string, string>> {
  const pages = [...readApi()].map(([entry, names]) => {
    const path = `docs/api/${entry.replace("/", "-")}.api.md`;
    return [path, printEntry(entry, names)] as const;
  });
  return Object.fromEntries(pages);
}

function printEntry(entry: string, names: readonly PublicName[]): string {
  const current = names.filter(({ deprecated }) => deprecated === null);
  const kept = names.filter(({ deprecated }) => deprecated !== null);
  const section = (title: string, some: readonly PublicName[]): string[] =>
    some.length === 0 ? [] : [`## ${title}`, "", "```ts", some.map(printName).join("\n\n"), "```", ""];
  return [
    `# ${entry}`,
    "",
    `${names.length} names, ${kept.length} of them deprecated. This page is printed from the sources by \`npm run generate\`.`,
    "",
    ...section(
      "Values",
      current.filter(({ kind }) => kind === "value"),
    ),
    ...section(
      "Types",
      current.filter(({ kind }) => kind === "type"),
    ),
    ...section("Deprecated", kept),
  ].join("\n");
}

function printName({ signature, deprecated }: PublicName): string {
  return deprecated === null ? signature : `// Deprecated ${deprecated}\n${signature}`;
}

type Statement = ESTree.Statement;
type Comment = { readonly start: number; readonly end: number; readonly value: string };
type Found = { readonly kind: PublicName["kind"]; readonly signature: string };

/** One parsed source. */
class Module {
  readonly #path: string;
  readonly #text: string;
  readonly #comments: readonly Comment[];
  readonly body: readonly Statement[];

  constructor(path: string) {
    this.#path = path;
    this.#text = readFileSync(path, "utf8");
    const { program, comments } = parseSync(path, this.#text);
    this.body = program.body as Statement[];
    this.#comments = comments;
  }

  resolve(request: string): string {
    return join(dirname(this.#path), request);
  }

  /** The note of a comment that stands directly before a place. */
  deprecationBefore(start: number): string | null {
    const comment = this.#comments.find(
      ({ end }) => end <= start && /^\s*(type\s+)?$/.test(this.#text.slice(end, start)),
    );
    return /@deprecated\s+(.*?)\s*$/s.exec(comment?.value ?? "")?.[1] ?? null;
  }

  /** Source text without comments. */
  slice(start: number, end: number): string {
    const inside = this.#comments.filter((comment) => comment.start >= start && comment.end <= end);
    let text = "";
    let at = start;
    for (const comment of inside) {
      text += this.#text.slice(at, comment.start);
      at = comment.end;
    }
    return `${text}${this.#text.slice(at, end)}`
      .replace(/^\s*\n/gm, "")
      .trim()
      .replace(/^async /, "");
  }

  /** The declaration of a name in this file. */
  declarationOf(name: string): Found | null {
    for (const statement of this.body) {
      const declaration =
        statement.type === "ExportNamedDeclaration"
          ? statement.declaration
          : (statement as ESTree.Declaration);
      const found = declaration ? this.#signatureOf(declaration, name) : null;
      if (found) return found;
    }
    return null;
  }

  #signatureOf(node: ESTree.Declaration, name: string): Found | null {
    switch (node.type) {
      case "FunctionDeclaration":
      case "TSDeclareFunction":
        if (node.id?.name !== name) return null;
        return { kind: "value", signature: `${this.slice(node.start, node.body?.start ?? node.end)};` };
      case "TSTypeAliasDeclaration":
      case "TSInterfaceDeclaration":
        return node.id.name === name ? { kind: "type", signature: this.slice(node.start, node.end) } : null;
      case "ClassDeclaration":
        return node.id?.name === name ? { kind: "value", signature: this.#classOf(node) } : null;
      case "VariableDeclaration":
        return this.#variableOf(node, name);
      default:
        return null;
    }
  }

  #classOf({ start, body }: ESTree.Class): string {
    const members = body.body.flatMap((member) => {
      if (member.type !== "MethodDefinition" && member.type !== "PropertyDefinition") return [];
      if (member.key.type === "PrivateIdentifier" || member.accessibility === "private") return [];
      const end = member.type === "MethodDefinition" ? (member.value.body?.start ?? member.end) : member.end;
      return [`  ${this.slice(member.start, end).replace(/;$/, "")};`];
    });
    return [`${this.slice(start, body.start)} {`, ...members, "}"].join("\n");
  }

  #variableOf(node: ESTree.VariableDeclaration, name: string): Found | null {
    const found = node.declarations.find(({ id }) => id.type === "Identifier" && id.name === name);
    if (!found) return null;
    const { id, init } = found;
    const isTyped = "typeAnnotation" in id && id.typeAnnotation;
    const value = isTyped || !init ? "" : ` = ${this.slice(init.start, init.end)}`;
    return { kind: "value", signature: `const ${this.slice(id.start, id.end)}${value};` };
  }
}

/** The sources that entries reach. */
class Modules {
  readonly #modules = new Map<string, Module>();

  publicNames(entry: string): PublicName[] {
    const module = this.#load(entry);
    const names = module.body.flatMap((statement): PublicName[] => {
      if (statement.type !== "ExportNamedDeclaration") return [];
      return statement.specifiers.map((specifier) => {
        const name = nameOf(specifier.exported);
        const deprecated = module.deprecationBefore(specifier.start);
        const found = rename(this.#find(entry, name), name);
        const isType = statement.exportKind === "type" || specifier.exportKind === "type";
        return { name, deprecated, ...found, kind: isType ? "type" : found.kind };
      });
    });
    return names.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  #load(path: string): Module {
    const known = this.#modules.get(path) ?? new Module(path);
    this.#modules.set(path, known);
    return known;
  }

  /** Follows a name through the files that pass it on. */
  #find(path: string, name: string): Found & { readonly original: string } {
    const module = this.#load(path);
    const declared = module.declarationOf(name);
    if (declared) return { ...declared, original: name };
    for (const statement of module.body) {
      const passed = passedOn(statement, name);
      if (passed) return this.#find(passed.from === null ? path : module.resolve(passed.from), passed.name);
    }
    throw new Error(`${path} does not export ${name}`);
  }
}

/** Where a statement takes a name from: another file, or a name of the same file. */
function passedOn(statement: Statement, name: string): { from: string | null; name: string } | null {
  if (statement.type === "ExportNamedDeclaration") {
    const found = statement.specifiers.find(({ exported }) => nameOf(exported) === name);
    if (!found) return null;
    const local = nameOf(found.local);
    const from = statement.source?.value ?? null;
    return from === null && local === name ? null : { from, name: local };
  }
  if (statement.type !== "ImportDeclaration") return null;
  for (const specifier of statement.specifiers)
    if (specifier.type === "ImportSpecifier" && specifier.local.name === name)
      return { from: statement.source.value, name: nameOf(specifier.imported) };
  return null;
}

function nameOf(node: ESTree.ModuleExportName): string {
  return node.type === "Literal" ? node.value : node.name;
}

/** The declaration under the name that the entry gives it. */
function rename({ kind, signature, original }: Found & { readonly original: string }, name: string): Found {
  return { kind, signature: signature.replace(new RegExp(`\\b${original}\\b`), name) };
}
