import manifest from "../../package.json" with { type: "json" };
import { type PackageSource, releasedSource } from "../hosts/package-source.ts";
import { openGit } from "../workspace/git/git.ts";

/** Where the Suture that runs here came from, if others can get it from there too. */
export async function findInstalledSource(): Promise<PackageSource | null> {
  if (releasedSource.kind === "registry") return releasedSource;
  const root = packageRoot();
  return root === null ? null : (fromLock(root) ?? (await fromClone(root)));
}

/** Where npm got the Suture that runs here from, as far as its records say; else where anyone gets this version. */
export function findNpxSource(): PackageSource {
  const root = packageRoot();
  return (root === null ? null : fromLock(root)) ?? releasedSource;
}

/** The folder of the package, above the file that was started. */
function packageRoot(): string | null {
  const { existsSync, readFileSync, realpathSync } = process.getBuiltinModule("node:fs");
  const { dirname, join } = process.getBuiltinModule("node:path");
  const started = process.argv[1];
  if (started === undefined || !existsSync(started)) return null;
  for (let folder = dirname(realpathSync(started)); dirname(folder) !== folder; folder = dirname(folder)) {
    const file = join(folder, "package.json");
    if (existsSync(file) && JSON.parse(readFileSync(file, "utf8")).name === manifest.name) return folder;
  }
  return null;
}

type LockFile = { readonly packages?: Readonly<Record<string, { readonly resolved?: string } | undefined>> };

/** The git address that npm installed the package from, as its record of the folder says. */
function fromLock(root: string): PackageSource | null {
  const { existsSync, readFileSync } = process.getBuiltinModule("node:fs");
  const { join, sep } = process.getBuiltinModule("node:path");
  const tail = join("node_modules", ...manifest.name.split("/"));
  const lock = join(root.slice(0, -tail.length), "node_modules", ".package-lock.json");
  if (!root.endsWith(sep + tail) || !existsSync(lock)) return null;
  const { packages = {} } = JSON.parse(readFileSync(lock, "utf8")) as LockFile;
  const { resolved = "" } = packages[`node_modules/${manifest.name}`] ?? {};
  return resolved.startsWith("git+") ? { spec: withoutKey(resolved), kind: "git" } : null;
}

/** The address and the commit of a clone, where its remote can be reached without a key. */
async function fromClone(root: string): Promise<PackageSource | null> {
  const git = await openGit(root);
  const [commit, remotes] = git?.top === root ? [await git.resolve("HEAD"), await git.remotes()] : [null, []];
  const address = remotes.map((one) => withoutKey(one)).find((one) => /^https:\/\//.test(one));
  return commit === null || address === undefined ? null : { spec: `git+${address}#${commit}`, kind: "git" };
}

/** npm writes the addresses of public hosts with ssh; a runner has no key for them. */
function withoutKey(address: string): string {
  return address
    .replace(/^git\+ssh:\/\/git@/, "git+https://")
    .replace(/^(?:ssh:\/\/)?git@([\w.-]+)[:/]/, "https://$1/");
}
