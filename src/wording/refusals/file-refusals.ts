import type { Barrier, Refusal } from "../../text/model/outcome.ts";
import { sentence } from "../sentences.ts";
import type { RefusedCall, Words } from "./refused-call.ts";

/** An I/O error has an error number; any other reason is about the file itself. */
export function wordFileRefusal(refusal: FileRefusal, asked: RefusedCall): Words {
  return refusal.errno === undefined
    ? wordBarrier(refusal, asked)
    : wordIoError(refusal, refusal.path ?? asked.path);
}

/** Something about the file itself is in the way. */
function wordBarrier(refusal: FileRefusal, asked: RefusedCall): Words {
  const { detail, path = asked.path } = refusal;
  const barrier = refusal.code === "not-allowed" ? refusal.barrier : undefined;
  if (barrier === undefined) return { error: sentence(detail) };
  return {
    error: path === undefined ? sentence(detail) : `${path} is ${detail}.`,
    hint: `${barrierHints[barrier]} Nothing was written.`,
  };
}

const barrierHints: Readonly<Record<Barrier, string>> = {
  "other-disk": "Work with that folder as the root (`--root`), so that its journal lies on the same disk.",
  "hard-links": "Edit a copy with one name, or break the other names off first.",
  "special-bits": "Take the set-user, set-group or sticky bit off first (`chmod`).",
  "not-regular": "Only ordinary files are edited.",
  capability: "A write would remove them. Take them off first (`setcap -r`), and set them again afterwards.",
  attributes:
    "They would be lost, and an undo could not bring them back. Remove or move the file yourself, or take them off first (`setfacl -b`, `setfattr -x`).",
  "other-user":
    "Work in a clone or worktree of your own, or run Suture as that user. Reading and checking need no state.",
};

type FileRefusal = Extract<Refusal, { code: "not-allowed" | "unavailable" }>;

/** An I/O error: what it means for the files, and what would help. */
function wordIoError(refusal: FileRefusal, path: string | undefined): Words {
  const [what, help] = ioErrors[refusal.errno!] ?? ["the machine refused", ""];
  const subject = path === undefined ? "" : `${path}: `;
  const { aftermath = "none" } = refusal.code === "unavailable" ? refusal : {};
  return {
    error: `${subject}${subject === "" ? sentence(what, "") : what} (${refusal.detail}).`,
    hint: [help, stateAfter[aftermath]].filter((part) => part !== "").join(" "),
  };
}

const stateAfter = {
  none: "Nothing was changed.",
  open: "The next call finishes or reverses what was begun.",
  written: "The files are written; the next call finishes the record of it.",
};

const permissions =
  "Look at the permissions of the file and its folder, and whether it is immutable (`lsattr`).";
const fullDisk = "Free some space; `suture gc` shrinks Suture's own state.";
const ioErrors: Readonly<Record<string, readonly [what: string, help: string]>> = {
  EACCES: ["may not be written", permissions],
  EPERM: ["may not be replaced", permissions],
  EROFS: ["lies on a file system that is read-only", "Mount it for writing, or work on a copy."],
  EBUSY: ["is held by the system", "If it is mounted on its own, edit the file it is mounted from."],
  ENOSPC: ["the disk is full", fullDisk],
  EDQUOT: ["the disk quota is used up", fullDisk],
  EMFILE: ["too many files are open", "Raise the limit (`ulimit -n`) and try again."],
  ENFILE: ["too many files are open on this machine", "Try again in a moment."],
  EIO: ["the disk reports an error", "Look at the disk before you go on."],
  ENAMETOOLONG: ["the name is too long for this file system", "Choose a shorter one."],
};
