import { type CloneBarrier, findOwnFiles, type OwnFile, writeOwnFile } from "./own-files.ts";
import { createRunner, createStarter } from "./run-git.ts";

/** The name under which git knows the driver. */
const DRIVER = "suture";
const LINE = `* merge=${DRIVER}`;

/**
 * Sets Suture up as the merge driver of one clone, or takes that back: in the clone's own settings and attributes, which
 * git does not share.
 */
export async function setMergeDriver(root: string, command: string | null): Promise<CloneBarrier | null> {
  const found = findOwnFiles(root, ["info/attributes"]);
  if (typeof found === "string") return found;
  const [{ path, text: old }] = found as [OwnFile];
  // The line comes first, so that what the project says about a file overrules it.
  const others = old.split("\n").filter((line) => line !== LINE);
  const text = (command === null ? others : [LINE, ...others]).join("\n");
  if (text !== old) writeOwnFile(path, text);
  const git = createRunner(createStarter(root));
  if (command === null) {
    await git(["config", "--local", "--remove-section", `merge.${DRIVER}`]);
    return null;
  }
  await git(["config", "--local", `merge.${DRIVER}.name`, "Suture: by syntax where lines conflict"]);
  await git(["config", "--local", `merge.${DRIVER}.driver`, command]);
  return null;
}
