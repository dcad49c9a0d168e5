import { describe, expect, test } from "vitest";
import { faultFiles } from "../files/faulty-files.ts";
import { type Dir, type Files, FilesError } from "../files/files.ts";
import { createMemoryDisk, type MemoryDisk } from "../files/memory-files.ts";
import { codeFrom, value } from "../testing.ts";
import { acquireLock, type HeldLock, readLock } from "./lock.ts";

const patient = { patience: 50 };

describe("the lock", () => {
  test("one owner at a time; the next owner gets the next epoch and the notes of the last one", async () => {
    const { one, other } = await twoProcesses();
    const first = value(await one.acquire());
    expect(codeFrom(await other.acquire())).toBe("locked");
    await first.release("all is well");
    const second = value(await other.acquire());
    expect([first.epoch, second.epoch]).toEqual([1, 2]);
    expect(second.inherited).toBe("all is well");
  });

  test("a living owner keeps the lock, and an owner that lost it gets an error", async () => {
    const { one, other } = await twoProcesses();
    const first = value(await one.acquire());
    expect(codeFrom(await other.acquire())).toBe("locked");
    expect(await first.holds()).toBe(true);
    const second = value(await other.acquire({ ...patient, breakOwner: true }));
    expect(await first.holds()).toBe(false);
    expect(await second.holds()).toBe(true);
  });

  test("the lock of a dead owner is taken over, and its notes are not trusted", async () => {
    const { disk, one, other } = await twoProcesses();
    value(await one.acquire());
    disk.kill(one.files);
    const second = value(await other.acquire());
    expect(second.epoch).toBe(2);
    expect(second.inherited).toBeNull();
  });

  test("a process whose disk failed for a while does not wait for its own lock afterwards", async () => {
    const disk = createMemoryDisk();
    disk.putDir("lock");
    let broken = false;
    const { files } = faultFiles(disk.process(), () => (broken ? { fault: "error", code: "EIO" } : null));
    const dir = await files.openDir(await files.openRoot("/"), "lock");
    const lock = value(await acquireLock(files, dir, patient));
    broken = true;
    await lock.release("not heard");
    broken = false;
    const second = value(await acquireLock(files, dir, patient));
    expect([second.epoch, second.inherited]).toEqual([2, null]);
    expect(await lock.holds()).toBe(false);
  });

  test("an owner on another host is never considered dead, and the refusal names it", async () => {
    const { disk, other } = await twoProcesses();
    const otherHost = { host: "elsewhere", boot: "9", namespace: "n", pid: 7, started: "1" };
    disk.put("lock/lock-1", JSON.stringify(otherHost));
    expect(await other.acquire()).toEqual({
      ok: false,
      refusal: { code: "locked", owner: "process 7 on elsewhere" },
    });
  });

  test("the lock does not use the clock: an owner that holds it forever keeps it", async () => {
    const { one, other } = await twoProcesses();
    const first = value(await one.acquire());
    expect(codeFrom(await other.acquire({ patience: 500 }))).toBe("locked");
    expect(await first.holds()).toBe(true);
  });

  test("half an owner file is left from a power cut, except on a network file system", async () => {
    const { disk, other } = await twoProcesses();
    disk.put("lock/lock-1", "");
    expect(value(await other.acquire()).epoch).toBe(2);
    const far = createMemoryDisk({ fileSystem: { network: true } });
    far.put("lock/lock-1/owner", "");
    expect(codeFrom(await (await processOn(far)).acquire())).toBe("locked");
  });

  test("drafts of dead processes are removed, those of living ones are not", async () => {
    const { disk, one, other } = await twoProcesses();
    const files: Files = { ...one.files, link: () => new Promise(() => undefined) };
    const dir = await files.openDir(await files.openRoot("/"), "lock");
    void acquireLock(files, dir, patient);
    await one.files.sleep(1);
    const draft = disk.tree().find((path) => path.startsWith("lock/draft"));
    expect(draft).toBeDefined();
    await value(await other.acquire()).release("");
    expect(disk.tree()).toContain(draft);
    disk.kill(one.files);
    await value(await other.acquire()).release("");
    expect(disk.tree()).toEqual(["lock/", "lock/free-2", "lock/lock-2"]);
  });

  test("without hard links the owner is a directory, with the same guarantees", async () => {
    const disk = createMemoryDisk({ links: false });
    disk.putDir("lock");
    const [one, other] = [await processOn(disk), await processOn(disk)];
    const first = value(await one.acquire());
    expect(codeFrom(await other.acquire())).toBe("locked");
    disk.kill(one.files);
    const second = value(await other.acquire());
    expect([first.epoch, second.epoch]).toEqual([1, 2]);
    await second.release("note");
    expect(value(await other.acquire()).inherited).toBe("note");
    expect(disk.tree()).toEqual(["lock/", "lock/lock-3/", "lock/lock-3/owner"]);
  });

  test("a full disk does not leave the lock held", async () => {
    const disk = createMemoryDisk();
    disk.putDir("lock");
    const process = disk.process();
    let isFull = false;
    const grows = new Set(["create", "write", "link"]);
    const { files } = faultFiles(process, (_, { name }) =>
      isFull && grows.has(name) ? { fault: "error", code: "ENOSPC" } : null,
    );
    const dir = await files.openDir(await files.openRoot("/"), "lock");
    const lock = value(await acquireLock(files, dir, patient));
    isFull = true;
    await lock.release("note");
    expect(await readLock(files, dir)).toMatchObject({ is: "free" });
    isFull = false;
    const next = value(await acquireLock(files, dir, patient));
    expect(next.epoch).toBe(2);
  });

  test("an owner that is writing its note has the lock, and half a note is none", async () => {
    const { disk, one, other } = await twoProcesses();
    value(await one.acquire());
    const owner = new TextDecoder().decode(disk.read("lock/lock-1")!.bytes);
    disk.overwrite("lock/lock-1", `${owner}\n{"next":`);
    expect(codeFrom(await other.acquire())).toBe("locked");
    disk.kill(one.files);
    expect(value(await other.acquire()).inherited).toBeNull();
  });

  test("the note of an earlier version, alone in its file, is read", async () => {
    const { disk, one, other } = await twoProcesses();
    await value(await one.acquire()).release("");
    disk.put("lock/free-1", '{"next":7}');
    expect(await readLock(other.files, other.dir)).toEqual({ is: "free", note: '{"next":7}' });
    expect(value(await other.acquire()).inherited).toBe('{"next":7}');
  });

  test("an owner and its note are one file", async () => {
    const { disk, one } = await twoProcesses();
    await value(await one.acquire()).release("note");
    expect(disk.tree()).toEqual(["lock/", "lock/free-1", "lock/lock-1"]);
    expect(disk.read("lock/free-1")?.links).toBe(2);
  });

  test.each([true, false])(
    "an owner that lost the lock does not take the name of a late process for its own (links: %s)",
    async (links) => {
      const disk = createMemoryDisk({ links });
      disk.putDir("lock");
      const [one, other] = [await processOn(disk), await processOn(disk)];
      await value(await one.acquire()).release("");
      const late = await stoppedBeforeItsName(disk, "lock-2");
      const lost = value(await one.acquire());
      await value(await other.acquire({ ...patient, breakOwner: true })).release("");
      const owner = value(await other.acquire());
      await late.goOn();
      expect(disk.tree().some((path) => /^lock\/lock-2/.test(path))).toBe(true);
      expect(await owner.holds()).toBe(true);
      expect(await lost.holds()).toBe(false);
    },
  );

  test("an owner folder that cannot be read for a moment is still its owner's", async () => {
    const disk = createMemoryDisk({ links: false });
    disk.putDir("lock");
    const inner = disk.process();
    let fails = false;
    const files: Files = {
      ...inner,
      openRead: (dir, name) =>
        fails ? Promise.reject(new FilesError("EIO", "open", name)) : inner.openRead(dir, name),
    };
    const dir = await files.openDir(await files.openRoot("/"), "lock");
    const lock = value(await acquireLock(files, dir, patient));
    fails = true;
    expect(await lock.holds()).toBe(true);
  });

  test("on a network file system an owner file is closed before it gets its name", async () => {
    const disk = createMemoryDisk({ fileSystem: { network: true } });
    disk.putDir("lock");
    const inner = disk.process();
    const [drafts, steps] = [new Set<unknown>(), [] as string[]];
    const files: Files = {
      ...inner,
      create: async (dir, name, mode) => {
        const file = await inner.create(dir, name, mode);
        if (name.startsWith("draft")) drafts.add(file);
        return file;
      },
      close: (handle) => {
        if (drafts.has(handle)) steps.push("close");
        return inner.close(handle);
      },
      link: (from, name, to, newName) => {
        steps.push(newName);
        return inner.link(from, name, to, newName);
      },
    };
    const dir = await files.openDir(await files.openRoot("/"), "lock");
    const lock = value(await acquireLock(files, dir, patient));
    expect(steps).toEqual(["close", "lock-1"]);
    expect(await lock.holds()).toBe(true);
    await lock.release("note");
    expect(value(await acquireLock(files, dir, patient)).inherited).toBe("note");
  });

  test("the state of the lock can be read without taking it", async () => {
    const { disk, one, other } = await twoProcesses();
    expect(await readLock(other.files, other.dir)).toEqual({ is: "unused" });
    const lock = value(await one.acquire());
    expect(await readLock(other.files, other.dir)).toMatchObject({ is: "held" });
    await lock.release("bye");
    expect(await readLock(other.files, other.dir)).toEqual({ is: "free", note: "bye" });
    value(await one.acquire());
    disk.kill(one.files);
    expect(await readLock(other.files, other.dir)).toMatchObject({ is: "abandoned" });
  });

  test.each([true, false])(
    "many processes never have two owners and use each epoch once, even when some are killed (links: %s)",
    async (links) => {
      const disk = createMemoryDisk({ links });
      disk.putDir("lock");
      const owners: HeldLock[] = [];
      const epochs: number[] = [];
      const work = async (n: number): Promise<void> => {
        const { files, acquire } = await processOn(disk);
        for (let i = 0; i < 20; i++) {
          const lock = value(await acquire({ patience: 100_000 }));
          owners.push(lock);
          expect(owners).toEqual([lock]);
          epochs.push(lock.epoch);
          await files.sleep(1);
          expect(await lock.holds()).toBe(true);
          owners.pop();
          if (n < 4 && i === 10) return disk.kill(files);
          await lock.release("");
        }
      };
      await Promise.all(Array.from({ length: 12 }, (_, n) => work(n)));
      expect(epochs).toEqual(Array.from({ length: epochs.length }, (_, i) => i + 1));
      expect(epochs).toHaveLength(4 * 11 + 8 * 20);
    },
  );
});

