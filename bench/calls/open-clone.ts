import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readWholeInput } from "../../src/docs/check/drift-input.ts";
import { type DocumentPage, openPages } from "../../src/drift/change/change-model.ts";
import type { State } from "../../src/drift/state/state.ts";
import { openPresent } from "../../src/drift/state/states.ts";
import { openGit } from "../../src/workspace/git/git.ts";
import { Scratch } from "../drift/mirror.ts";

/** The pages of a clone that speak of today, and the project at its last commit. */
export type Clone = { readonly pages: readonly DocumentPage[]; readonly state: State };

export async function openClone(gitDir: string): Promise<Clone | null> {
  const folder = join(mkdtempSync(join(tmpdir(), "suture-calls-")), "repo");
  const scratch = new Scratch({ gitDir, folder });
  scratch.close();
  const git = await openGit(folder);
  const tip = await git?.resolve("HEAD");
  if (!git || !tip) return null;
  const { input } = await readWholeInput({
    git,
    reader: null,
    ends: { base: tip, head: tip, trusted: tip },
    config: {},
  });
  return { pages: openPages(input.documents), state: openPresent(input) };
}
