import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openReader, openWorkspace } from "../src/workspace/workspace.ts";
import { type Crowd, runCrowd } from "./crowd.ts";
import { findLeftovers } from "./judge.ts";
import { makeDiskScene, removeDiskScene, type Scene } from "./scene.ts";
import { blame, count, type Tally } from "./tally.ts";

export type WriterOptions = Pick<Crowd, "processes" | "pieces" | "kills" | "random"> & {
  /** Writers without a lock, which the rig must object to. */
  readonly blind?: true;
};

/**
 * Many processes add lines to one file, one commit each, while some are killed. Every line that was answered as done
 * must be in the file once; a line that is there must have been tried; and the journal must be one chain of versions.
 */
export async function writeTogether(tally: Tally, { blind, ...options }: WriterOptions): Promise<void> {
  const scene = makeDiskScene({ lasting: false });
  try {
    scene.put("shared.md", "# Shared\n");
    const [tried, done] = [new Set<string>(), new Set<string>()];
    const { killed, troubles } = await runCrowd({
      ...options,
      child: "writer-child.ts",
      args: (name, pieces) => [scene.root, name, String(pieces), ...(blind ? ["blind"] : [])],
      hear: (line) => void (line.startsWith("done ") ? done : tried).add(line.split(" ")[1]!),
    });
    count(tally, "writers", options.processes);
    count(tally, "writers killed", killed);
    blame(tally, "writer", troubles);
    // Whoever comes next finishes what the last one to be killed had begun.
    blame(tally, "next", await recover(scene));
    blame(
      tally,
      "writers",
      compareLines(readFileSync(join(scene.root, "shared.md"), "utf8"), tried, done, tally),
    );
    if (!blind) blame(tally, "history", await checkChain(scene, tally));
    blame(tally, "state", findLeftovers(scene.state()));
  } finally {
    removeDiskScene(scene);
  }
}

async function recover(scene: Scene): Promise<string[]> {
  const opened = await openWorkspace(scene.root);
  if (!opened.ok) return [JSON.stringify(opened.refusal)];
  const findings = await opened.value.doctor();
  await opened.value.close();
  return findings.map(({ what, subject, detail }) => `${what} ${subject}: ${detail}`);
}

function compareLines(text: string, tried: Set<string>, done: Set<string>, tally: Tally): string[] {
  const lines = text.split("\n").slice(1, -1);
  const found = new Set(lines);
  count(tally, "edits answered as done", done.size);
  count(tally, "edits applied", found.size);
  return [
    ...(lines.length === found.size ? [] : [`${lines.length - found.size} lines are there twice`]),
    ...[...done].filter((line) => !found.has(line)).map((line) => `lost: ${line}`),
    ...lines.filter((line) => !tried.has(line)).map((line) => `from nowhere: ${line}`),
  ];
}

/** Every entry must start from the version that the one before it left, and no edit be recorded twice. */
async function checkChain(scene: Scene, tally: Tally): Promise<string[]> {
  const reader = await openReader(scene.root);
  if (!reader.ok) return [JSON.stringify(reader.refusal)];
  const bad: string[] = [];
  const reasons = new Set<string>();
  let next: string | null | undefined;
  let [before, length]: [string | undefined, number] = [undefined, 0];
  for (;;) {
    const page = await reader.value.history({ limit: 1000, ...(before ? { before } : {}) });
    if (page.length === 0) break;
    for (const { id, files, edits } of page) {
      if (next !== undefined && files[0]?.after?.version !== next)
        bad.push(`what follows ${id} starts from another version`);
      next = files[0]?.before?.version ?? null;
      reasons.add(edits[0]!.reason);
    }
    length += page.length;
    before = page.at(-1)!.id;
  }
  await reader.value.close();
  count(tally, "entries in the chain", length);
  if (reasons.size !== length) bad.push("an edit is recorded twice");
  return bad;
}
