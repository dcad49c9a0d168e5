import * as fs from "node:fs";
import { join } from "node:path";
import { openWorkspace, type Workspace } from "../src/workspace/workspace.ts";
import type { Random } from "./random.ts";
import { makeDiskScene, removeDiskScene, type Scene } from "./scene.ts";
import { blame, count, type Tally } from "./tally.ts";
import { commitEdits, edit } from "./workloads.ts";

export type LateOptions = { readonly random: Random; readonly writers: number };

/**
 * Programs that keep a file open while we replace it, and write into the old one later: behind its end, over its bytes,
 * or after they emptied it. Every version of every entry must come back, and the late bytes must be in the file or the store.
 * Exempt is a version whose every copy a program wrote over. These are counted.
 */
export async function writeLate(tally: Tally, { random, writers }: LateOptions): Promise<void> {
  for (let i = 0; i < writers; i++) {
    const scene = makeDiskScene({ lasting: false });
    const trial = new LateTrial(scene, random, i);
    try {
      blame(tally, `late writer ${i} (${trial.story.join(", ")})`, await trial.run());
      count(tally, "versions whose only bytes another program wrote over", trial.overwritten);
      count(tally, "late writers");
      count(tally, "versions read back", trial.read);
    } finally {
      trial.close();
      removeDiskScene(scene);
    }
  }
}

type HeldFile = { readonly handle: number; readonly how: "append" | "overwrite" | "truncate" };

type KnownEntry = {
  readonly id: string;
  readonly before: string;
  readonly after: string;
  readonly replaced: number;
  isDamaged: boolean;
};

class LateTrial {
  readonly story: string[] = [];
  read = 0;
  /** Versions that are gone because a program wrote over every copy of them. */
  overwritten = 0;
  readonly #scene: Scene;
  readonly #random: Random;
  readonly #index: number;
  readonly #held: HeldFile[] = [];
  /** Late texts by the file that holds them, if it was ours to keep: only our commit took its name. */
  readonly #late = new Map<number, string>();
  readonly #replaced = new Set<number>();
  #written = 0;
  /** The bytes before and after each entry. `isDamaged`: a program has written over the file that the entry replaced. */
  readonly #known: KnownEntry[] = [];

  constructor(scene: Scene, random: Random, index: number) {
    this.#scene = scene;
    this.#random = random;
    this.#index = index;
  }

  get #path(): string {
    return join(this.#scene.root, "page.md");
  }

  async run(): Promise<string[]> {
    const lines = Array.from({ length: 3 + this.#random.below(40) }, (_, i) => `line ${i}\n`);
    this.#scene.put("page.md", `ours 0\n${lines.join("")}`);
    const opened = await openWorkspace(this.#scene.root, { durability: "fast" });
    if (!opened.ok) throw new Error(JSON.stringify(opened.refusal));
    await using workspace = opened.value;
    const steps = 6 + this.#random.below(8);
    for (let i = 0; i < steps; i++) await this.#step(workspace, i);
    while (this.#held.length > 0) this.#writeLate();
    const bad = await this.#judge(workspace, "before a repair");
    await workspace.doctor({ repair: true });
    return [...bad, ...(await this.#judge(workspace, "after a repair"))];
  }

  close(): void {
    for (const { handle } of this.#held) fs.closeSync(handle);
  }

  async #step(workspace: Workspace, i: number): Promise<void> {
    const what = this.#random.below(5);
    if (what === 0 && this.#held.length < 2) this.#open();
    else if (what === 1) this.#writeLate();
    else if (what === 2) this.#changeOutside(i);
    else await this.#edit(workspace, i);
  }

  #open(): void {
    const how = (["append", "overwrite", "truncate"] as const)[this.#random.below(3)]!;
    this.#held.push({ handle: fs.openSync(this.#path, how === "append" ? "a" : "r+"), how });
    this.story.push(`open to ${how}`);
  }

  #writeLate(): void {
    const held = this.#held.shift();
    if (!held) return;
    const text = `late ${this.#index}.${this.#written++}\n`;
    const { ino } = fs.fstatSync(held.handle);
    if (this.#replaced.has(ino)) this.#late.set(ino, text);
    const entry = this.#known.findLast(({ replaced }) => replaced === ino);
    if (entry && held.how !== "append") entry.isDamaged = true;
    this.story.push(`late ${held.how}`);
    if (held.how === "truncate") fs.ftruncateSync(held.handle, 0);
    fs.writeSync(held.handle, text, held.how === "append" ? null : 0);
    fs.closeSync(held.handle);
  }

  /** Another program saves the file: a line at the end, in the middle or gone. */
  #changeOutside(i: number): void {
    const lines = fs.readFileSync(this.#path, "latin1").split("\n");
    const where = 1 + this.#random.below(lines.length);
    lines.splice(where, this.#random.below(2), `outside ${i}`);
    this.story.push(where >= lines.length - 1 ? "outside at the end" : "outside in the middle");
    const text = lines.join("\n");
    const isRenamed = this.#random.below(2) === 0;
    fs.writeFileSync(isRenamed ? `${this.#path}.new` : this.#path, text, "latin1");
    if (isRenamed) fs.renameSync(`${this.#path}.new`, this.#path);
  }

  async #edit(workspace: Workspace, i: number): Promise<void> {
    const before = fs.readFileSync(this.#path, "latin1");
    const ours = /^(?:ours|line|outside) \d+$/m.exec(before)?.[0];
    if (ours === undefined || before.split(`${ours}\n`).length !== 2) return;
    const { ino } = fs.statSync(this.#path);
    const done = await commitEdits(workspace, [edit("page.md", `${ours}\n`, `ours ${1000 + i}\n`)]);
    this.story.push("edit");
    if (!done.ok) return;
    this.#replaced.add(ino);
    const after = fs.readFileSync(this.#path, "latin1");
    this.#known.push({ id: done.value.id, before, after, replaced: ino, isDamaged: false });
  }

  async #judge(workspace: Workspace, when: string): Promise<string[]> {
    const bad: string[] = [];
    for (const entry of this.#known)
      for (const side of ["before", "after"] as const) {
        const found = await workspace.readImage(entry.id, "page.md", side);
        this.read++;
        const text = found.ok && found.value ? Buffer.from(found.value).toString("latin1") : null;
        if (text === entry[side]) continue;
        if (this.#hasNoCopy(entry)) this.overwritten++;
        else bad.push(`${when}: the bytes ${side} entry ${entry.id} are lost`);
      }
    const everything = Object.values({ ...this.#scene.tree(), ...this.#scene.state() }).join("\n");
    for (const text of this.#late.values())
      if (!everything.includes(text)) bad.push(`${when}: ${JSON.stringify(text)} is lost`);
    return bad;
  }

  /**
   * Whether no copy of an entry's versions is left: neither a file that it or its neighbours replaced, nor the page of today.
   * Neighbours are the entries that followed one another without a change by another program in between.
   */
  #hasNoCopy(entry: KnownEntry): boolean {
    let first = this.#known.indexOf(entry);
    let last = first;
    while (first > 0 && this.#known[first - 1]!.after === this.#known[first]!.before) first--;
    while (this.#known[last + 1]?.before === this.#known[last]!.after) last++;
    return (
      this.#known.slice(first, last + 1).every(({ isDamaged }) => isDamaged) &&
      fs.readFileSync(this.#path, "latin1") !== this.#known[last]!.after
    );
  }
}
