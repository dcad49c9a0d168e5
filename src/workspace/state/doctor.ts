import type { Outcome } from "../../text/model/outcome.ts";
import type { Ground, Site } from "../commit/commit-context.ts";
import { readLock } from "../commit/lock.ts";
import { sweepState } from "../commit/recover.ts";
import { inSession, measure } from "../commit/session.ts";
import { readContent } from "../files/content.ts";
import { codeOf } from "../files/files.ts";
import type { Balance, Unresolved } from "../journal/checkpoint.ts";
import { neededImages } from "../journal/gc.ts";
import { readForgotten } from "../journal/gc-horizon.ts";
import { entryOf, listVolumes, readVolume, type Volume, volumeName } from "../journal/journal.ts";
import { isSound, markKept, readImage, storeImage } from "../journal/saved-copies.ts";
import type { OpenRoot } from "../open-root.ts";
import type { WriterOptions } from "../writer.ts";
import { closeToOthers, isPrivate, replaceFile } from "./state.ts";

/** Something about the state that a person should know. */
export type Finding = {
  readonly what: "lock" | "doubtful" | "image" | "chain" | "stray" | "access" | "state";
  readonly subject: string;
  readonly detail: string;
  readonly repaired: boolean;
};

export type DoctorOptions = {
  /**
   * Put right what can be: sweep up, close what is open to others, show backups again, and set doubtful transactions
   * aside, with everything that belongs to them kept and the files left as they are.
   */
  readonly repair?: boolean;
  /** Take the lock from an owner that is not proven dead. Only a person can know that. */
  readonly breakLock?: boolean;
};

export type Doctor = { doctor(options?: DoctorOptions): Promise<readonly Finding[]> };

export function createDoctor(root: OpenRoot, { patience = 10_000 }: WriterOptions): Doctor {
  return {
    doctor: async ({ repair = false, breakLock = false } = {}) => {
      const books = await root.books();
      if (!books.ok) return [finding("state", ".suture", show(books))];
      if (!books.value) return [];
      const { ground } = books.value;
      const known = [...(await books.value.register.lines()).keys()];
      const held = await examineLock(ground, breakLock);
      if (held.length > 0 && !breakLock) return [...held, ...(await examine(ground, [], known))];
      try {
        const found = await inSession(
          ground,
          { patience, breakOwner: breakLock },
          async ({ site, balance }) => {
            const findings = await examine(site, balance.unresolved, [...known, balance.next - 1]);
            if (!repair) return { value: findings, balance };
            const after = await mend(site, balance);
            return { value: findings.map((each) => ({ ...each, repaired: isMended(each) })), balance: after };
          },
        );
        return found.ok ? [...held, ...found.value] : [...held, finding("lock", "lock", show(found))];
      } catch (error) {
        return [finding("state", ".suture", codeOf(error))];
      }
    },
  };
}

function finding(what: Finding["what"], subject: string, detail: string): Finding {
  return { what, subject, detail, repaired: false };
}

function show(refused: Outcome<unknown>): string {
  return refused.ok ? "" : "detail" in refused.refusal ? `${refused.refusal.detail}` : refused.refusal.code;
}

async function examineLock({ files, state }: Ground, breakLock: boolean): Promise<Finding[]> {
  const lock = await readLock(files, state.lock);
  return lock.is === "held"
    ? [{ ...finding("lock", lock.owner, "holds the lock"), repaired: breakLock }]
    : [];
}

async function examine(
  ground: Ground,
  unresolved: readonly Unresolved[],
  known: readonly number[],
): Promise<Finding[]> {
  return [
    ...unresolved.map(({ number, why, paths }) =>
      finding("doubtful", String(number), [why, ...paths].join(": ")),
    ),
    ...(await examineAccess(ground)),
    ...(await examineJournal(ground)),
    ...(await examineEnd(ground, known)),
    ...(unresolved.length === 0 ? await examineStrays(ground) : []),
  ];
}

async function examineAccess({ files, state }: Ground): Promise<Finding[]> {
  return (await isPrivate(files, state)) ? [] : [finding("access", ".suture", "others may look into it")];
}

/** Every record must match its checksum, every entry the one before it, and every image its name. */
async function examineJournal({ files, state }: Ground): Promise<Finding[]> {
  const found: Finding[] = [];
  const forgotten = await readForgotten(files, state);
  let head = "";
  for (const { number, pending } of await listVolumes(files, state.journal)) {
    const read = pending ? null : await readVolume(files, state.journal, number);
    if (!read?.ok) continue;
    const volume = read.value;
    const flaw = flawOf(volume, head);
    if (flaw) found.push(finding("chain", String(number), flaw));
    head = volume.head;
    if (number >= forgotten) found.push(...(await examineImages(files, state, volume)));
  }
  return found;
}

