import type { Files } from "../src/workspace/files/files.ts";
import { type Call, interpose } from "./interpose.ts";

/** A protocol broken in one place by a port that omits or delays an operation, and the workload that shows it. */
export type Mutant = { readonly workload: string; readonly spoil: (files: Files) => Files };

/** The first six are the ones that every crash rig must catch. */
export const mutants: Readonly<Record<string, Mutant>> = {
  "no flush of staged files": {
    workload: "edit 2",
    spoil: (files) => without(files, (call) => call.name === "flush" && isStaged(call)),
  },
  "no flush of the commit record": { workload: "edit 2", spoil: withoutCommitFlush },
  "files are replaced before the commit record": { workload: "edit 2", spoil: delayCommit },
  "no flush of directories at the end": { workload: "edit 2", spoil: withoutLastDirFlush },
  "no flush of directories before the commit record": { workload: "edit 2", spoil: withoutFirstDirFlush },
  "no flush of the journal's directory": {
    workload: "edit 2",
    spoil: (files) => without(files, (call) => call.name === "flushDir" && isJournal(call)),
  },
  "no flush of old bytes": {
    workload: "edit 2, without hard links",
    spoil: (files) => without(files, ({ name, path }) => name === "flush" && path.includes("/blobs/")),
  },
  "modes are set after the flush": { workload: "mode", spoil: modesLate },
};

function withoutCommitFlush(files: Files): Files {
  let last = "";
  return interpose(files, async (call, proceed) => {
    if (isRecord(call)) last = recordType(call);
    return call.name === "flush" && isLog(call) && last === "commit" ? undefined : proceed();
  });
}

function withoutLastDirFlush(files: Files): Files {
  let committed = false;
  return interpose(files, async (call, proceed) => {
    if (isRecord(call)) committed ||= recordType(call) === "commit";
    return call.name === "flushDir" && !isOurs(call) && committed ? undefined : proceed();
  });
}

function withoutFirstDirFlush(files: Files): Files {
  let committed = false;
  return interpose(files, async (call, proceed) => {
    if (isRecord(call)) committed = recordType(call) === "commit";
    return call.name === "flushDir" && !isJournal(call) && !committed ? undefined : proceed();
  });
}

/** Recovery that acts on the journal without making it durable first. */
export function withoutJournalFlushes(files: Files): Files {
  return without(
    files,
    (call) => (call.name === "flush" && isLog(call)) || (call.name === "flushDir" && isJournal(call)),
  );
}

function without(files: Files, isLeftOut: (call: Call) => boolean): Files {
  return interpose(files, async (call, proceed) => (isLeftOut(call) ? undefined : proceed()));
}

/** Delays the commit record until the next record, when every file has been replaced. */
function delayCommit(files: Files): Files {
  let held: (() => Promise<unknown>) | null = null;
  return interpose(files, async (call, proceed) => {
    if (isRecord(call) && recordType(call) === "commit") {
      held = proceed;
      return call.bytes!.length;
    }
    if (isRecord(call)) {
      await held?.();
      held = null;
    }
    return held && call.name === "flush" && isLog(call) ? undefined : proceed();
  });
}

function modesLate(files: Files): Files {
  const late = new Map<unknown, () => Promise<unknown>>();
  return interpose(files, async (call, proceed) => {
    if (call.name === "setMode" && isStaged(call)) return void late.set(call.handle, proceed);
    const result = await proceed();
    if (call.name === "flush") await late.get(call.handle)?.();
    if (call.name === "flush") late.delete(call.handle);
    return result;
  });
}

const isStaged = ({ path }: Call): boolean => path.startsWith(".suture/stage/");
const isJournal = ({ path }: Call): boolean => path === ".suture/journal";
const isLog = ({ path }: Call): boolean => path.startsWith(".suture/journal/");
const isOurs = ({ path }: Call): boolean => path.startsWith(".suture");
const isRecord = (call: Call): boolean => call.name === "write" && isLog(call);

function recordType({ bytes }: Call): string {
  return (
    /^suture-journal [0-9]+ ([a-z]+) /.exec(Buffer.from(bytes!.subarray(0, 60)).toString("latin1"))?.[1] ?? ""
  );
}
