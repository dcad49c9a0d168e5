import { globSync, readFileSync } from "node:fs";
import { parseSync } from "vite";

/** A numbered behaviour or threat, and the tests that show it. */
export type Behaviour = {
  readonly id: string;
  readonly behaviour: string;
  readonly tests: readonly { readonly file: string; readonly title: string }[];
};

export type Titles = {
  /** First arguments of `test` and `describe`, as written: `%s` is not filled in, and `${…}` is shown as …. */
  readonly calls: ReadonlySet<string>;
  /** First cells of table rows. */
  readonly rows: ReadonlySet<string>;
};

type Node = { readonly type: string; readonly [key: string]: unknown };

/** `docs/behaviours.json`, or `docs/threats.json`. */
export function loadBehaviours(table: "behaviours" | "threats"): Behaviour[] {
  return JSON.parse(readFileSync(`docs/${table}.json`, "utf8")) as Behaviour[];
}

/** The titles of every file that declares tests, by path. */
export function loadTitles(): Map<string, Titles> {
  const files = globSync(["src/**/*.test.ts", "{test,packages/*/test}/**/*.ts", "torture/**/*.ts"]);
  return new Map(
    files.map((file) => [file.replaceAll("\\", "/"), findTitles(file, readFileSync(file, "utf8"))]),
  );
}

export function hasTitle(titles: ReadonlyMap<string, Titles>, file: string, title: string): boolean {
  const found = titles.get(file);
  return found !== undefined && (found.calls.has(title) || found.rows.has(title));
}

export function findTitles(file: string, text: string): Titles {
  const calls = new Set<string>();
  const rows = new Set<string>();
  visit(parseSync(file, text).program, (node) => {
    if (node.type === "CallExpression" && declaresTests(node.callee)) addText(calls, first(node.arguments));
    if (node.type === "ArrayExpression") addText(rows, first(node.elements));
  });
  return { calls, rows };
}

/** `test`, `test.skipIf(…)`, `describe.each([…])` and the like. */
function declaresTests(callee: unknown): boolean {
  if (!isNode(callee)) return false;
  if (callee.type === "Identifier") return ["test", "it", "describe"].includes(callee.name as string);
  if (callee.type === "MemberExpression") return declaresTests(callee.object);
  return callee.type === "CallExpression" && declaresTests(callee.callee);
}

function addText(titles: Set<string>, node: unknown): void {
  if (!isNode(node)) return;
  if (node.type === "Literal" && typeof node.value === "string") titles.add(node.value);
  if (node.type !== "TemplateLiteral") return;
  const parts = node.quasis as readonly { readonly value: { readonly cooked: string } }[];
  titles.add(parts.map(({ value }) => value.cooked).join("…"));
}

function visit(node: unknown, see: (node: Node) => void): void {
  if (Array.isArray(node)) for (const item of node) visit(item, see);
  if (!isNode(node)) return;
  see(node);
  for (const value of Object.values(node)) if (typeof value === "object") visit(value, see);
}

function first(list: unknown): unknown {
  return Array.isArray(list) ? list[0] : undefined;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value;
}
