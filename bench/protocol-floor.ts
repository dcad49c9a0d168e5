// The floor of a durable edit: the system calls of the crash protocol (docs/reliability.md) for some pages of a journal that
// is already open, and nothing else. No matching, no plan, no journal in memory, no checks of paths.
import * as fs from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const flush = promisify(fs.fsync);
const flushData = promisify(fs.fdatasync);

/** The CPU of one such edit of one page, in milliseconds, as the mean of many. */
export async function measureFloor(
  Place: typeof FloorPlace | typeof OneLogPlace,
  root: string,
  { page, edits }: { readonly page: string; readonly edits: number },
): Promise<number> {
  const place = new Place(root, new Map([["page.md", page]]));
  for (let i = 0; i < 20; i++) await place.edit();
  const before = process.cpuUsage();
  for (let i = 0; i < edits; i++) await place.edit();
  const { user, system } = process.cpuUsage(before);
  place.close();
  return (user + system) / 1000 / edits;
}

type Staged = {
  readonly page: string;
  readonly copy: number;
  readonly blob: string;
  readonly staged: string;
};

export class FloorPlace {
  readonly #pages: ReadonlyMap<string, string>;
  readonly #folders: Readonly<Record<"lock" | "journal" | "stage" | "backups" | "blobs", string>>;
  readonly #open: Readonly<Record<"root" | "journal" | "blobs", number>>;
  #number = 1;

