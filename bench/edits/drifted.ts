import { createHash } from "node:crypto";
import type { Clone } from "./clone.ts";
import { matchPatch, type PatchEngine, type PatchJob, peerEngines, sutureEngines } from "./engines.ts";
import { type DriftedChange, driftedChanges, gitMerge } from "./histories.ts";
import { openListed, type Setting } from "./setting.ts";
import { Tally } from "./tally.ts";

/** A change of the list, the version it is tried on, and the blob of the clean merge. */
type ListedDrift = DriftedChange & {
  readonly id: string;
  readonly repo: string;
  readonly result_blob: string;
};

/** The listed changes on other versions of their files, with every amount of context. */
export function measureDrifted(setting: Setting): Tally {
  const tally = new Tally();
  for (const { entry, clone } of openListed<ListedDrift>("drifted_dev.jsonl", setting))
    measureOne(
      { clone, change: entry, id: entry.id },
      { isRight: isBlob(entry.result_blob), setting, tally },
    );
  return tally;
}

/** Further changes, from the histories of clones that are not on the list. */
export function measureHistories(setting: Setting): Tally {
  const tally = new Tally();
  for (const clone of setting.unlisted())
    for (const change of driftedChanges(clone, setting.cases, setting.round)) {
      const [base, theirs, ours] = [change.from, change.to, change.onto].map((id) => clone.bytes(id));
      const wanted = base && theirs && ours && gitMerge({ base, theirs, ours });
      if (!wanted || wanted.equals(ours) || wanted.equals(theirs)) continue;
      const isRight = (bytes: Uint8Array): boolean => wanted.equals(bytes);
      measureOne(
        { clone, change, id: `${clone.name} ${Object.values(change).join(" ")}` },
        { isRight, setting, tally },
      );
    }
  return tally;
}

type DriftCase = { readonly clone: Clone; readonly change: DriftedChange; readonly id: string };
type Judging = {
  readonly isRight: (bytes: Uint8Array) => boolean;
  readonly setting: Setting;
  readonly tally: Tally;
};

function measureOne({ clone, change, id }: DriftCase, { isRight, setting, tally }: Judging): void {
  const [base, to, onto] = [change.from, change.to, change.onto].map((blob) => clone.bytes(blob));
  if (!base || !to || !onto) return;
  const judge = (row: string, engine: PatchEngine, job: PatchJob): void => {
    const after = engine(job);
    const fate = after === null ? "refused" : isRight(after) ? "right" : "wrong";
    tally.add(row, fate, fate === "wrong" && row.includes("Suture") ? () => id : undefined);
  };
  const engines = { ...sutureEngines, ...(setting.hasPeers ? peerEngines : {}) };
  for (const context of setting.contexts) {
    const job = { patch: clone.diff(change.from, change.to, context), onto, base, to };
    for (const [name, engine] of Object.entries(engines)) judge(`-U${context}, ${name}`, engine, job);
  }
  if (setting.hasPeers) judge("diff-match-patch", matchPatch, { patch: Buffer.alloc(0), onto, base, to });
}

/** Whether bytes are those of a blob; a clean merge of the list is known by its id alone. */
export function isBlob(wanted: string): (bytes: Uint8Array) => boolean {
  return (bytes) =>
    createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex") === wanted;
}
