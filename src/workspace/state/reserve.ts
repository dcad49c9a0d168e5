import { type Outcome, type Refusal, refuse } from "../../text/model/outcome.ts";
import { codeOf, ignoreIoError } from "../files/files.ts";
import { refusalOfIoError } from "../files/io-error.ts";
import { replaceFile, type StateAccess, unlinkIfThere } from "./state.ts";

/**
 * A file without use, which takes up room on the disk. On a full disk, undo and `gc` remove it first, so that they have
 * room for a lock, a transaction log and one new file.
 */
const reserveName = "reserve";
const smallest = 64 << 10;
const largestFile = 1 << 20;

/** Makes the reserve large enough for an undo in a file of this size. Returns the size it has; a full disk gives none. */
export async function keepReserve(access: StateAccess, fileSize: number, known = 0): Promise<number> {
  const { files, state } = access;
  const wanted = smallest + Math.ceil(Math.min(fileSize, largestFile) / smallest) * smallest;
  if (known >= wanted) return known;
  try {
    const present = (await files.stat(state.dir, reserveName))?.size ?? 0;
    if (present >= wanted) return present;
    // Some file systems store equal bytes in less room.
    const bytes = new Uint8Array(wanted);
    for (let at = 0; at < wanted; at += 65_536)
      crypto.getRandomValues(bytes.subarray(at, Math.min(wanted, at + 65_536)));
    await replaceFile(files, { dir: state.dir, name: reserveName, bytes, flush: "none" });
    return wanted;
  } catch (error) {
    ignoreIoError(error);
    return 0;
  }
}

const noSpace = new Set(["ENOSPC", "EDQUOT"]);

/** Runs work, and once more without the reserve if the disk is full. */
export async function withReserve<T>(
  { files, state }: StateAccess,
  work: () => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const first = await refuseFullDisk(work);
  if (first.ok || !foundNoSpace(first.refusal)) return first;
  if (!(await files.stat(state.dir, reserveName))) return first;
  await unlinkIfThere(files, state.dir, reserveName);
  return work();
}

/** Whether the disk was full and nothing is left for recovery to decide. Otherwise the work may be done already. */
function foundNoSpace(refusal: Refusal): boolean {
  const { errno, aftermath } = refusal as { readonly errno?: unknown; readonly aftermath?: unknown };
  return aftermath === undefined && noSpace.has(String(errno));
}

async function refuseFullDisk<T>(work: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
  try {
    return await work();
  } catch (error) {
    if (!noSpace.has(codeOf(error))) throw error;
    return refuse(refusalOfIoError(error));
  }
}
