import { globSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { parseSync } from "vite";
import { expect, test } from "vitest";

// A room imports from itself and from the rooms named here.
const above: Record<string, readonly string[]> = {
  text: [],
  syntax: ["text"],
  drift: ["text", "syntax"],
  workspace: ["text"],
  wording: ["text"],
  tools: ["text", "syntax", "drift", "workspace", "wording"],
  docs: ["text", "syntax", "drift", "workspace", "wording", "tools", "hosts"],
  http: ["text"],
  hosts: ["text", "workspace"],
  agents: ["text", "syntax", "drift", "workspace", "wording", "tools", "docs"],
  ci: ["text", "syntax", "drift", "workspace", "wording", "tools", "docs", "http", "hosts"],
  lsp: ["text", "syntax", "drift", "workspace", "wording", "tools", "docs"],
  mcp: ["text", "syntax", "drift", "workspace", "wording", "tools", "docs", "agents", "http"],
  // A session offers its tools to agents, also over MCP.
  session: ["text", "syntax", "drift", "workspace", "wording", "tools", "docs", "mcp"],
  web: ["text", "syntax", "drift", "workspace", "wording", "tools", "docs", "agents", "http"],
  // Plugins name the place that Suture is got from.
  "agent-hooks": ["text", "syntax", "drift", "workspace", "wording", "tools", "docs", "hosts"],
  // The command line opens every other door.
  cli: [
    "text",
    "syntax",
    "drift",
    "workspace",
    "wording",
    "tools",
    "docs",
    "agents",
    "http",
    "hosts",
    "ci",
    "lsp",
    "mcp",
    "web",
    "agent-hooks",
  ],
};

// The rooms whose data `wording` puts into sentences: it names their types and runs none of their code.
const spokenFor = ["syntax", "drift", "workspace", "tools", "docs", "agents", "ci", "agent-hooks"];

// Files outside the workspace that touch the disk, and why they must.
const touchesDisk: Record<string, string> = {
  "src/syntax/source/grammars.ts": "reads the grammars packed with us",
  "src/cli/terminal/editor.ts": "lends a text to the person's editor in a temporary file",
  "src/cli/terminal/input.ts": "reads the patch a person names, wherever it lies",
  "src/cli/terminal/output.ts": "writes the files that a CI host or git has made for it",
  "src/cli/terminal/standard-stream.ts": "writes to standard output and standard error by their descriptors",
  "src/lsp/rules-page.ts": "looks for the page of the rules packed with us",
  "src/cli/installed-source.ts": "reads npm's record of where this package came from",
  "src/cli/commands/agent-hooks/call-name.ts": "looks for itself on the PATH",
  "src/cli/commands/agent-hooks/hook-input.ts":
    "reads and writes the standard streams without loading streams",
  "src/http/assets.ts": "reads the page packed with us",
};

type Import = { from: string; to: string; when: "load" | "later" | "types" };

test("every import of src keeps to the rooms", () => {
  const files = globSync("{src,packages/*/{src,page}}/**/*.{ts,tsx}").map((file) =>
    file.replaceAll("\\", "/"),
  );
  expect(findStrays(Object.fromEntries(files.map((file) => [file, readFileSync(file, "utf8")])))).toEqual([]);
});

test.each([
  ["text/a.ts", 'import "node:path";', "text imports nothing but text"],
  ["text/a.ts", 'import { x } from "left-pad";', "text imports nothing but text"],
  ["text/a.ts", 'import type { X } from "../syntax/x.ts";', "text may not import syntax"],
  ["drift/a.ts", 'export { x } from "../workspace/x.ts";', "drift may not import workspace"],
  ["workspace/a.ts", 'import { x } from "../syntax/x.ts";', "workspace may not import syntax"],
  ["tools/a.ts", 'const x = await import("../cli/x.ts");', "tools may not import cli"],
  ["tools/a.ts", 'import { x } from "../docs/x.ts";', "tools may not import docs"],
  ["wording/a.ts", 'import { x } from "../docs/x.ts";', "wording may only import types of docs"],
  ["wording/a.ts", 'import type { X } from "../cli/x.ts";', "wording may not import cli"],
  ["hosts/a.ts", 'import { x } from "../wording/x.ts";', "hosts may not import wording"],
  ["mcp/a.ts", 'import { x } from "../web/x.ts";', "mcp may not import web"],
  ["tools/a.ts", 'import { x } from "../index.ts";', "tools may not import an entry"],
  ["attic/a.ts", "", "attic is not a room"],
  ["web/page/a.tsx", 'import { x } from "../../tools/x.ts";', "a page runs in a browser"],
  ["web/page/a.tsx", 'import "node:path";', "a page runs in a browser"],
  ["tools/a.ts", 'import { x } from "@modelcontextprotocol/server";', "only mcp speaks MCP"],
  ["docs/a.ts", 'import { x } from "vscode-languageserver";', "only lsp speaks LSP"],
  ["tools/a.ts", 'import { readFile } from "node:fs/promises";', "only workspace touches the disk"],
  ["cli/a.ts", 'const fs = process.getBuiltinModule("node:fs");', "only workspace touches the disk"],
])("a stray in %s is named: %s", (file, source, why) => {
  expect(findStrays({ [`src/${file}`]: source }).join("\n")).toContain(why);
});

test.each([
  ["src/a.ts", 'import { x } from "../../../src/text/x.ts";', "a package imports what suture exports"],
  ["page/a.tsx", 'import { x } from "../../../src/tools/x.ts";', "a page takes the parts of other pages"],
])("a stray in %s of a package is named: %s", (file, source, why) => {
  expect(findStrays({ [`packages/fleet/${file}`]: source }).join("\n")).toContain(why);
});

test("a parser with two importers and a knot of files are named; type-only and lazy circles are not", () => {
  const parser = 'import { parse } from "parser/wasm";';
  const shared = { "src/syntax/a.ts": parser, "src/syntax/b.ts": parser, "src/syntax/a.test.ts": parser };
  expect(findStrays(shared)).toEqual([
    "parser is imported by src/syntax/a.ts and src/syntax/b.ts: one file owns a parser",
  ]);
  const circle = (back: string) => ({
    "src/text/a.ts": 'import { b } from "./b.ts";',
    "src/text/b.ts": back,
  });
  expect(findStrays(circle('import { a } from "./a.ts";'))).toEqual([
    "src/text/a.ts → src/text/b.ts → src/text/a.ts: a knot",
  ]);
  expect(findStrays(circle('import type { A } from "./a.ts";'))).toEqual([]);
  expect(findStrays(circle('const a = () => import("./a.ts");'))).toEqual([]);
});

// What starts often, and the rooms that it loads only when it is asked for something of theirs.
test.each([
  ["src/mcp/index.ts", ["drift", "syntax", "agents"]],
  ["src/cli/main.ts", ["drift", "syntax", "agents", "docs", "mcp", "lsp", "web"]],
])("%s starts without %j", (entry, rooms) => {
  const loaded = findLoaded(entry);
  expect(loaded.size).toBeGreaterThan(5);
  expect([...loaded].filter((file) => rooms.includes(roomOf(file) ?? ""))).toEqual([]);
});

/** The files that a file loads when it starts, with all that these load. */
function findLoaded(entry: string): ReadonlySet<string> {
  const loaded = new Set([entry]);
  for (const file of loaded)
    for (const { to, when } of findImports(file, readFileSync(file, "utf8")))
      if (when === "load" && to.startsWith("src/")) loaded.add(to);
  return loaded;
}

function findStrays(sources: Record<string, string>): string[] {
  const imports = Object.entries(sources).flatMap(([file, source]) => findImports(file, source));
  const lost = Object.keys(sources).filter((file) => roomOf(file) && !(roomOf(file)! in above));
  return [
    ...lost.map((file) => `${file}: ${roomOf(file)} is not a room`),
    ...imports.flatMap((each) => (strayOf(each) ? `${each.from} imports ${each.to}: ${strayOf(each)}` : [])),
    ...findSharedParsers(imports),
    ...findKnots(imports.filter(({ when }) => when === "load")),
  ];
}

function strayOf({ from, to, when }: Import): string | undefined {
  if (from.startsWith("packages/") && to.startsWith("src/") && !isTest(from)) {
    if (from.includes("/src/")) return "a package imports what suture exports";
    return /^src\/web\/page\/(parts\/|connection\.ts)/.test(to)
      ? undefined
      : "a page takes the parts of other pages";
  }
  const room = roomOf(from);
  if (!room || !(room in above)) return;
  if (from.startsWith("src/web/page/") && when !== "types" && !isTest(from) && !isForBrowsers(to))
    return "a page runs in a browser, with text, syntax, the words of refusals and Preact";
  if (to.startsWith("src/")) {
    const other = roomOf(to);
    if (!other) return `${room} may not import an entry`;
    if (room === "wording" && spokenFor.includes(other))
      return when === "types" ? undefined : `wording may only import types of ${other}`;
    return other === room || above[room]!.includes(other) ? undefined : `${room} may not import ${other}`;
  }
  if (isTest(from)) return;
  if (room === "text") return "text imports nothing but text";
  if (to.startsWith("@modelcontextprotocol/") && room !== "mcp") return "only mcp speaks MCP";
  if (to.startsWith("vscode-languageserver") && room !== "lsp") return "only lsp speaks LSP";
  if (/^(node:)?fs\b/.test(to) && room !== "workspace" && !(from in touchesDisk))
    return "only workspace touches the disk";
  return;
}

/** What runs in a browser. The sentences for refusals are told from the values of `text` alone. */
function isForBrowsers(to: string): boolean {
  return /^src\/(text|syntax|wording\/refusals|web\/page)\/|^preact(\/|$)|^suture:look$/.test(to);
}

function findSharedParsers(imports: readonly Import[]): string[] {
  const owners = new Map<string, Set<string>>();
  for (const { from, to } of imports) {
    if (roomOf(from) !== "syntax" || isTest(from) || /^(src\/|node:)/.test(to)) continue;
    const name = to.split("/", to.startsWith("@") ? 2 : 1).join("/");
    owners.set(name, (owners.get(name) ?? new Set()).add(from));
  }
  const shared = [...owners].filter(([, files]) => files.size > 1);
  return shared.map(
    ([name, files]) => `${name} is imported by ${[...files].join(" and ")}: one file owns a parser`,
  );
}

function findKnots(imports: readonly Import[]): string[] {
  const done = new Set<string>();
  const follow = (file: string, trail: readonly string[]): string[] => {
    if (trail.includes(file)) return [`${[...trail.slice(trail.indexOf(file)), file].join(" → ")}: a knot`];
    if (done.has(file)) return [];
    const knots = imports
      .filter(({ from }) => from === file)
      .flatMap(({ to }) => follow(to, [...trail, file]));
    done.add(file);
    return knots;
  };
  return imports.flatMap(({ from }) => follow(from, []));
}

function findImports(from: string, source: string): Import[] {
  const { module, errors } = parseSync(from, source);
  if (errors.length > 0) throw new Error(`${from}: ${errors[0]!.message}`);
  const to = (name: string) => (name.startsWith(".") ? posix.join(posix.dirname(from), name) : name);
  const isTypes = (entries: readonly { isType: boolean }[]) =>
    entries.length > 0 && entries.every((entry) => entry.isType);
  const load = (name: string, types: boolean): Import => ({
    from,
    to: to(name),
    when: types ? "types" : "load",
  });
  const later = (name: string): Import => ({ from, to: to(name), when: "later" });
  const exported = module.staticExports.flatMap(({ entries }) =>
    entries.filter((entry) => entry.moduleRequest),
  );
  return [
    ...module.staticImports.map(({ moduleRequest, entries }) => load(moduleRequest.value, isTypes(entries))),
    ...exported.map((entry) => load(entry.moduleRequest!.value, entry.isType)),
    ...module.dynamicImports.map(({ moduleRequest: { start, end } }) =>
      later(source.slice(start + 1, end - 1)),
    ),
    ...Array.from(source.matchAll(/getBuiltinModule\("([^"]+)"\)/g), (match) => later(match[1]!)),
  ];
}

/** The folder of src a file is in; undefined for the entries beside the rooms. */
function roomOf(file: string): string | undefined {
  return /^src\/([^/]+)\//.exec(file)?.[1];
}

function isTest(file: string): boolean {
  return file.endsWith(".test.ts");
}
