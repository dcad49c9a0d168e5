import { accept, type Outcome } from "../../text/model/outcome.ts";
import type { Git } from "../../workspace/git/git.ts";
import { configPath, type ParsedConfig, parseConfig } from "../config.ts";
import type { Project } from "../project.ts";
import type { Ends } from "./range.ts";

/** The configuration that holds for a check: that of the head, or of the trusted commit where the project says so. */
export async function readConfig(
  { reader, settings }: Pick<Project, "reader" | "settings">,
  git: Git,
  { head, trusted }: Ends,
): Promise<Outcome<ParsedConfig>> {
  const isOpen = head === "worktree" || head === "index";
  const read = settings === "head" && isOpen ? await reader?.read(configPath) : undefined;
  const text = read?.ok ? read.value.text : await readAt(git, settings === "base" || isOpen ? trusted : head);
  return text === null ? accept({ config: {}, warnings: [] }) : parseConfig(text);
}

async function readAt(git: Git, revision: string): Promise<string | null> {
  const file = (await git.tree(revision)).find(({ path }) => path === configPath);
  const bytes = file && (await git.blobs([file.id])).get(file.id);
  return bytes ? new TextDecoder().decode(bytes) : null;
}