async function twoProcesses() {
  const disk = createMemoryDisk();
  disk.putDir("lock");
  return { disk, one: await processOn(disk), other: await processOn(disk) };
}

/** A process that saw the lock free and then stopped. Once it goes on, it takes the name, and stops again. */
async function stoppedBeforeItsName(disk: MemoryDisk, name: string) {
  const inner = disk.process();
  const [resumed, named] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const stop = async (taken: string, act: () => Promise<void>): Promise<void> => {
    if (taken !== name) return act();
    await resumed.promise;
    await act();
    named.resolve();
    return new Promise(() => undefined);
  };
  const files: Files = {
    ...inner,
    link: (from, old, to, taken) => stop(taken, () => inner.link(from, old, to, taken)),
    rename: (from, old, to, taken) => stop(taken, () => inner.rename(from, old, to, taken)),
  };
  const dir = await files.openDir(await files.openRoot("/"), "lock");
  void acquireLock(files, dir, patient);
  await inner.sleep(1);
  return {
    goOn: (): Promise<void> => {
      resumed.resolve();
      return named.promise;
    },
  };
}

async function processOn(disk: MemoryDisk) {
  const files = disk.process();
  const dir: Dir = await files.openDir(await files.openRoot("/"), "lock");
  return {
    files,
    dir,
    acquire: (options: Parameters<typeof acquireLock>[2] = patient) => acquireLock(files, dir, options),
  };
}
