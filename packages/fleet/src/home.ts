import { randomUUID } from "node:crypto";
import { mkdir, rm, stat, statfs, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { acquireLock, type HeldLock, privatePath } from "suture/service";
import { accept, type Outcome } from "suture/text";
import { diskFiles } from "suture/workspace";

/** The fleet's folder on one machine: clones, the embedded database, patches. Only its owner can read it. */
export type Home = {
  readonly path: string;
  /** A folder below the home. It is created if it does not exist. */
  folder(...names: string[]): Promise<string>;
  /** Locks out other processes. A crash of this process releases the lock. */
  lock(name: string): Promise<Outcome<HeldLock>>;
};

export async function openHome(path?: string): Promise<Home> {
  const home = resolve(path ?? privatePath("fleet"));
  const folder = async (...names: string[]): Promise<string> => {
    const wanted = join(home, ...names);
    await mkdir(wanted, { recursive: true, mode: 0o700 });
    return wanted;
  };
  await folder();
  return {
    path: home,
    folder,
    lock: async (name) => {
      const files = diskFiles();
      const dir = await files.openRoot(await folder("locks", name));
      const lock = await acquireLock(files, dir, { patience: 100 });
      if (!lock.ok) {
        await files.close(dir);
        return lock;
      }
      const release = (note: string): Promise<void> =>
        lock.value.release(note).finally(() => files.close(dir));
      return accept({ ...lock.value, release });
    },
  };
}

export async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}

/** The free space of the disk that holds a folder; without limit where the system does not say. */
export async function freeBytes(path: string): Promise<number> {
  const space = await statfs(path).catch(() => null);
  return space === null ? Number.POSITIVE_INFINITY : space.bavail * space.bsize;
}

/** Whether so many bytes can be written into a folder. Only trying shows it: a quota is in no figure of the disk. */
export async function hasRoom(path: string, bytes: number): Promise<boolean> {
  const file = join(path, `room-${randomUUID()}`);
  try {
    await writeFile(file, Buffer.alloc(bytes), { flag: "wx", flush: true });
    return true;
  } catch {
    return false;
  } finally {
    await rm(file, { force: true });
  }
}

/** Removes a folder with its contents. */
export async function drop(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 3 });
}
