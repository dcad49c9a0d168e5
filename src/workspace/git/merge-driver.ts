import { createRunner, createStarter } from "./run-git.ts";

/** The name under which git knows the driver. */
const DRIVER = "suture";
const LINE = `* merge=${DRIVER}`;

/**
 * Sets Suture up as the merge driver of one clone, or takes that back: in the clone's own settings and attributes, which
 * git does not share. False where there is no clone.
 */
export async function setMergeDriver(root: string, command: string | null): Promise<boolean> {
  const git = createRunner(createStarter(root));
  const place = await git(["rev-parse", "--path-format=absolute", "--git-path", "info/attributes"]);
  if (place === null) return false;
  changeAttributes(new TextDecoder().decode(place).trimEnd(), command !== null);
  if (command === null) {
    await git(["config", "--local", "--remove-section", `merge.${DRIVER}`]);
    return true;
  }
  await git(["config", "--local", `merge.${DRIVER}.name`, "Suture: by syntax where lines conflict"]);
  await git(["config", "--local", `merge.${DRIVER}.driver`, command]);
  return true;
}

/** The line comes first, so that what the project says about a file overrules it. */
function changeAttributes(path: string, isWanted: boolean): void {
  const fs = process.getBuiltinModule("node:fs");
  const { dirname } = process.getBuiltinModule("node:path");
  const old = fs.existsSync(path) ? fs.readFileSync(path, "utf8") : "";
  const others = old.split("\n").filter((line) => line !== LINE);
  const text = isWanted ? [LINE, ...others].join("\n") : others.join("\n");
  if (text === old) return;
  fs.mkdirSync(dirname(path), { recursive: true });
  fs.writeFileSync(path, text);
}
