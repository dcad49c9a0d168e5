import { HOST_SITES } from "../../syntax/code-hosts.ts";
import type { Git } from "../../workspace/git/git.ts";

const HOSTED = new RegExp(String.raw`(?:${HOST_SITES})[/:]([\w.-]+\/[\w.-]+?)(?:\.git)?(?=["'#\s/]|$)`, "gi");
const MANIFESTS = ["package.json", "Cargo.toml", "go.mod", "pyproject.toml", "composer.json"];
const NAMING = /repository|homepage|^module |"url"|source/i;

/** The texts at the head that may name the repository. */
export type NamingFiles = {
  readonly has: (path: string) => boolean;
  readonly text: (path: string) => Promise<string | null>;
};

/** Names (`owner/name`) under which code hosts know the repository: of its remotes and of the manifests at its root. */
export async function findOwnNames(git: Git, files: NamingFiles): Promise<string[]> {
  const remotes = await git.remotes();
  const declared = await Promise.all(
    MANIFESTS.filter(files.has).map(async (path) => namingLines(await files.text(path))),
  );
  const named = [...remotes, ...declared].flatMap((text) =>
    [...text.matchAll(HOSTED)].map((match) => match[1]!.toLowerCase()),
  );
  return [...new Set(named)];
}

/** The lines of a manifest that say where the project lives, not what it depends on. */
function namingLines(text: string | null): string {
  return (text ?? "")
    .split("\n")
    .filter((line) => NAMING.test(line))
    .join("\n");
}
