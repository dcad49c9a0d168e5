import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import { readAll, writeAll } from "../files/content.ts";
import { codeOf, type Dir, type Files, type Stat, withoutLinks } from "../files/files.ts";

export const stateName = ".suture";

/** The state of a workspace, open: `.suture/` and what is in it, private to its owner. */
export type State = {
  readonly dir: Dir;
  readonly journal: Dir;
  readonly backups: Dir;
  /** Images of files by the hash of their content. */
  readonly blobs: Dir;
  /** New files wait here, and old ones that are moved away, on the same file system as most of the root. */
  readonly stage: Dir;
  readonly lock: Dir;
  readonly audit: Dir;
  readonly device: string;
  /** Device and inode of the directory: one root, however it is named. */
  readonly identity: string;
  /** Whether the file system has hard links, and permissions. */
  readonly links: boolean;
  readonly modes: boolean;
  /** The directory was copied here from elsewhere: what it says is unfinished may be about other files. */
  readonly copied: boolean;
};

/** What the state knows about itself. */
type Stamp = Powers & { readonly format: number; readonly host: string; readonly directory: string };

/** What the file system can do: hard links, permissions. */
type Powers = { readonly links: boolean; readonly modes: boolean };

const format = 1;
const stampName = "state.json";
const ignoreText = "# Kept by Suture. Only lineage.json is meant to be committed.\n*\n!/lineage.json\n";
const folderNames = ["journal", "backups", "stage", "lock", "audit"] as const;

/** Opens the state, making it where it is missing and `create` says so; `null` where there is none. */
export async function openState(
  files: Files,
  root: Dir,
  { create }: { create: boolean },
): Promise<Outcome<State | null>> {
  if (!(await files.stat(root, stateName))) {
    if (!create) return accept(null);
    await makeFolder(files, root, stateName);
  }
  const found = await files.stat(root, stateName);
  const flaw = flawOf(found, files.user());
  if (flaw) return refuse({ code: "not-allowed", path: stateName, detail: flaw });
  const dir = await files.openDir(root, stateName);
  const opened = await openAt(files, root, dir, found!, create);
  if (!opened.ok || opened.value === null) await files.close(dir);
  return opened;
}

async function openAt(
  files: Files,
  root: Dir,
  dir: Dir,
  found: Stat,
  create: boolean,
): Promise<Outcome<State | null>> {
  const stamp = parseStamp(await readSmall(files, dir, stampName));
  if (stamp && stamp.format > format) {
    const detail = `its format ${stamp.format} is newer than ${format}, the newest this version knows`;
    return refuse({ code: "unavailable", path: stateName, detail });
  }
  if (stamp?.modes && (found.mode & 0o022) !== 0)
    return refuse({ code: "not-allowed", path: stateName, detail: "others may write to it" });
  if (!stamp && !create) return accept(null);
  const { host, directory, ...powers } = stamp ?? (await initialiseOnce(files, root, dir));
  const folders = await openFolders(files, dir, { create });
  if (!folders) return accept(null);
  const here = await stampOf(files, dir, powers);
  const copied =
    here.host !== host || (here.directory !== directory && here.directory !== "" && directory !== "");
  const { device, identity } = await files.statOpen(dir);
  return accept({ ...folders, dir, device, identity, links: powers.links, modes: powers.modes, copied });
}

/** Says that this is where the state lives now. */
export async function stampState(files: Files, state: State): Promise<void> {
  await replaceFile(files, state.dir, stampName, printStamp(await stampOf(files, state.dir, state)), {
    flush: "both",
  });
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

/** Whether nobody but the owner can look into the state; true where permissions mean nothing. */
export async function isPrivate(files: Files, { dir, modes }: State): Promise<boolean> {
  return !modes || ((await files.statOpen(dir)).mode & 0o077) === 0;
}

export async function closeToOthers(files: Files, state: State): Promise<void> {
  if (!(await isPrivate(files, state))) await files.setMode(state.dir, privateMode);
  if (!(await files.stat(state.dir, ".gitignore"))) await writeIgnore(files, state.dir);
}

/** A whole file that takes its name at once. `flush`: its content, also its name, or neither. */
export async function replaceFile(
  files: Files,
  dir: Dir,
  name: string,
  bytes: Uint8Array,
  { flush }: { flush: "none" | "file" | "both" },
): Promise<void> {
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
    await files.unlink(dir, draft).catch(codeOf);
    throw error;
  }
  if (flush === "both") await files.flushDir(dir);
}

/** Removes a name that may be gone already. */
export async function unlinkIfThere(files: Files, dir: Dir, name: string): Promise<void> {
  try {
    await files.unlink(dir, name);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
}

/** A small file's bytes; `null` where there is none. */
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

/** Makes a directory only its owner can enter; one that is already there will do. */
export async function makeFolder(files: Files, dir: Dir, name: string): Promise<void> {
  try {
    await files.mkdir(dir, name, 0o700);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
}

function flawOf(found: Stat | null, user: number | null): string | null {
  if (found?.kind === "link") return "it is a link";
  if (found?.kind !== "directory") return "it is not a directory";
  return user !== null && found.uid !== user ? "it belongs to somebody else" : null;
}

const mostTries = 10;

/** Several may do this at once, and whoever is first to the lock may sweep the drafts of the others. */
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
  const stamp = await stampOf(files, dir, { links: await tryLinks(files, dir), modes });
  await replaceFile(files, dir, stampName, printStamp(stamp), { flush: "both" });
  await files.flushDir(root);
  return stamp;
}

async function writeIgnore(files: Files, dir: Dir): Promise<void> {
  await replaceFile(files, dir, ".gitignore", new TextEncoder().encode(ignoreText), { flush: "none" });
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

async function stampOf(files: Files, dir: Dir, { links, modes }: Powers): Promise<Stamp> {
  const { stableIdentity } = await files.fileSystem(dir);
  // Device numbers change between starts of a machine; a copied directory has another inode.
  const { identity } = await files.statOpen(dir);
  const directory = stableIdentity ? identity.slice(identity.indexOf(":") + 1) : "";
  return { format, host: files.self().host, directory, links, modes };
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
    } = JSON.parse(new TextDecoder().decode(bytes ?? new Uint8Array()));
    const powers = { links: links === true, modes: modes === true };
    return { format: Number(number), host: String(host), directory: String(directory), ...powers };
  } catch {
    return null;
  }
}

type Folders = Pick<State, "journal" | "backups" | "blobs" | "stage" | "lock" | "audit">;

/** Opens every folder of the state, making those that somebody has cleared away; `null` if they may not be made. */
async function openFolders(files: Files, dir: Dir, { create }: { create: boolean }): Promise<Folders | null> {
  const opened: Record<string, Dir> = {};
  for (const name of [...folderNames, "blobs"]) {
    const parent = name === "blobs" ? opened.backups! : dir;
    if (!(await files.stat(parent, name))) {
      if (!create) {
        for (const folder of Object.values(opened)) await files.close(folder);
        return null;
      }
      await makeFolder(files, parent, name);
    }
    opened[name] = await files.openDir(parent, name);
  }
  return opened as Folders;
}
