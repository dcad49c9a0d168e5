import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type HistoryItem, openWorkspace, type Workspace } from "../src/workspace/workspace.ts";
import { type Crowd, runCrowd } from "./crowd.ts";
import { findLeftovers } from "./judge.ts";
import { makeDiskScene, removeDiskScene } from "./scene.ts";
import { blame, count, type Tally } from "./tally.ts";

export type WriteOptions = Pick<Crowd, "processes" | "pieces" | "kills" | "random"> & {
  /** Writers without a lock, which the rig must detect. */
  readonly blind?: true;
};

/** What the writers printed, in order: values they began to write, planned again, finished, and found missing. */
type Said = Record<"try" | "again" | "done" | "lost", Set<string>>;

/**
 * Many processes change their lines of one file, in one commit each, while some are killed. Every acknowledged value must
 * be one entry of the history, and every entry must be of a value that a writer tried. The entries must form one chain of
 * versions that ends in the file, and the file must show each writer's last value.
 */
export async function writeTogether(tally: Tally, { blind, ...options }: WriteOptions): Promise<void> {
  const scene = makeDiskScene({ lasting: false });
  try {
    const lines = Array.from({ length: options.processes }, (_, i) => `line ${i}: none\n`);
    scene.put("shared.md", lines.join(""));
    const said: Said = { try: new Set(), again: new Set(), done: new Set(), lost: new Set() };
    const { killed, errors } = await runCrowd({
      ...options,
      child: "writer-child.ts",
      args: (name, pieces) => [scene.root, lineOf(name), name, String(pieces), ...(blind ? ["blind"] : [])],
      onLine: (line) => {
        const [what, value] = line.split(" ") as [keyof Said, string];
        said[what].add(value);
      },
    });
    count(tally, "writers", options.processes);
    count(tally, "writers killed", killed);
    count(tally, "edits answered as done", said.done.size);
    count(tally, "edits planned again", said.again.size);
    blame(tally, "writer", errors);
    const opened = await openWorkspace(scene.root);
    if (!opened.ok) return blame(tally, "next", [JSON.stringify(opened.refusal)]);
    const text = readFileSync(join(scene.root, "shared.md"), "utf8");
    blame(tally, "file", [
      ...[...said.lost].map((value) => `lost at once: ${value}`),
      ...checkLines(text, said),
    ]);
    if (!blind) blame(tally, "history", await checkHistory(opened.value, text, said, tally));
    for (const { what, subject, detail } of await opened.value.doctor())
      blame(tally, "doctor", [`${what} ${subject}: ${detail}`]);
    await opened.value.close();
    blame(tally, "state", findLeftovers(scene.state()));
  } finally {
    removeDiskScene(scene);
  }
}

const lineOf = (name: string): string => `line ${name.split("-")[0]}`;

/** Each line must show the last value of its writer, or one that the writer was writing when it was killed. */
function checkLines(text: string, { try: tried, done }: Said): string[] {
  const last = new Map([...done].map((value) => [lineOf(value), value]));
  const bad: string[] = [];
  for (const [line, value] of last) {
    const shown = text
      .split("\n")
      .find((each) => each.startsWith(`${line}: `))
      ?.slice(line.length + 2);
    const open = shown !== undefined && tried.has(shown) && !done.has(shown);
    if (shown !== value && !open) bad.push(`${line} shows ${shown}, but ${value} was answered as done`);
  }
  return bad;
}

async function checkHistory(
  workspace: Workspace,
  text: string,
  { try: tried, done }: Said,
  tally: Tally,
): Promise<string[]> {
  const bad: string[] = [];
  const found = new Set<string>();
  let version = createHash("sha256").update(text).digest("hex");
  let length = 0;
  for await (const { id, files, edits } of newestFirst(workspace)) {
    length++;
    found.add(edits[0]!.reason);
    if (files[0]!.after?.version !== version) bad.push(`entry ${id} does not lead to what follows it`);
    if (!tried.has(edits[0]!.reason))
      bad.push(`entry ${id} is of ${edits[0]!.reason}, which no writer tried`);
    version = files[0]!.before!.version;
  }
  count(tally, "entries in one chain", length);
  if (found.size !== length) bad.push(`${length - found.size} edits were applied twice`);
  return [...bad, ...[...done].filter((value) => !found.has(value)).map((value) => `lost: ${value}`)];
}

async function* newestFirst(workspace: Workspace): AsyncGenerator<HistoryItem> {
  for (let before: string | undefined; ; ) {
    const page: readonly HistoryItem[] = await workspace.history({
      limit: 1000,
      ...(before ? { before } : {}),
    });
    if (page.length === 0) return;
    yield* page;
    before = page.at(-1)!.id;
  }
}
