import { accept, type Barrier, type Outcome, refuse } from "../../text/model/outcome.ts";
import { readAll, writeAll } from "../files/content.ts";
import { codeOf, type Dir, type Files, ignoreIoError, type Stat, withoutLinks } from "../files/files.ts";

export const stateName = ".suture";

/** The open state directory `.suture/` of a workspace, and its folders. Only its owner can read it. */
export type State = {
  readonly dir: Dir;
  readonly journal: Dir;
  readonly backups: Dir;
  /** Saved copies of files, named by the hash of their content. */
  readonly blobs: Dir;
  /** Holds staged new files and old files that were moved away. */
  readonly stage: Dir;
  readonly lock: Dir;
  readonly audit: Dir;
  readonly device: string;
  /** Device and inode of the directory, which identify the root under any name. */
  readonly identity: string;
  /** Whether the file system has hard links and permissions. */
  readonly links: boolean;
  readonly modes: boolean;
  /** Files that are created in its folders get an access control list from there. */
  readonly lists: boolean;
  /** The directory is a copy from another place, so its unfinished transactions may be about other files. */
  readonly copied: boolean;
};

/** State, and the port to access it. */
export type StateAccess = { readonly files: Files; readonly state: State };

/** The content of `state.json`. */
type Stamp = Capabilities & { readonly format: number; readonly host: string; readonly directory: string };

/** Features of the file system: hard links, permissions, inherited access control lists. */
type Capabilities = Pick<State, "links" | "modes" | "lists">;

const format = 1;
const stampName = "state.json";
const ignoreText = "# Kept by Suture. Only lineage.json is meant to be committed.\n*\n!/lineage.json\n";
const folderNames = ["journal", "backups", "stage", "lock", "audit"] as const;

/** Opens the state directory. Where it is missing, `create` creates it; otherwise the result is `null`. */
export async function openStateDir(
  files: Files,
  root: Dir,
  { create }: { create: boolean },
): Promise<Outcome<State | null>> {
  if (!(await files.stat(root, stateName))) {
    if (!create) return accept(null);
    await makeFolder(files, root, stateName);
  }
  const found = await files.stat(root, stateName);
  const problem = problemOf(found, files.user());
  if (problem) return refuse({ code: "not-allowed", path: stateName, ...problem });
  const dir = await files.openDir(root, stateName);
  try {
    const opened = await openFound(files, { root, dir, mode: found?.mode ?? 0, create });
    if (!opened.ok || opened.value === null) await files.close(dir);
    return opened;
  } catch (error) {
    await files.close(dir);
    throw error;
  }
}

type FoundState = {
  readonly root: Dir;
  readonly dir: Dir;
  readonly mode: number;
  readonly create: boolean;
};

async function openFound(
  files: Files,
  { root, dir, mode, create }: FoundState,
): Promise<Outcome<State | null>> {
  const stamp = parseStamp(await readSmall(files, dir, stampName));
  if (stamp && stamp.format > format) {
    const detail = `its format ${stamp.format} is newer than ${format}, the newest that this version can read`;
    return refuse({ code: "unavailable", path: stateName, detail });
  }
  if (stamp?.modes && (mode & 0o022) !== 0)
    return refuse({ code: "not-allowed", path: stateName, detail: "other users may write to it" });
  if (!stamp && !create) return accept(null);
  const { host, directory, ...capabilities } = stamp ?? (await initialiseOnce(files, root, dir));
  const opened = await openFolders(files, dir);
  if (!opened.ok) return opened;
  const folders = opened.value;
  try {
    const here = await stampOf(files, dir, capabilities);
    const copied =
      here.host !== host || (here.directory !== directory && here.directory !== "" && directory !== "");
    const { device, identity } = await files.statOpen(dir);
    return accept({
      ...folders,
      dir,
      device,
      identity,
      ...capabilities,
      copied,
    });
  } catch (error) {
    await closeAll(files, Object.values(folders));
    throw error;
  }
}

async function closeAll(files: Files, dirs: readonly Dir[]): Promise<void> {
  for (const dir of dirs) await files.close(dir);
}

/** Records that the state belongs to this place now. */
export async function stampState({ files, state }: StateAccess): Promise<void> {
  const bytes = printStamp(await stampOf(files, state.dir, state));
  await replaceFile(files, { dir: state.dir, name: stampName, bytes, flush: "both" });
}

export async function closeState(files: Files, state: State): Promise<void> {
  for (const dir of [
    state.dir,
    state.journal,
    state.backups,
    state.blobs,
    state.stage,
    state.lock,
    state.audit,
  ])
    await files.close(dir);
}

const privateMode = 0o700;

/** Whether only the owner can read the state; true where the file system has no permissions. */
export async function isPrivate({ files, state }: StateAccess): Promise<boolean> {
  return !state.modes || ((await files.statOpen(state.dir)).mode & 0o077) === 0;
}

export async function makePrivate(access: StateAccess): Promise<void> {
  const { files, state } = access;
  if (!(await isPrivate(access))) await files.setMode(state.dir, privateMode);
  if (!(await files.stat(state.dir, ".gitignore"))) await writeIgnore(files, state.dir);
}

export type FileReplacement = {
  readonly dir: Dir;
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Flushes the content, the content and the name, or neither. */
  readonly flush: "none" | "file" | "both";
};

/** Writes a file under a draft name and renames it, so that the name always leads to a whole file. */
export async function replaceFile(files: Files, { dir, name, bytes, flush }: FileReplacement): Promise<void> {
  const draft = `${name}.${files.randomId()}.draft`;
  const file = await files.create(dir, draft, 0o600);
  try {
    try {
      await writeAll(files, file, bytes);
      if (flush !== "none") await files.flush(file);
    } finally {
      await files.close(file);
    }
    await files.rename(dir, draft, dir, name);
  } catch (error) {
    await files.unlink(dir, draft).catch(ignoreIoError);
    throw error;
  }
  if (flush === "both") await files.flushDir(dir);
}

