import { execFileSync } from "node:child_process";
import type { TextbookCase } from "./case.ts";

/** Writes every case as a branch of two commits into a new bare repository; the heads, by the ids of the cases. */
export function writeCases(folder: string, cases: readonly TextbookCase[]): ReadonlyMap<string, string> {
  execFileSync("git", ["init", "-q", "--bare", folder]);
  const commits = cases.flatMap((one) => [
    commit(one, one.base, { isFirst: true }),
    commit(one, one.head, {}),
  ]);
  execFileSync("git", ["fast-import", "--quiet"], { cwd: folder, input: commits.join("") });
  const format = "--format=%(refname:lstrip=2) %(objectname)";
  const listed = execFileSync("git", ["for-each-ref", format], { cwd: folder, encoding: "utf8" });
  return new Map(listed.split("\n").map((line) => line.split(" ") as [string, string]));
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
