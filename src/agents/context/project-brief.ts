import { hasDocumentEnding } from "../../syntax/formats/registry.ts";
import type { RepositoryIndex } from "./repository-index.ts";

const longestOpening = 1500;

/** A project in a few lines, from its manifest and the opening of its README, for planners. */
export async function describeProject(name: string, index: RepositoryIndex): Promise<string> {
  const readme = findReadme(index.paths);
  const opening = readme === null ? "" : ((await index.read(readme)) ?? "");
  const description = describe((await index.read("package.json")) ?? "");
  return [`Project: ${name}`, description, cutOpening(opening)].filter((part) => part !== "").join("\n\n");
}

/** The README at the top of a project, however its name is spelled; `null` where there is none. */
export function findReadme(paths: readonly string[]): string | null {
  const found = paths.filter(
    (path) =>
      /^readme(\.(txt|org))?$/i.test(path) || (/^readme\.\w+$/i.test(path) && hasDocumentEnding(path)),
  );
  return found.sort((a, b) => rank(a) - rank(b))[0] ?? null;
}

function rank(path: string): number {
  return /\.(md|markdown)$/i.test(path) ? 0 : path.includes(".") ? 1 : 2;
}

function describe(manifest: string): string {
  try {
    const { description } = JSON.parse(manifest) as { description?: unknown };
    return typeof description === "string" ? description : "";
  } catch {
    return "";
  }
}

function cutOpening(text: string): string {
  const words = text
    .replace(/<[^<>]*>|!?\[!\[[^\n]*/g, " ")
    .replace(/(?<![ \t])[ \t]+$/gm, "")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
  return words.length <= longestOpening
    ? words
    : `${words.slice(0, words.lastIndexOf("\n", longestOpening))}\n…`;
}
