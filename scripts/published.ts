import { globSync } from "node:fs";

/** Stands for the owner of the public repository until there is one; docs/publishing.md says how it is set. */
export const placeholder = "OWNER";

/** The files that people write and that name our own version or the owner of the repository. Others are generated. */
export const publishedFiles: readonly string[] = [
  "package.json",
  "package-lock.json",
  "packages/fleet/package.json",
  "editors/vscode/package.json",
  ".pre-commit-hooks.yaml",
  "docs/ci.md",
  "README.md",
  "docs/get-started.md",
  "templates/suture.yml",
  ...globSync("docs/ci/*.yml").sort(),
];

/** Each way in which a file states the version of this package, with the version as the group. */
const statements: Readonly<Record<string, readonly RegExp[]>> = {
  // In a lock file only its head is ours: what follows are other packages.
  "package-lock.json": [
    /^\{\n {2}"name": "suture",\n {2}"version": "([^"]+)"/g,
    /^ {4}"": \{\n {6}"name": "suture",\n {6}"version": "([^"]+)"/gm,
    /^ {6}"name": "suture-fleet",\n {6}"version": "([^"]+)"/gm,
    /^ {8}"suture": "(\d[^"]*)"/gm,
  ],
  json: [/^ {2}"version": "([^"]+)"/gm, /^ {4}"suture": "(\d[^"]*)"/gm],
  other: [/\bsuture@(\d[\w.-]*)/g, /\bsuture\.git#v(\d[\w.-]*\w)/g, /\brev: v(\d[\w.-]*)/g],
};

/** Every version of this package that a file states. */
export function versionsIn(path: string, text: string): string[] {
  return statementsOf(path).flatMap((statement) => [...text.matchAll(statement)].map((match) => match[1]!));
}

/** The file with `version` wherever it stated the version of this package. */
export function withVersion(path: string, text: string, before: string, version: string): string {
  const set = (statement: string): string => statement.replace(before, () => version);
  return statementsOf(path).reduce((now, statement) => now.replace(statement, set), text);
}

function statementsOf(path: string): readonly RegExp[] {
  return statements[path] ?? (path.endsWith(".json") ? statements.json! : statements.other!);
}

/** The owner of the repository that package.json names. */
export function ownerIn(manifest: string): string {
  const { repository } = JSON.parse(manifest) as { repository: { url: string } };
  const owner = /github\.com\/([^/]+)\//.exec(repository.url)?.[1];
  if (owner === undefined) throw new Error("package.json names no repository on github.com");
  return owner;
}

/**
 * The text with another owner in the address of the repository, its short form and the name in the MCP registry. npm writes
 * its scopes in lower case.
 */
export function withOwner(text: string, before: string, owner: string): string {
  const mentions = new RegExp(`(?<=^|github\\.com/|io\\.github\\.|uses: )${before}(?=/suture\\b)`, "gm");
  return text
    .replace(mentions, () => owner)
    .replaceAll(`@${before}/suture`, () => `@${owner.toLowerCase()}/suture`);
}