/** Nothing points at the newest entry, but its backups and its line in the register remember that it was there. */
async function examineEnd({ files, state }: Ground, known: readonly number[]): Promise<Finding[]> {
  const setAside = (await files.list(state.journal)).flatMap(
    ({ name }) => /^([0-9]+)\.doubtful$/.exec(name)?.[1] ?? [],
  );
  const volumes = (await listVolumes(files, state.journal)).map(({ number }) => number);
  const last = Math.max(0, ...volumes.slice(-1), ...setAside.map(Number));
  const shown = (await files.list(state.backups))
    .map(({ name }) => Number(name))
    .filter(Number.isSafeInteger);
  const lost = [...new Set([...shown, ...known])].filter((number) => number > last).sort((a, b) => a - b);
  return lost.map((number) => finding("chain", String(number), "its journal file is gone"));
}

function flawOf({ parsed, intent }: Volume, head: string): string | null {
  if (parsed.ending !== "whole" || !intent) return `it is ${parsed.ending}`;
  return intent.previous === head ? null : "it does not follow the entry before it";
}

async function examineImages(
  files: Ground["files"],
  state: Ground["state"],
  volume: Volume,
): Promise<Finding[]> {
  const entry = entryOf(volume);
  const found: Finding[] = [];
  for (const { path, before } of entry?.state === "committed" ? entry.files : [])
    if (before && !(await isSound(files, state, before.version)))
      found.push(finding("image", `${entry!.id} ${path}`, "the previous bytes are gone or changed"));
  return found;
}

async function examineStrays({ files, state }: Ground): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const { name } of await files.list(state.stage))
    found.push(finding("stray", `stage/${name}`, "nobody waits for it"));
  for (const dir of [state.dir, state.blobs, state.audit, state.journal])
    for (const { name } of await files.list(dir))
      if (name.endsWith(".draft")) found.push(finding("stray", name, "never finished"));
  return found;
}

function isMended({ what }: Finding): boolean {
  return what === "doubtful" || what === "stray" || what === "access";
}

async function mend(site: Site, { unresolved, ...balance }: Balance): Promise<Balance> {
  if (unresolved.length > 0) await storeStaged(site);
  for (const { number } of unresolved) await setAside(site, number);
  if (unresolved.length > 0) await detachAll(site);
  await sweepState(site);
  await closeToOthers(site.files, site.state);
  await showBackups(site);
  return { ...balance, used: await measure(site), unresolved: [] };
}

/** What waited for a transaction that nobody will carry out is kept all the same. */
async function storeStaged({ files, state }: Site): Promise<void> {
  for (const { name } of await files.list(state.stage)) {
    const content = await readContent(files, state.stage, name, Number.POSITIVE_INFINITY);
    if (content.ok && content.value) await storeImage(files, state, content.value.bytes, { flush: true });
  }
}

/** Nothing of a doubtful transaction is carried out or reversed; its journal file stays, out of the way. */
async function setAside({ files, state, views }: Site, number: number): Promise<void> {
  const name = volumeName(number, { pending: true });
  await files.rename(state.journal, name, state.journal, name.replace("pending", "doubtful"));
  await files.flushDir(state.journal);
  await views.hide(String(number));
}

/** Some images may be files that people work on, and nobody can say which: all become copies. */
async function detachAll(site: Site): Promise<void> {
  const { files, state, views } = site;
  const needed = await neededImages(site, 0);
  for (const { name } of await files.list(state.blobs)) {
    const image = await readImage(files, state, name);
    if (!image.ok) continue;
    await replaceFile(files, state.blobs, name, image.value, { flush: "both" });
    if (!needed.has(name)) await markKept(files, state, name);
  }
  for (const { number } of await listVolumes(files, state.journal)) await views.hide(String(number));
}

async function showBackups({ files, state, views }: Site): Promise<void> {
  const forgotten = await readForgotten(files, state);
  for (const { number } of await listVolumes(files, state.journal)) {
    const read = number < forgotten ? null : await readVolume(files, state.journal, number);
    const entry = read?.ok ? entryOf(read.value) : null;
    for (const { path, before } of entry?.files ?? [])
      if (before && (await isSound(files, state, before.version)))
        await views.show(entry!.id, path, before.version);
  }
}