  /** `pages`: the text of each page, by its name. They exist, or are created. */
  constructor(root: string, pages: ReadonlyMap<string, string>) {
    this.#pages = new Map([...pages].map(([name, text]) => [join(root, name), text]));
    const folder = (name: string): string => {
      fs.mkdirSync(join(root, ".suture", name), { recursive: true });
      return join(root, ".suture", name);
    };
    this.#folders = {
      lock: folder("lock"),
      journal: folder("journal"),
      stage: folder("stage"),
      backups: folder("backups"),
      blobs: folder("backups/blobs"),
    };
    const { journal, blobs } = this.#folders;
    const open = (path: string): number => fs.openSync(path, "r");
    this.#open = { root: open(root), journal: open(journal), blobs: open(blobs) };
    for (const [path, text] of this.#pages) fs.writeFileSync(path, text);
    fs.writeFileSync(join(journal, "entries"), "");
    for (const name of ["free-0", "lock-0"]) fs.writeFileSync(join(this.#folders.lock, name), "{}");
  }

  async edit(): Promise<void> {
    const { journal, backups } = this.#folders;
    const number = this.#number++;
    for (const page of this.#pages.keys()) readWhole(page);
    const lock = takeLock(this.#folders.lock, number);
    for (const page of this.#pages.keys()) readWhole(page);
    const pending = fs.openSync(join(journal, `${number}.pending`), "wx+");
    fs.writeSync(pending, "b".repeat(400 + 700 * this.#pages.size));
    const flushes = [flush(pending), flush(this.#open.journal)];
    const staged = [...this.#pages].map(([page, text], i) =>
      this.#stage(`${number}-${i}`, { page, text }, flushes),
    );
    await Promise.all([...flushes, flush(this.#open.blobs)]);
    checkLock(this.#folders.lock, number);
    fs.writeSync(pending, "c".repeat(97));
    await flush(pending);
    fs.mkdirSync(join(backups, String(number)));
    for (const [i, each] of staged.entries())
      this.#replace(number, each, join(backups, String(number), `${i}.bak`));
    await flush(this.#open.root);
    for (const { page, copy } of staged) {
      fs.statSync(page);
      readBack(copy, this.#pages.get(page)!.length);
    }
    fs.writeSync(pending, "d".repeat(95));
    await flush(pending);
    for (const { copy } of staged) fs.fchmodSync(copy, 0o600);
    checkLock(this.#folders.lock, number);
    fs.renameSync(join(journal, `${number}.pending`), join(journal, `${number}.journal`));
    for (const { copy } of staged) fs.closeSync(copy);
    fs.closeSync(pending);
    this.#append(number);
    releaseLock(this.#folders.lock, number, lock);
  }

  close(): void {
    for (const handle of Object.values(this.#open)) fs.closeSync(handle);
  }

  /** The old file gets the name of its saved copy, the new one is written, and both are flushed. */
  #stage(name: string, { page, text }: { page: string; text: string }, flushes: Promise<void>[]): Staged {
    const blob = join(this.#folders.blobs, name);
    const staged = join(this.#folders.stage, name);
    fs.linkSync(page, blob);
    const copy = fs.openSync(blob, "r");
    const file = fs.openSync(staged, "wx+", 0o600);
    fs.writeSync(file, text);
    fs.fchmodSync(file, 0o644);
    readBack(file, text.length);
    flushes.push(
      flush(copy),
      flush(file).then(() => fs.closeSync(file)),
    );
    return { page, copy, blob, staged };
  }

  #replace(number: number, { page, copy, blob, staged }: Staged, backup: string): void {
    checkLock(this.#folders.lock, number);
    fs.linkSync(blob, backup);
    readBack(copy, this.#pages.get(page)!.length);
    fs.statSync(page);
    fs.renameSync(staged, page);
  }

  #append(number: number): void {
    const entries = fs.openSync(join(this.#folders.journal, "entries"), "a");
    fs.writeSync(entries, `${number}`.padEnd(80 + 60 * this.#pages.size));
    fs.closeSync(entries);
  }
}

/** Reads a file as the protocol does: by its handle, after a look at it. */
function readWhole(path: string): void {
  const handle = fs.openSync(path, "r");
  readBack(handle, fs.fstatSync(handle).size);
  fs.closeSync(handle);
}

function readBack(handle: number, size: number): void {
  fs.readSync(handle, Buffer.allocUnsafe(size + 1), 0, size + 1, 0);
}

function takeLock(folder: string, number: number): number {
  const draft = join(folder, `draft.${number}`);
  fs.readdirSync(folder);
  const file = fs.openSync(draft, "wx+");
  fs.writeSync(file, "l".repeat(200));
  fs.linkSync(draft, join(folder, `lock-${number}`));
  fs.unlinkSync(draft);
  fs.readdirSync(folder);
  readWhole(join(folder, `free-${number - 1}`));
  fs.unlinkSync(join(folder, `free-${number - 1}`));
  fs.unlinkSync(join(folder, `lock-${number - 1}`));
  return file;
}

function checkLock(folder: string, number: number): void {
  fs.existsSync(join(folder, `lock-${number + 1}`));
  fs.existsSync(join(folder, `lock-${number}`));
}

function releaseLock(folder: string, number: number, file: number): void {
  fs.writeSync(file, "f".repeat(627));
  fs.linkSync(join(folder, `lock-${number}`), join(folder, `free-${number}`));
  fs.closeSync(file);
}

/**
 * The calls that a protocol of one log would take for the same promises (docs/decisions/024-journal-and-one-log.md): a record
 * with the splices of all pages, flushed beside the new bytes, is the commit; then every page is renamed. The lock is today's.
 */
export class OneLogPlace {
  readonly #pages: ReadonlyMap<string, string>;
  readonly #stage: string;
  readonly #lock: string;
  readonly #backups: string;
  readonly #root: number;
  readonly #log: number;
  #number = 1;
  #end = 0;

  constructor(root: string, pages: ReadonlyMap<string, string>) {
    this.#pages = new Map([...pages].map(([name, text]) => [join(root, name), text]));
    const folders = ["stage", "lock", "backups"].map((name) => join(root, ".suture", name));
    for (const folder of folders) fs.mkdirSync(folder, { recursive: true });
    [this.#stage, this.#lock, this.#backups] = folders as [string, string, string];
    for (const name of ["free-0", "lock-0"]) fs.writeFileSync(join(this.#lock, name), "{}");
    for (const [path, text] of this.#pages) fs.writeFileSync(path, text);
    this.#root = fs.openSync(root, "r");
    // A segment with its blocks on the disk: a record changes no size, so that its flush writes no inode.
    this.#log = fs.openSync(join(root, ".suture/log"), "wx+");
    fs.writeSync(this.#log, Buffer.alloc(1 << 22));
    fs.fsyncSync(this.#log);
  }

  async edit(): Promise<void> {
    const number = this.#number++;
    for (const page of this.#pages.keys()) readWhole(page);
    const lock = takeLock(this.#lock, number);
    const old = [...this.#pages.keys()].map((page) => fs.openSync(page, "r"));
    for (const [i, text] of [...this.#pages.values()].entries()) readBack(old[i]!, text.length);
    // Who opened the log last, and where it ends.
    fs.fstatSync(this.#log);
    const staged = [...this.#pages.values()].map((text, i) => this.#write(`${number}-${i}`, text));
    checkLock(this.#lock, number);
    this.#append(400 + 700 * this.#pages.size);
    await Promise.all([flushData(this.#log), ...staged.map(({ file }) => flush(file))]);
    for (const [i, [page, text]] of [...this.#pages].entries()) {
      checkLock(this.#lock, number);
      // The old file keeps a name, so that what a program writes into it later is found.
      fs.linkSync(page, join(this.#backups, `${number}-${i}`));
      readBack(old[i]!, text.length);
      fs.statSync(page);
      fs.renameSync(staged[i]!.path, page);
    }
    await flush(this.#root);
    for (const [i, page] of [...this.#pages.keys()].entries()) {
      fs.statSync(page);
      // A program that had the old file open may have written into it.
      readBack(old[i]!, this.#pages.get(page)!.length);
      fs.closeSync(old[i]!);
      fs.closeSync(staged[i]!.file);
    }
    // Needs no flush: recovery finds the new bytes under every name.
    this.#append(95);
    releaseLock(this.#lock, number, lock);
  }

  close(): void {
    for (const handle of [this.#root, this.#log]) fs.closeSync(handle);
  }

  #write(name: string, text: string): { readonly path: string; readonly file: number } {
    const path = join(this.#stage, name);
    const file = fs.openSync(path, "wx+", 0o600);
    fs.writeSync(file, text);
    fs.fchmodSync(file, 0o644);
    readBack(file, text.length);
    return { path, file };
  }

  #append(size: number): void {
    if (this.#end + size > 1 << 22) this.#end = 0;
    fs.writeSync(this.#log, Buffer.alloc(size, "r"), 0, size, this.#end);
    this.#end += size;
  }
}
