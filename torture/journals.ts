import { loseAll } from "../src/workspace/files/inodes.ts";
import type { MemoryDisk } from "../src/workspace/files/memory-files.ts";
import { printRecord } from "../src/workspace/journal/records.ts";
import { openWorkspace } from "../src/workspace/workspace.ts";
import { recordMoments } from "./crash-states.ts";
import { judge, standing } from "./judge.ts";
import type { Random } from "./random.ts";
import { prepareMemory } from "./rehearsal.ts";
import { memoryScene } from "./scene.ts";
import { blame, count, type Tally } from "./tally.ts";
import { commitEdits, edit, locateWorkload, type Workload } from "./workloads.ts";

const pendingName = /^root\/\.suture\/journal\/[0-9]+\.pending$/;
const finishedName = /^root\/\.suture\/journal\/[0-9]+\.journal$/;

/** Cuts an unfinished log at every byte. Recovery must treat it as ending at its last whole record. */
export async function truncateJournals(workload: Workload, tally: Tally): Promise<void> {
  for (const { disk, next } of await distinctMoments(workload)) {
    const path = pendingOf(disk)!;
    const { bytes } = disk.read(path)!;
    for (let length = 0; length < bytes.length; length++) {
      const cut = disk.copy();
      cut.put(path, bytes.subarray(0, length), 0o600);
      cut.cutPower(loseAll);
      count(tally, "journals cut");
      const { bad } = await judge(memoryScene(cut), workload, { acknowledged: false, thorough: false });
      blame(tally, `${workload.name}, before ${next}, journal cut at ${length}`, bad);
    }
  }
}

/** Flips bits. Recovery must either leave the files alone and keep the log, or still produce whole files. */
export async function flipBits(
  workload: Workload,
  tally: Tally,
  options: { random: Random; flips: number },
): Promise<void> {
  const moments = await distinctMoments(workload);
  for (let i = 0; i < options.flips; i++) {
    const { disk, next } = options.random.pick(moments);
    const damaged = disk.copy();
    const path = pendingOf(damaged)!;
    const where = flipOne(damaged, path, options.random);
    damaged.cutPower(loseAll);
    count(tally, "bits flipped in unfinished journals");
    const before = memoryScene(damaged).tree();
    const opened = await openWorkspace("root", { ...workload.options, files: damaged.process() });
    if (!opened.ok) continue;
    const after = memoryScene(damaged).tree();
    const { stands } = standing(after, workload);
    const untouched = JSON.stringify(before) === JSON.stringify(after);
    const kept = damaged.read(path) !== null;
    if (stands === "neither" && !(untouched && kept))
      blame(tally, `${workload.name}, before ${next}, bit ${where}`, [
        "files were changed because of a damaged log",
      ]);
    await opened.value.doctor({ repair: true });
    await opened.value.close();
    const repaired = standing(memoryScene(damaged).tree(), workload).stands;
    if (stands !== "neither" && repaired === "neither")
      blame(tally, `${workload.name}, before ${next}, bit ${where}`, ["the repair left files half and half"]);
  }
}

/** Damages a file on a disk, and returns a description. */
type Damage = (disk: MemoryDisk, path: string, random: Random) => string;

/** Doctor must find every change of a finished log. */
export async function changeHistory(
  tally: Tally,
  options: { random: Random; changes: number; spoil?: Damage },
): Promise<void> {
  const disk = await withHistory();
  const logs = disk.tree().filter((path) => finishedName.test(path));
  for (let i = 0; i < options.changes; i++) {
    const changed = disk.copy();
    const path = options.random.pick(logs);
    const damage = options.spoil ?? options.random.pick([flipOne, changeByte, swapLogs, removeLog]);
    const what = damage(changed, path, options.random);
    count(tally, "changes to the history");
    const findings = await doctorOf(changed);
    if (findings.length === 0) blame(tally, "history", [`${path}: ${what} was not found`]);
  }
}

/** Recovery must not act on a log that names places outside the root. */
export async function forgeJournals(tally: Tally): Promise<void> {
  for (const path of [
    "../outside.md",
    "/outside.md",
    "a/../../outside.md",
    ".git/hooks/pre-commit",
    ".suture/state.json",
  ]) {
    const disk = await withHistory();
    disk.put("outside.md", "theirs\n");
    disk.put("root/.suture/stage/planted", "ours\n", 0o600);
    const logPath = disk.tree().findLast((name) => finishedName.test(name))!;
    const number = Number(/([0-9]+)\.journal$/.exec(logPath)![1]) + 1;
    disk.put(
      `root/.suture/journal/${String(number).padStart(6, "0")}.pending`,
      forge(disk, logPath, String(number), path),
    );
    count(tally, "forged journals");
    const [before, outside] = [JSON.stringify(memoryScene(disk).tree()), disk.read("outside.md")?.bytes];
    const opened = await openWorkspace("root", { files: disk.process() });
    const touched =
      JSON.stringify(memoryScene(disk).tree()) !== before ||
      Buffer.compare(disk.read("outside.md")?.bytes ?? new Uint8Array(), outside!) !== 0;
    if (touched) blame(tally, `forged ${path}`, ["a file was touched"]);
    if (opened.ok && (await opened.value.doctor()).length === 0)
      blame(tally, `forged ${path}`, ["doctor found nothing"]);
    if (opened.ok) await opened.value.close();
  }
}

