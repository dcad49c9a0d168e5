import * as fs from "node:fs";
import { join } from "node:path";
import type { Workspace } from "../src/workspace/workspace.ts";
import { prepare } from "./rehearsal.ts";
import { differenceOf, makeDiskScene, removeDiskScene, type Scene, type Tree } from "./scene.ts";
import type { Opener } from "./unguarded.ts";
import type { Workload } from "./workloads.ts";

/** Text that only files of other roots and of the host program contain. */
export const foreignText = "FOREIGN";

export type OtherRootOptions = {
  readonly workload: Workload;
  readonly opener: Opener;
  /** The files equal those of the workspace under test. Otherwise they contain `foreignText`. */
  readonly isTwin: boolean;
};

/** The root of another user of the process. It is opened several times, and reports what was done to it. */
export class OtherRoot {
  readonly #scene: Scene;
  readonly #opener: Opener;
  readonly #before: { readonly tree: Tree; readonly state: Tree };
  readonly #probe: { readonly path: string; readonly text: string };
  readonly #opened: Workspace[] = [];

  private constructor(scene: Scene, opener: Opener) {
    this.#scene = scene;
    this.#opener = opener;
    this.#before = { tree: scene.tree(), state: scene.state() };
    const path = filesOf(scene)[0]!;
    this.#probe = { path, text: fs.readFileSync(join(scene.root, path), "utf8") };
  }

  static async make({ workload, opener, isTwin }: OtherRootOptions): Promise<OtherRoot> {
    const scene = makeDiskScene({ lasting: false });
    await prepare(scene, workload);
    if (!isTwin) for (const path of filesOf(scene)) fs.appendFileSync(join(scene.root, path), foreignText);
    return new OtherRoot(scene, opener);
  }

  async open(): Promise<void> {
    const opened = await this.#opener.open(this.#scene.root, { files: this.#opener.files() });
    if (opened.ok) this.#opened.push(opened.value);
  }

  /** How the files or the state differ from before; `null` if they do not. */
  difference(): string | null {
    const { tree, state } = this.#before;
    return differenceOf(this.#scene.tree(), tree) ?? differenceOf(this.#scene.state(), state);
  }

  /** Counts the open workspaces that cannot read their own files, because their descriptors were closed. */
  async countBroken(): Promise<number> {
    let broken = 0;
    for (const workspace of this.#opened) {
      const read = await workspace.read(this.#probe.path).catch(() => null);
      if (!read?.ok || read.value.text !== this.#probe.text) broken++;
    }
    return broken;
  }

  async remove(): Promise<void> {
    for (const workspace of this.#opened) await workspace.close();
    removeDiskScene(this.#scene);
  }
}

function filesOf(scene: Scene): string[] {
  return Object.keys(scene.tree()).filter((path) => !path.endsWith("/"));
}
