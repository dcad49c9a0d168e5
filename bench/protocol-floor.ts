// The floor of a durable edit: the system calls of the crash protocol (docs/reliability.md) for one page of a journal that
// is already open, and nothing else. No matching, no plan, no journal in memory, no checks of paths.
import * as fs from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const flush = promisify(fs.fsync);

/** The CPU of one such edit, in milliseconds, as the mean of many. */
export async function measureFloor(root: string, page: string, edits: number): Promise<number> {
  const place = new FloorPlace(root, page);
  for (let i = 0; i < 20; i++) await place.edit(i);
  const before = process.cpuUsage();
  for (let i = 20; i < 20 + edits; i++) await place.edit(i);
  const { user, system } = process.cpuUsage(before);
  place.close();
  return (user + system) / 1000 / edits;
}

class FloorPlace {
  readonly #page: string;
  readonly #text: string;
  readonly #folders: Readonly<Record<"lock" | "journal" | "stage" | "backups" | "blobs", string>>;
  readonly #open: Readonly<Record<"root" | "journal" | "stage" | "blobs", number>>;

  constructor(root: string, text: string) {
    this.#text = text;
    this.#page = join(root, "page.md");
    const folder = (name: string): string => {
      fs.mkdirSync(join(root, name), { recursive: true });
      return join(root, name);
    };
    this.#folders = {
      lock: folder("lock"),
      journal: folder("journal"),
      stage: folder("stage"),
      backups: folder("backups"),
      blobs: folder("backups/blobs"),
    };
    const { journal, stage, blobs } = this.#folders;
    const open = (path: string): number => fs.openSync(path, "r");
    this.#open = { root: open(root), journal: open(journal), stage: open(stage), blobs: open(blobs) };
    fs.writeFileSync(this.#page, text);
    fs.writeFileSync(join(blobs, "blob"), text);
    fs.writeFileSync(join(journal, "entries"), "");
    fs.writeFileSync(join(this.#folders.lock, "free--1"), "{}");
    fs.writeFileSync(join(this.#folders.lock, "lock--1"), "{}");
  }

  async edit(number: number): Promise<void> {
    const { journal, stage, backups, blobs } = this.#folders;
    readWhole(this.#page);
    this.#takeLock(number);
    readWhole(this.#page);
    readWhole(join(journal, "entries"));
    const pending = fs.openSync(join(journal, `${number}.pending`), "wx+");
    fs.writeSync(pending, "b".repeat(1150));
    const blob = fs.openSync(join(blobs, "blob"), "r");
    const staged = fs.openSync(join(stage, `${number}.new`), "wx+");
    fs.writeSync(staged, this.#text);
    fs.fchmodSync(staged, 0o644);
    fs.readSync(staged, Buffer.allocUnsafe(this.#text.length), 0, this.#text.length, 0);
    await Promise.all([flush(this.#open.journal), flush(blob), flush(staged), flush(pending)]);
    await Promise.all([flush(this.#open.blobs), flush(this.#open.stage)]);
    fs.closeSync(blob);
    fs.closeSync(staged);
    fs.writeSync(pending, "c".repeat(97));
    await flush(pending);
    fs.mkdirSync(join(backups, String(number)));
    fs.linkSync(join(blobs, "blob"), join(backups, String(number), "page.md.bak"));
    readWhole(this.#page);
    fs.renameSync(join(stage, `${number}.new`), this.#page);
    await flush(this.#open.root);
    fs.writeSync(pending, "d".repeat(95));
    await flush(pending);
    fs.renameSync(join(journal, `${number}.pending`), join(journal, `${number}.journal`));
    fs.closeSync(pending);
    const entries = fs.openSync(join(journal, "entries"), "a");
    fs.writeSync(entries, "e".repeat(147));
    fs.closeSync(entries);
    fs.writeFileSync(join(this.#folders.lock, `free-${number}`), "f".repeat(627), { flag: "wx" });
  }

  close(): void {
    for (const handle of Object.values(this.#open)) fs.closeSync(handle);
  }

  #takeLock(number: number): void {
    const { lock } = this.#folders;
    const draft = join(lock, `draft.${number}`);
    fs.readdirSync(lock);
    fs.writeFileSync(draft, "l".repeat(200), { flag: "wx" });
    fs.linkSync(draft, join(lock, `lock-${number}`));
    fs.statSync(draft);
    fs.unlinkSync(draft);
    fs.readdirSync(lock);
    readWhole(join(lock, `free-${number - 1}`));
    fs.unlinkSync(join(lock, `free-${number - 1}`));
    fs.unlinkSync(join(lock, `lock-${number - 1}`));
  }
}

/** Reads a file as the protocol does: by its handle, between two looks at it. */
function readWhole(path: string): void {
  const handle = fs.openSync(path, "r");
  const { size } = fs.fstatSync(handle);
  fs.readSync(handle, Buffer.allocUnsafe(size + 1), 0, size + 1, 0);
  fs.closeSync(handle);
}