/** The journal must not contain secrets of unchanged lines, and only the owner may read the state. */
export async function plantSecrets(
  tally: Tally,
  options: { random: Random; secrets: number },
): Promise<void> {
  const disk = await prepareMemory(locateWorkload("edit 2"));
  const scene = memoryScene(disk);
  const secrets = Array.from({ length: options.secrets }, () => secretOf(options.random));
  scene.put("keys.md", `${secrets.join("\n")}\nold\n`);
  const opened = await openWorkspace("root", { files: scene.files() });
  if (!opened.ok) throw new Error(JSON.stringify(opened.refusal));
  await commitEdits(opened.value, [edit("keys.md", "old", "new")]);
  await opened.value.undo({ last: true }, { author: "torture" });
  await opened.value.close();
  count(tally, "secrets planted", secrets.length);
  const journal = Object.entries(scene.state()).filter(([path]) => !path.startsWith(".suture/backups/"));
  const found = secrets.filter((secret) => journal.some(([, text]) => text.includes(secret)));
  if (found.length > 0) blame(tally, "secrets", [`${found.length} are in the log, first ${found[0]}`]);
  for (const [path, printed] of Object.entries(scene.state()))
    if (/^[0-7]+ /.test(printed) && !printed.startsWith("600 "))
      blame(tally, "secrets", [`others may read ${path}`]);
}

/** The moments with an unfinished log on the disk, one for each length of it. */
async function distinctMoments(workload: Workload): Promise<{ disk: MemoryDisk; next: string }[]> {
  const bySize = new Map<number, { disk: MemoryDisk; next: string }>();
  for (const { disk, next } of await recordMoments(workload)) {
    const path = pendingOf(disk);
    if (path) bySize.set(disk.read(path)!.bytes.length, { disk, next });
  }
  return [...bySize.values()];
}

function pendingOf(disk: MemoryDisk): string | undefined {
  return disk.tree().find((path) => pendingName.test(path));
}

async function withHistory(): Promise<MemoryDisk> {
  const disk = await prepareMemory(locateWorkload("restore"));
  const opened = await openWorkspace("root", { files: disk.process() });
  if (!opened.ok) throw new Error(JSON.stringify(opened.refusal));
  for (const word of ["one", "two", "three"])
    await commitEdits(opened.value, [edit("docs/b.md", "beta", `${word} beta`)]);
  await opened.value.close();
  return disk;
}

async function doctorOf(disk: MemoryDisk): Promise<readonly unknown[]> {
  const opened = await openWorkspace("root", { files: disk.process() });
  if (!opened.ok) return [opened.refusal];
  const findings = await opened.value.doctor();
  await opened.value.close();
  return findings;
}

function flipOne(disk: MemoryDisk, path: string, random: Random): string {
  const { bytes, mode } = disk.read(path)!;
  const bit = random.below(bytes.length * 8);
  const changed = bytes.slice();
  changed[bit >> 3]! ^= 1 << (bit & 7);
  disk.put(path, changed, mode);
  return `bit ${bit} of ${bytes.length * 8}`;
}

function changeByte(disk: MemoryDisk, path: string, random: Random): string {
  const { bytes, mode } = disk.read(path)!;
  const at = random.below(bytes.length);
  const changed = bytes.slice();
  changed[at] = (changed[at]! + 1 + random.below(255)) & 255;
  disk.put(path, changed, mode);
  return `byte ${at} of ${bytes.length}`;
}

function swapLogs(disk: MemoryDisk, path: string, random: Random): string {
  const other = random.pick(disk.tree().filter((name) => finishedName.test(name) && name !== path));
  const [one, two] = [disk.read(path)!.bytes, disk.read(other)!.bytes];
  disk.put(path, two, 0o600);
  disk.put(other, one, 0o600);
  return `order, with ${other}`;
}

/** No damage: a check that finds some here would find it everywhere. */
export function leaveAsItIs(): string {
  return "nothing";
}

function removeLog(disk: MemoryDisk, path: string): string {
  disk.remove(path);
  return "removal";
}

/** A complete log with correct checksums for another path. */
function forge(disk: MemoryDisk, logPath: string, id: string, path: string): string {
  const [, body] = Buffer.from(disk.read(logPath)!.bytes).toString("utf8").split("\n") as [string, string];
  const intent = JSON.parse(body) as { files: { path: string }[]; steps: Record<string, unknown>[] };
  const forged = {
    ...intent,
    id,
    files: intent.files.map((file) => ({ ...file, path })),
    steps: intent.steps.map((step) => ({ ...step, staged: "planted" })),
  };
  const begin = printRecord({ type: "begin", epoch: 1, body: forged, previous: "" });
  return begin.text + printRecord({ type: "commit", epoch: 1, body: {}, previous: begin.hash }).text;
}

function secretOf(random: Random): string {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  const tail = Array.from({ length: 32 }, () => letters[random.below(letters.length)]).join("");
  return random.pick(["sk-", "ghp_", "AKIA", "xoxb-", "-----BEGIN KEY-----"]) + tail;
}
