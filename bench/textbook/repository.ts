import { execFileSync } from "node:child_process";
import type { TextbookCase } from "./case.ts";

/**
 * Writes every case as two commits into one new repository: `refs/heads/ID~1` is its base, `refs/heads/ID` its head.
 * One process of git takes them all.
 */
export function writeCases(folder: string, cases: readonly TextbookCase[]): void {
  execFileSync("git", ["init", "-q", folder]);
  const input = cases
    .map((one) => commit(one, one.base, { isFirst: true }) + commit(one, one.head, {}))
    .join("");
  execFileSync("git", ["fast-import", "--quiet"], { cwd: folder, input });
}

function commit(
  { id }: TextbookCase,
  files: Readonly<Record<string, string | null>>,
  { isFirst = false }: { readonly isFirst?: boolean },
): string {
  const branch = `refs/heads/${id}`;
  const begin = isFirst ? `reset ${branch}\n` : "";
  const changes = Object.entries(files).map(([path, text]) =>
    text === null ? `D ${path}\n` : file(path, text),
  );
  const who = "committer Textbook <textbook@example.org> 1735689600 +0000";
  return `${begin}commit ${branch}\n${who}\n${data(isFirst ? "Base" : "Head")}${changes.join("")}\n`;
}

function file(path: string, text: string): string {
  return `M ${text.startsWith("#!") ? "100755" : "100644"} inline ${path}\n${data(text)}`;
}

function data(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}\n`;
}
