import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A page and a change that are made to take much work. `n` is the size. */
export type CraftedInput = {
  readonly name: string;
  readonly page: (n: number) => string;
  readonly before?: (n: number) => string;
  readonly after?: (n: number) => string;
  readonly path?: string;
};

const times = (n: number, text: string | ((i: number) => string)): string =>
  typeof text === "string" ? text.repeat(n) : Array.from({ length: n }, (_, i) => text(i)).join("");

/** Inputs that a stranger can commit: each grows with `n`, and all of them rename `loadThing`. */
export const craftedInputs: readonly CraftedInput[] = [
  { name: "equal lines", page: (n) => times(n, "Call `loadThing()` now.\n") },
  { name: "equal paragraphs", page: (n) => times(n, "Call `loadThing()` now.\n\n") },
  { name: "equal rows of a table", page: (n) => `| a |\n| - |\n${times(n, "| `loadThing()` |\n")}` },
  { name: "equal items of a list", page: (n) => times(n, "- `loadThing()`\n") },
  {
    name: "nested items of a list",
    page: (n) => times(n, (i) => `${" ".repeat((i % 50) * 2)}- \`loadThing()\`\n`),
  },
  { name: "many mentions on a line", page: (n) => times(n, "`loadThing()` ") },
  { name: "equal headings", page: (n) => times(n, "# loadThing\n\n") },
  { name: "nested quotations", page: (n) => times(n, (i) => `${">".repeat(i % 80)} \`loadThing()\`\n`) },
  { name: "open brackets", page: (n) => `${times(n, "[")}\`loadThing()\`\n` },
  { name: "open images", page: (n) => `${times(n, "![")}\`loadThing()\`\n` },
  { name: "open tags", page: (n) => `${times(n, "<a ")}\`loadThing()\`\n` },
  { name: "open comments", page: (n) => `${times(n, "<!-- ")}\`loadThing()\`\n` },
  { name: "back quotes", page: (n) => `${times(n, (i) => `${"`".repeat((i % 90) + 1)} `)}loadThing()\n` },
  { name: "stars", page: (n) => `${times(n, "*a **b ")}\`loadThing()\`\n` },
  { name: "underlines", page: (n) => `${times(n, "_a __b ")}\`loadThing()\`\n` },
  { name: "white space", page: (n) => `${times(n, " \t")}\n\`loadThing()\`${times(n, " ")}x\n` },
  { name: "empty lines", page: (n) => `\`loadThing()\`\n${times(n, "\n")}x\n` },
  { name: "open fences", page: (n) => times(n, "```js\nloadThing();\n") },
  { name: "samples", page: (n) => times(n, "```js\nloadThing();\n```\n\n") },
  { name: "links to a heading", page: (n) => times(n, "[a](#loadthing) [b](other.md#x)\n") },
  { name: "definitions of links", page: (n) => times(n, (i) => `[a${i}]: <loadThing${i}> "t"\n`) },
  { name: "options of a command", page: (n) => `\`\`\`sh\nrm ${times(n, "--a ")}b\nloadThing\n\`\`\`\n` },
  { name: "a long word", page: (n) => `${times(n, "a")}loadThing ${times(n, "_-.")}\n` },
  {
    name: "front matter",
    page: (n) => `---\n${times(n, (i) => `k${i}: loadThing\n`)}---\n\`loadThing()\`\n`,
  },
  { name: "directives", page: (n) => times(n, ".. note:: ``loadThing``\n\n"), path: "docs/page.rst" },
  { name: "macros", page: (n) => times(n, "include::a[] `loadThing()` {a}\n"), path: "docs/page.adoc" },
  { name: "tags", page: (n) => `${times(n, "<div>")}<code>loadThing()</code>\n`, path: "docs/page.html" },
  {
    name: "many declarations",
    page: () => "Call `loadThing()`.\n",
    before: (n) => times(n, (i) => `export function a${i}() {}\n`),
    after: (n) => times(n, (i) => `export function b${i}() {}\n`),
  },
  {
    name: "different names on a line",
    page: (n) => times(n, (i) => `\`gone${i}()\` `),
    before: (n) => times(n, (i) => `export function gone${i}() {}\n`),
  },
  {
    name: "different names on lines",
    page: (n) => times(n, (i) => `Call \`gone${i}()\` now.\n`),
    before: (n) => times(n, (i) => `export function gone${i}() {}\n`),
  },
  {
    name: "different new names on a line",
    page: (n) => times(n, (i) => `\`old${i}()\` `),
    before: (n) => times(n, (i) => `export function old${i}() { return ${i}; }\n`),
    after: (n) => times(n, (i) => `export function new${i}() { return ${i}; }\n`),
  },
  {
    name: "a long array",
    page: () => "Call `loadThing()`.\n",
    after: (n) => `export const list = [${times(n, (i) => `"text ${i}", `)}];\n`,
  },
  { name: "lines of a sample", page: (n) => `\`\`\`js\n${times(n, "loadThing(3);\n")}\`\`\`\n` },
  {
    name: "comments of a source",
    page: () => "Call `loadThing()`.\n",
    after: (n) => times(n, "// loadThing `x` @param a\n"),
  },
  {
    name: "empty lines of a source",
    page: () => "Call `loadThing()`.\n",
    after: (n) => `${times(n * 10, "\n")}loadThing\n`,
  },
  {
    name: "words of a source",
    page: () => "Call `loadThing()`.\n",
    after: (n) => `/* ${times(n, "word word\n")} loadThing */\n`,
  },
  {
    name: "digits of a default",
    page: () => "The `limit` is 3 by default.\n",
    before: () => "export const limit = 3;\n",
    after: () => `export const limit = {${"0".repeat(190)}!\n`,
  },
  {
    name: "tags of an include",
    page: (n) => `\`loadThing\` ${times(n, "include::a.a[tag=")}\n`,
    path: "docs/page.adoc",
  },
  {
    name: "deep nesting",
    page: () => "Call `loadThing()`.\n",
    after: (n) => `export const deep = ${times(Math.min(n, 2000), "[")}1${times(Math.min(n, 2000), "]")};\n`,
  },
];

/** A repository with the page and the change in two commits. The caller removes it. */
export function craftRepository(
  { page, before, after, path = "docs/page.md" }: CraftedInput,
  n: number,
): string {
  const root = mkdtempSync(join(tmpdir(), "suture-crafted-"));
  const put = (name: string, text: string): void => {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  };
  const git = (...args: string[]): void =>
    void execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: root });
  git("init", "-q", "-b", "main");
  put("README.md", "# Tool\n");
  put(path, page(n));
  put("src/a.js", `export function loadThing() {}\n${before?.(n) ?? ""}`);
  git("add", "-A");
  git("commit", "-qm", "one");
  put("src/a.js", `export function readThing() {}\n${after?.(n) ?? ""}`);
  git("commit", "-qam", "two");
  return root;
}
