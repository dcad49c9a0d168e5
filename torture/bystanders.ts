import * as fs from "node:fs";
import { join } from "node:path";
import type { Workspace } from "../src/workspace/workspace.ts";
import type { Random } from "./random.ts";
import { prepare } from "./rehearsal.ts";
import { differenceOf, makeDiskScene, removeDiskScene, type Scene, type Tree } from "./scene.ts";
import { count, type Tally } from "./tally.ts";
import type { Opener } from "./unguarded.ts";
import type { Workload } from "./workloads.ts";

/** Text that only files of other roots and of the host program contain. */
export const foreignText = "FOREIGN";

export const harms = ["written elsewhere", "read elsewhere", "foreign descriptors closed"] as const;

type Descriptor = { readonly fd: number; readonly identity: string };

/**
 * Other users of descriptors in the process of a closed workspace: another root, opened several times, and files of the
 * host program. They reuse descriptor numbers that become free, and report afterwards what was done to them. Half of the
 * time the other root equals the workspace's own, so that its plans would apply; otherwise its files contain
 * `foreignText`, so that a wrong read is detected.
 */
export class Bystanders {
  readonly #scene: Scene;
  readonly #host: string;
  readonly #opener: Opener;
  readonly #rootsFirst: boolean;
  readonly #before: { readonly tree: Tree; readonly state: Tree };
  readonly #texts: Readonly<Record<string, string>>;
  readonly #roots: Workspace[] = [];
  readonly #descriptors: Descriptor[] = [];

  private constructor(
    scene: Scene,
    opener: Opener,
    { texts, rootsFirst }: { texts: Readonly<Record<string, string>>; rootsFirst: boolean },
  ) {
    this.#scene = scene;
    this.#rootsFirst = rootsFirst;
    this.#opener = opener;
    this.#texts = texts;
    this.#host = `${scene.root}.host`;
    fs.writeFileSync(this.#host, foreignText);
    this.#before = { tree: scene.tree(), state: scene.state() };
  }

  static async open(workload: Workload, opener: Opener, random: Random): Promise<Bystanders> {
    const [twin, rootsFirst] = [random.below(2) === 0, random.below(2) === 0];
    const scene = makeDiskScene({ lasting: false });
    await prepare(scene, workload);
    const names = twin ? [] : Object.keys(scene.tree()).filter((path) => !path.endsWith("/"));
    const mark = (path: string): void => fs.appendFileSync(join(scene.root, path), foreignText);
    names.forEach(mark);
    const texts = Object.keys(scene.tree())
      .filter((path) => !path.endsWith("/"))
      .map((path) => [path, fs.readFileSync(join(scene.root, path), "utf8")] as const);
    return new Bystanders(scene, opener, { texts: Object.fromEntries(texts), rootsFirst });
  }

  /** Opens the other root and some files, which reuse free descriptor numbers. */
  async arrive(tally: Tally): Promise<void> {
    for (let i = 0; i < 3; i++) {
      if (!this.#rootsFirst) this.#openFile(tally);
      const opened = await this.#opener.open(this.#scene.root, { files: this.#opener.files() });
      if (opened.ok) this.#roots.push(opened.value);
      count(tally, "roots opened at once");
      if (this.#rootsFirst) this.#openFile(tally);
    }
  }

  #openFile(tally: Tally): void {
    const fd = fs.openSync(this.#host, "r+");
    this.#descriptors.push({ fd, identity: identityOf(fd) });
    count(tally, "files opened at once");
  }

  /** Reports all damage, and closes everything. */
  async leave(tally: Tally): Promise<string[]> {
    const bad = [...this.#findWritten(tally), ...this.#findClosed(tally), ...(await this.#findBroken(tally))];
    for (const { fd } of this.#descriptors) closeQuietly(fd);
    for (const root of this.#roots) await root.close();
    removeDiskScene(this.#scene);
    fs.rmSync(this.#host, { force: true });
    return bad;
  }

  #findWritten(tally: Tally): string[] {
    const { tree, state } = this.#before;
    const differs =
      differenceOf(this.#scene.tree(), tree) ??
      differenceOf(this.#scene.state(), state) ??
      (fs.readFileSync(this.#host, "utf8") === foreignText ? null : "the host's file");
    if (differs === null) return [];
    count(tally, "written elsewhere");
    return [`written elsewhere: ${differs}`];
  }

  #findClosed(tally: Tally): string[] {
    const lost = this.#descriptors.filter(({ fd, identity }) => identityOf(fd) !== identity);
    if (lost.length === 0) return [];
    count(tally, "foreign descriptors closed", lost.length);
    return [`foreign descriptors closed: ${lost.length}`];
  }

  /** A root whose descriptors were closed cannot read its files. */
  async #findBroken(tally: Tally): Promise<string[]> {
    const [path = "", text] = Object.entries(this.#texts)[0] ?? [];
    let broken = 0;
    for (const root of this.#roots) {
      const read = await root.read(path).catch(() => null);
      if (!read?.ok || read.value.text !== text) broken++;
    }
    if (broken === 0) return [];
    count(tally, "foreign descriptors closed", broken);
    return [`another root cannot read its ${path}`];
  }
}

function identityOf(fd: number): string {
  try {
    const { dev, ino } = fs.fstatSync(fd, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return "closed";
  }
}

function closeQuietly(fd: number): void {
  try {
    fs.closeSync(fd);
  } catch {
    // The closed descriptor has been counted already.
  }
}
