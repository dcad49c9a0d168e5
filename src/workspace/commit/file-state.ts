import { absent, type Content, readContent } from "../files/content.ts";
import type { Dir } from "../files/files.ts";
import type { Spot } from "../paths/walk.ts";
import { type Job, lookAt, type Site } from "./commit-context.ts";

/** What stands at a job's path: what was there before, what shall be there after, or something else. */
export type Condition =
  | { readonly is: "before" | "after"; readonly place: Spot; readonly content: Content | null }
  | {
      readonly is: "stranger";
      readonly version: string;
      readonly place?: Spot;
      readonly content?: Content | null;
    };

/** Thrown when something else stands where a file was to be written. Its bytes are left alone. */
export class Stranger extends Error {
  readonly path: string;
  readonly version: string;
  constructor(path: string, version: string) {
    super(`something else stands at ${path}`);
    this.path = path;
    this.version = version;
  }
}

/** Content decides, never time; permission only where it is all that changes. */
export async function conditionOf(site: Site, job: Job): Promise<Condition> {
  const looked = await lookAt(site, job.names);
  if (!looked.ok) return { is: "stranger", version: looked.refusal.code };
  const { place, content } = looked.value;
  const { before, after } = job.record;
  const version = content?.version ?? absent;
  const onlyMode = before?.version === after?.version;
  if (version === (after?.version ?? absent) && !(onlyMode && content?.stat.mode !== after?.mode))
    return { is: "after", place, content };
  // We may have taken the name away ourselves, and a power cut may have taken the file that waited.
  const vacated = !content && before !== null && job.step.aside !== undefined;
  const reserved = !before && job.step.reserve === true && content?.bytes.length === 0;
  if (version === (before?.version ?? absent) || vacated || reserved) return { is: "before", place, content };
  return { is: "stranger", version, place, content };
}

/** The directory in which a job's staged file and its old one wait. */
export function waitingDir(site: Site, job: Job, place: Spot): Dir {
  return job.step.beside ? place.dir : site.state.stage;
}

/** Whether the old file was moved away and the new one has not got its name yet. */
export async function isAside(site: Site, job: Job, place: Spot): Promise<boolean> {
  const { aside } = job.step;
  return (
    aside !== undefined &&
    (await versionAt(site, waitingDir(site, job, place), aside)) === job.record.before?.version
  );
}

/** The version of a file that waits in one of our directories; `absent` where there is none. */
export async function versionAt({ files }: Site, dir: Dir, name: string): Promise<string> {
  const content = await readContent(files, dir, name, Number.POSITIVE_INFINITY);
  return content.ok ? (content.value?.version ?? absent) : "unreadable";
}
