import { accept, type Outcome, refuse } from "../text/model/outcome.ts";
import { configPath } from "../tools/config-path.ts";
import { docsWords } from "../wording/drift.ts";
import { readCacheFile, writeCacheFile } from "../workspace/files/cache-file.ts";
import { openGit } from "../workspace/git/git.ts";
import { sha256 } from "../workspace/hash/sha256.ts";
import { openReader } from "../workspace/workspace.ts";
import type { Config } from "./config.ts";
import { isCi, openProject, type Project } from "./project.ts";

export type ProjectName = {
  readonly root: string;
  /** The folder that the caller names for the documents. */
  readonly docs?: string | undefined;
  /** Asks a person whether the code in a folder may be read for the documents of another. */
  readonly ask?: ((code: string, docs: string) => Promise<boolean>) | undefined;
};

/**
 * Opens the project that a caller names. Without a folder for the documents, the configuration of either side can name
 * the other one: `docs.root` beside the code, `code.root` beside the documents. Code that only the documents name is read
 * once a person agrees: a repository of a stranger could name any other one. In CI only the caller can name a clone,
 * because there a change must not choose what it is checked against.
 */
export async function openNamedProject({ root, docs, ask }: ProjectName): Promise<Outcome<Project>> {
  if (docs !== undefined || isCi()) return openProject({ root, docs });
  const git = await openGit(root);
  if (git === null) return openProject({ root, opened: null });
  const here = await readSide(git.top);
  if (here.codeTop !== undefined) {
    const isAllowed = await mayRead({ code: here.codeTop, docs: git.top, ask });
    if (!isAllowed)
      return refuse({ code: "not-allowed", detail: docsWords.notAllowed(here.codeTop, git.top) });
    return openProject({ root: here.codeTop, docs: git.top });
  }
  if (here.docsFolder === undefined) return openProject({ root, opened: git });
  const opened = await openProject({ root, docs: here.docsFolder, opened: git });
  if (!opened.ok || opened.value.docs === undefined) return opened;
  const there = (await openGit(here.docsFolder))?.top;
  const isAgreed = there !== undefined && (await readSide(there)).codeTop === git.top;
  return accept({ ...opened.value, docs: { ...opened.value.docs, isAgreed } });
}

/** Whether both clones name each other, or a person has agreed once. The answer "yes" is kept in the user's cache. */
async function mayRead({
  code,
  docs,
  ask,
}: {
  code: string;
  docs: string;
  ask: ProjectName["ask"];
}): Promise<boolean> {
  if (code === docs || (await isNamedBack(code, docs))) return true;
  const name = `agreed/${sha256(`${docs}\0${code}`)}`;
  if (readCacheFile(name) !== null) return true;
  const isAgreed = (await ask?.(code, docs)) ?? false;
  if (isAgreed) writeCacheFile(name, new Uint8Array());
  return isAgreed;
}

async function isNamedBack(code: string, docs: string): Promise<boolean> {
  const { docsFolder } = await readSide(code);
  return docsFolder !== undefined && (await openGit(docsFolder))?.top === docs;
}

/** The root that `fix` writes into. A clone that only the configuration of the code names is not written to. */
export function rootToWrite({ root, docs }: Project): Outcome<string> {
  if (docs === undefined) return accept(root);
  return docs.isAgreed
    ? accept(docs.root)
    : refuse({ code: "not-allowed", detail: docsWords.notAgreed(docs.root) });
}

/** The settings of a clone about the other side. */
type Side = { readonly docsFolder: string | undefined; readonly codeTop: string | undefined };

async function readSide(top: string): Promise<Side> {
  const { docs, code } = await readConfigAt(top);
  const { resolve } = process.getBuiltinModule("node:path");
  const codeFolder = code?.root === undefined ? undefined : resolve(top, code.root);
  return {
    docsFolder: docs?.root === undefined ? undefined : resolve(top, docs.root),
    codeTop: codeFolder === undefined ? undefined : ((await openGit(codeFolder))?.top ?? codeFolder),
  };
}

/** The configuration in the work tree. One that cannot be read is refused later, by the check. */
async function readConfigAt(top: string): Promise<Config> {
  const opened = await openReader(top, {});
  if (!opened.ok) return {};
  await using reader = opened.value;
  const read = await reader.read(configPath);
  if (!read.ok || read.value.text === null) return {};
  const { parseConfig } = await import("./config.ts");
  const parsed = parseConfig(read.value.text);
  return parsed.ok ? parsed.value.config : {};
}
