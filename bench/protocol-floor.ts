// The floor of a durable edit: the system calls of the crash protocol (docs/reliability.md) for some pages of a journal that
// is already open, and nothing else. No matching, no plan, no journal in memory, no checks of paths.
import * as fs from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const flush = promisify(fs.fsync);

/** The CPU of one such edit of one page, in milliseconds, as the mean of many. */
export async function measureFloor(root: string, page: string, edits: number): Promise<number> {
  const place = new FloorPlace(root, new Map([["page.md", page]]));
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
    const lock = this.#takeLock(number);
    for (const page of this.#pages.keys()) readWhole(page);
    const pending = fs.openSync(join(journal, `${number}.pending`), "wx+");
    fs.writeSync(pending, "b".repeat(400 + 700 * this.#pages.size));
    const flushes = [flush(pending), flush(this.#open.journal)];
    const staged = [...this.#pages].map(([page, text], i) =>
      this.#stage(`${number}-${i}`, { page, text }, flushes),
    );
    await Promise.all([...flushes, flush(this.#open.blobs)]);
    this.#checkLock(number);
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
    this.#checkLock(number);
    fs.renameSync(join(journal, `${number}.pending`), join(journal, `${number}.journal`));
    for (const { copy } of staged) fs.closeSync(copy);
    fs.closeSync(pending);
    this.#append(number);
    this.#release(number, lock);
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
    this.#checkLock(number);
    fs.linkSync(blob, backup);
    readBack(copy, this.#pages.get(page)!.length);
    fs.statSync(page);
    fs.renameSync(staged, page);
  }

  #takeLock(number: number): number {
    const { lock } = this.#folders;
    const draft = join(lock, `draft.${number}`);
    fs.readdirSync(lock);
    const file = fs.openSync(draft, "wx+");
    fs.writeSync(file, "l".repeat(200));
    fs.linkSync(draft, join(lock, `lock-${number}`));
    fs.unlinkSync(draft);
    fs.readdirSync(lock);
    readWhole(join(lock, `free-${number - 1}`));
    fs.unlinkSync(join(lock, `free-${number - 1}`));
    fs.unlinkSync(join(lock, `lock-${number - 1}`));
    return file;
  }

  #checkLock(number: number): void {
    fs.existsSync(join(this.#folders.lock, `lock-${number + 1}`));
    fs.existsSync(join(this.#folders.lock, `lock-${number}`));
  }

  #append(number: number): void {
    const entries = fs.openSync(join(this.#folders.journal, "entries"), "a");
    fs.writeSync(entries, `${number}`.padEnd(80 + 60 * this.#pages.size));
    fs.closeSync(entries);
  }

  #release(number: number, file: number): void {
    const { lock } = this.#folders;
    fs.writeSync(file, "f".repeat(627));
    fs.linkSync(join(lock, `lock-${number}`), join(lock, `free-${number}`));
    fs.closeSync(file);
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