/** Removes a name, if it exists. */
export async function unlinkIfThere(files: Files, dir: Dir, name: string): Promise<void> {
  try {
    await files.unlink(dir, name);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
}

/** The bytes of a small file; `null` where the name does not exist. */
export async function readSmall(files: Files, dir: Dir, name: string): Promise<Uint8Array | null> {
  try {
    const file = await files.openRead(dir, name);
    try {
      return await readAll(files, file, (await files.statOpen(file)).size);
    } finally {
      await files.close(file);
    }
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  }
}

/** Creates a directory that only its owner can enter, unless the name exists. */
export async function makeFolder(files: Files, dir: Dir, name: string): Promise<void> {
  try {
    await files.mkdir(dir, name, 0o700);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
}

function problemOf(
  found: Stat | null,
  user: number | null,
): { readonly detail: string; readonly barrier?: Barrier } | null {
  if (found?.kind === "link") return { detail: "it is a link" };
  if (found?.kind !== "directory") return { detail: "it is not a directory" };
  if (user === null || found.uid === user) return null;
  return { barrier: "other-user", detail: `the private state of user ${found.uid}; this is user ${user}` };
}

const mostTries = 10;

/** Several processes may initialise at once, and the first lock owner may remove the drafts of the others. */
async function initialiseOnce(files: Files, root: Dir, dir: Dir): Promise<Stamp> {
  for (let tried = 1; ; tried++) {
    try {
      return parseStamp(await readSmall(files, dir, stampName)) ?? (await initialise(files, root, dir));
    } catch (error) {
      if (codeOf(error) !== "ENOENT" || tried === mostTries) throw error;
    }
  }
}

async function initialise(files: Files, root: Dir, dir: Dir): Promise<Stamp> {
  await files.setMode(dir, privateMode);
  for (const name of folderNames) await makeFolder(files, dir, name);
  const backups = await files.openDir(dir, "backups");
  await makeFolder(files, backups, "blobs");
  await files.flushDir(backups);
  await files.close(backups);
  await writeIgnore(files, dir);
  const modes = (await files.statOpen(dir)).mode === privateMode;
  const lists = (await files.defaultMode(dir)) !== null;
  const stamp = await stampOf(files, dir, { links: await tryLinks(files, dir), modes, lists });
  await replaceFile(files, { dir, name: stampName, bytes: printStamp(stamp), flush: "both" });
  await files.flushDir(root);
  return stamp;
}

async function writeIgnore(files: Files, dir: Dir): Promise<void> {
  const bytes = new TextEncoder().encode(ignoreText);
  await replaceFile(files, { dir, name: ".gitignore", bytes, flush: "none" });
}

async function tryLinks(files: Files, dir: Dir): Promise<boolean> {
  const [one, other] = [`${files.randomId()}.draft`, `${files.randomId()}.draft`];
  await files.close(await files.create(dir, one, 0o600));
  try {
    await files.link(dir, one, dir, other);
    await files.unlink(dir, other);
    return true;
  } catch (error) {
    if (withoutLinks.has(codeOf(error))) return false;
    throw error;
  } finally {
    await files.unlink(dir, one);
  }
}

async function stampOf(files: Files, dir: Dir, { links, modes, lists }: Capabilities): Promise<Stamp> {
  const { stableIdentity } = await files.fileSystem(dir);
  // Device numbers change at a reboot, so only the inode identifies the directory. A copy has another inode.
  const { identity } = await files.statOpen(dir);
  const directory = stableIdentity ? identity.slice(identity.indexOf(":") + 1) : "";
  return { format, host: files.self().host, directory, links, modes, lists };
}

function printStamp(stamp: Stamp): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(stamp)}\n`);
}

function parseStamp(bytes: Uint8Array | null): Stamp | null {
  try {
    const {
      format: number,
      host,
      directory,
      links,
      modes,
      lists,
    } = JSON.parse(new TextDecoder().decode(bytes ?? new Uint8Array()));
    const capabilities = { links: links === true, modes: modes === true, lists: lists === true };
    return { format: Number(number), host: String(host), directory: String(directory), ...capabilities };
  } catch {
    return null;
  }
}

type Folders = Pick<State, "journal" | "backups" | "blobs" | "stage" | "lock" | "audit">;

/**
 * Opens every folder of an initialised state. A copy may have lost an empty folder, so a missing one is created; a reader
 * that went on without it would see no entries.
 */
async function openFolders(files: Files, dir: Dir): Promise<Outcome<Folders>> {
  const opened: Record<string, Dir> = {};
  try {
    for (const name of [...folderNames, "blobs"]) {
      const parent = name === "blobs" ? opened.backups! : dir;
      const present = await createIfMissing(files, parent, name);
      if (!present.ok) {
        await closeAll(files, Object.values(opened));
        return present;
      }
      opened[name] = await files.openDir(parent, name);
    }
    return accept(opened as Folders);
  } catch (error) {
    await closeAll(files, Object.values(opened));
    throw error;
  }
}

async function createIfMissing(files: Files, parent: Dir, name: string): Promise<Outcome<true>> {
  if (await files.stat(parent, name)) return accept(true);
  try {
    await makeFolder(files, parent, name);
    return accept(true);
  } catch (error) {
    const path = name === "blobs" ? `${stateName}/backups/blobs` : `${stateName}/${name}`;
    const errno = codeOf(error);
    const detail = `the folder is missing and cannot be created: ${errno}`;
    return refuse({ code: "unavailable", errno, path, detail });
  }
}
