import { absent, type Content, readContent } from "../files/content.ts";
import type { Dir, NameInDir } from "../files/files.ts";
import type { ResolvedPath } from "../paths/walk.ts";
import { type CommitContext, type FileWrite, lookAt } from "./commit-context.ts";

/** The file at a job's path: the old one, the new one, or unexpected content. */
export type ObservedState =
  | { readonly is: "before" | "after"; readonly place: ResolvedPath; readonly content: Content | null }
  | {
      readonly is: "unexpected";
      readonly version: string;
      readonly place?: ResolvedPath;
      readonly content?: Content | null;
    };

/** Thrown when a path has content that the transaction neither found nor wrote. That content is not touched. */
export class UnexpectedContent extends Error {
  readonly path: string;
  readonly version: string;
  constructor(path: string, version: string) {
    super(`unexpected content at ${path}`);
    this.path = path;
    this.version = version;
  }
}

/** Compares content, never times. Compares the mode only if the transaction changes nothing else. */
export async function observeState(context: CommitContext, job: FileWrite): Promise<ObservedState> {
  const looked = await lookAt(context, job.names);
  if (!looked.ok) return { is: "unexpected", version: looked.refusal.code };
  const { place, content } = looked.value;
  const { before, after } = job.record;
  const version = content?.version ?? absent;
  const onlyMode = before?.version === after?.version;
  if (version === (after?.version ?? absent) && !(onlyMode && content?.stat.mode !== after?.mode))
    return { is: "after", place, content };
  // The transaction may have moved the old file away, and a power cut may have lost the staged one.
  const vacated = !content && before !== null && job.step.aside !== undefined;
  const reserved = !before && job.step.reserve === true && content?.bytes.length === 0;
  if (version === (before?.version ?? absent) || vacated || reserved) return { is: "before", place, content };
  return { is: "unexpected", version, place, content };
}

/** The directory that holds a job's staged file and its old file. */
export function stagingDir(context: CommitContext, job: FileWrite, place: ResolvedPath): Dir {
  return job.step.beside ? place.dir : context.state.stage;
}

/** The staged file of a job. Jobs that write a file always have one. */
export function stagedName(context: CommitContext, job: FileWrite, place: ResolvedPath): NameInDir {
  const { staged } = job.step;
  if (staged === undefined) throw new UnexpectedContent(job.record.path, "nothing staged");
  return { dir: stagingDir(context, job, place), name: staged };
}

/** The moved-away old file of a job, if it exists and the new file does not have its name yet. */
export async function findAside(
  context: CommitContext,
  job: FileWrite,
  place: ResolvedPath,
): Promise<NameInDir | null> {
  if (job.step.aside === undefined) return null;
  const aside = { dir: stagingDir(context, job, place), name: job.step.aside };
  return (await versionAt(context, aside)) === job.record.before?.version ? aside : null;
}

/** The version of a file in one of our directories; `absent` where there is none. */
export async function versionAt({ files }: CommitContext, at: NameInDir): Promise<string> {
  const content = await readContent(files, at);
  return content.ok ? (content.value?.version ?? absent) : "unreadable";
}
