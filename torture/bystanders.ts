import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { foreignText, OtherRoot } from "./other-root.ts";
import type { Random } from "./random.ts";
import { count, type Tally } from "./tally.ts";
import type { Opener } from "./unguarded.ts";
import type { Workload } from "./workloads.ts";

export const harms = ["written elsewhere", "read elsewhere", "foreign descriptors closed"] as const;

type Descriptor = { readonly fd: number; readonly identity: string };

/**
 * Other users of descriptors in the process of a closed workspace: three other roots, and files of the host program. They
 * reuse descriptor numbers that become free, and report afterwards what was done to them. One root equals the
 * workspace's own, so that its plans would apply. The files of another contain `foreignText`, so that a wrong read is
 * detected. Chance decides about the third, and about the order.
 */
export class Bystanders {
  readonly #roots: readonly OtherRoot[];
  readonly #folder: string;
  readonly #host: string;
  readonly #rootsFirst: boolean;
  readonly #descriptors: Descriptor[] = [];

  private constructor(roots: readonly OtherRoot[], { rootsFirst }: { rootsFirst: boolean }) {
    this.#roots = roots;
    this.#rootsFirst = rootsFirst;
    this.#folder = fs.mkdtempSync(join(tmpdir(), "suture-torture-host-"));
    this.#host = join(this.#folder, "file");
    fs.writeFileSync(this.#host, foreignText);
  }

  static async open(workload: Workload, opener: Opener, random: Random): Promise<Bystanders> {
    const [isFirstTwin, isThirdTwin] = [random.below(2) === 0, random.below(2) === 0];
    const roots: OtherRoot[] = [];
    for (const isTwin of [isFirstTwin, !isFirstTwin, isThirdTwin])
      roots.push(await OtherRoot.make({ workload, opener, isTwin }));
    return new Bystanders(roots, { rootsFirst: random.below(2) === 0 });
  }

  /** Opens every other root and some files, which reuse free descriptor numbers. */
  async arrive(tally: Tally): Promise<void> {
    for (const root of this.#roots) {
      if (!this.#rootsFirst) this.#openFile(tally);
      await root.open();
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
    for (const root of this.#roots) await root.remove();
    fs.rmSync(this.#folder, { recursive: true });
    return bad;
  }

  #findWritten(tally: Tally): string[] {
    const hostDiffers = fs.readFileSync(this.#host, "utf8") !== foreignText;
    const differences = [
      ...this.#roots.map((root) => root.difference()),
      hostDiffers ? "the host's file" : null,
    ].filter((difference) => difference !== null);
    if (differences.length > 0) count(tally, "written elsewhere", differences.length);
    return differences.map((difference) => `written elsewhere: ${difference}`);
  }

  #findClosed(tally: Tally): string[] {
    const lost = this.#descriptors.filter(({ fd, identity }) => identityOf(fd) !== identity);
    if (lost.length === 0) return [];
    count(tally, "foreign descriptors closed", lost.length);
    return [`foreign descriptors closed: ${lost.length}`];
  }

  async #findBroken(tally: Tally): Promise<string[]> {
    let broken = 0;
    for (const root of this.#roots) broken += await root.countBroken();
    if (broken === 0) return [];
    count(tally, "foreign descriptors closed", broken);
    return [`${broken} workspaces on other roots cannot read their files`];
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
