import { execFileSync, spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { diskFiles } from "../src/workspace/files/disk-files.ts";
import type { Files } from "../src/workspace/files/files.ts";
import { watch } from "./interpose.ts";
import { judge } from "./judge.ts";
import { lacks } from "./processes.ts";
import type { Random } from "./random.ts";
import { perform, prepare } from "./rehearsal.ts";
import { diskScene, type Scene } from "./scene.ts";
import { blame, count, type Tally } from "./tally.ts";
import type { Workload } from "./workloads.ts";

type TestFileSystem = {
  readonly name: string;
  readonly make: readonly string[];
  readonly mount: string;
  readonly megabytes: number;
};

const fileSystems: readonly TestFileSystem[] = [
  { name: "ext4", make: ["mkfs.ext4", "-q", "-F"], mount: "loop", megabytes: 24 },
  {
    name: "ext4 without allocation heuristics",
    make: ["mkfs.ext4", "-q", "-F"],
    mount: "loop,noauto_da_alloc,data=writeback",
    megabytes: 24,
  },
  { name: "xfs", make: ["mkfs.xfs", "-q", "-f"], mount: "loop,nouuid", megabytes: 320 },
  { name: "btrfs", make: ["mkfs.btrfs", "-q", "-f"], mount: "loop", megabytes: 128 },
];

export type PowerOptions = {
  readonly random: Random;
  /** One of this many operations is imaged. */
  readonly oneIn: number;
  /** A broken protocol in place of ours. */
  readonly spoil?: (files: Files) => Files;
};

/**
 * Runs a workload on a mounted disk image. Before an operation, copies the backing file as a power cut would leave it, once
 * as it is and once after another program has flushed a file. Mounts, recovers and judges each copy.
 */
export async function cutPower(workload: Workload, tally: Tally, options: PowerOptions): Promise<void> {
  for (const system of fileSystems) {
    const missing = unusable(system);
    if (missing) tally.skipped.push(`power cuts on ${system.name}: ${missing}`);
    else await onImage(system, workload, tally, options);
  }
}

function unusable({ make }: TestFileSystem): string | null {
  if (process.getuid?.() !== 0) return "only the superuser may mount";
  return lacks("losetup", ["-f"]) ?? lacks(make[0]!, ["-V"]);
}

type Image = { readonly path: string; readonly label: string; readonly acknowledged: boolean };

async function onImage(
  system: TestFileSystem,
  workload: Workload,
  tally: Tally,
  options: PowerOptions,
): Promise<void> {
  const home = fs.mkdtempSync(join(tmpdir(), "suture-power-"));
  try {
    const images = await takeImages(system, workload, home, options);
    for (const { path, label, acknowledged } of images) {
      await mounted(system, path, home, async (scene) => {
        count(tally, "power cuts on images");
        const { bad } = await judge(scene, workload, { acknowledged, thorough: true });
        blame(tally, `${workload.name} on ${system.name}, ${label}`, bad);
      });
      fs.rmSync(path);
    }
  } finally {
    fs.rmSync(home, { recursive: true, force: true });
  }
}

async function takeImages(
  system: TestFileSystem,
  workload: Workload,
  home: string,
  options: PowerOptions,
): Promise<Image[]> {
  const { random, oneIn, spoil = (files) => files } = options;
  const original = join(home, "original");
  fs.writeFileSync(original, "");
  fs.truncateSync(original, system.megabytes << 20);
  execFileSync(system.make[0]!, [...system.make.slice(1), original], { stdio: "ignore" });
  const images: Image[] = [];
  await mounted(system, original, home, async (scene) => {
    await prepare(scene, workload);
    execFileSync("sync", ["-f", scene.root]);
    let acknowledged = false;
    const take = (label: string): void => {
      for (const flushed of [false, true]) {
        if (flushed) flushSomething(join(scene.root, ".."));
        const path = join(home, `image-${images.length}`);
        execFileSync("cp", ["--sparse=always", original, path]);
        images.push({ path, label: flushed ? `${label}, after a flush by others` : label, acknowledged });
      }
    };
    const watched = watch(scene.files(), (index, { name, path }) => {
      if (random.below(oneIn) === 0) take(`before operation ${index}, ${name} ${path}`);
    });
    await perform(scene.root, spoil(watched), workload, ({ ok }) => {
      acknowledged = ok;
      take("the answer is used");
    });
    take("the end");
  });
  return images;
}

/** Another program writes and flushes its own file, which also flushes other data. */
function flushSomething(dir: string): void {
  const fd = fs.openSync(join(dir, "another-program"), "w");
  fs.writeSync(fd, String(Math.random()));
  fs.fsyncSync(fd);
  fs.closeSync(fd);
}

async function mounted(
  system: TestFileSystem,
  image: string,
  home: string,
  use: (scene: Scene) => Promise<void>,
): Promise<void> {
  const point = fs.mkdtempSync(join(home, "mount-"));
  execFileSync("mount", ["-t", system.name.split(" ")[0]!, "-o", system.mount, image, point]);
  try {
    const root = join(point, "root");
    fs.mkdirSync(root, { recursive: true });
    await use({ ...diskScene(root), files: afterRestart });
  } finally {
    spawnSync("umount", [point]);
    fs.rmdirSync(point);
  }
}

/** The machine has rebooted since, so no earlier process can be running. */
function afterRestart(): Files {
  const files = diskFiles();
  const boot = crypto.randomUUID();
  const self = { ...files.self(), boot };
  return { ...files, self: () => self, isDead: (other) => other.boot !== boot };
}
