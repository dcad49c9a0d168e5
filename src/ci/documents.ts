import type { CiEvent, Environment, HostedRepository } from "../hosts/host.ts";
import { nameOfRemote } from "../hosts/remote-name.ts";
import { accept, type Outcome, refuse } from "../text/model/outcome.ts";
import { ciWords } from "../wording/ci.ts";
import type { Git } from "../workspace/git/git.ts";
import { openRepository } from "./open-repository.ts";

/** The clone that has the documents of an event, where it is another one than the code's. */
export type EventDocuments = {
  /** `owner/name` on the host of the event; null if its remotes are elsewhere. */
  readonly repository: string | null;
  /** The commit whose pages were checked. */
  readonly head: string;
};

/** Where our own pull request with the edits goes. */
export type DocumentsTarget = {
  readonly hosted: HostedRepository;
  /** The name of our branch after its prefix, the branch to merge into, and its commit. */
  readonly own: { readonly name: string; readonly base: string; readonly head: string };
};

/** The name of the documents' repository, if it is on the same host as the code. */
export async function findDocumentsRepository(code: Git, documents: Git): Promise<string | null> {
  const namesOf = async (git: Git) => (await git.remotes()).map(nameOfRemote).filter((name) => name !== null);
  const hosts = new Set((await namesOf(code)).map(({ host }) => host));
  return (await namesOf(documents)).find(({ host }) => hosts.has(host))?.repository ?? null;
}

export type DocumentsAccess = {
  readonly environment: Environment;
  /** `owner/name`, as the caller names it. */
  readonly named: string | undefined;
};

/** Opens the documents' repository on the host of the event. Its token may be another one than the job's. */
export async function openDocumentsTarget(
  { kind, apiUrl, repository: code, branch }: CiEvent,
  { repository, head }: EventDocuments,
  { environment, named }: DocumentsAccess,
): Promise<Outcome<DocumentsTarget>> {
  const name = named ?? repository;
  if (name === null) return refuse({ code: "malformed", what: ciWords.docsElsewhere });
  const hosted = openRepository(
    { kind, repository: name, apiUrl },
    environment,
    environment.SUTURE_DOCS_TOKEN,
  );
  if (!hosted.ok) return hosted;
  const about = await hosted.value.about();
  if (!about.ok) return about;
  const own = { name: `${code}/${branch ?? "main"}`, base: about.value.defaultBranch, head };
  return accept({ hosted: hosted.value, own });
}
