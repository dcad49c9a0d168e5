import { basename, dirname, join, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { openProject } from "../docs/project.ts";
import { CheckThread } from "../docs/session/check-thread.ts";
import { CheckSession } from "../docs/session/session.ts";
import { openGit } from "../workspace/git/git.ts";
import { Repository, type RepositoryEvents } from "./repository.ts";

/** A document of a repository. */
export type DocumentPlace = { readonly repository: Repository; readonly path: string };

/** Which repository each document belongs to. Repositories are opened when a folder or a document of theirs is. */
export class Places {
  readonly #events: RepositoryEvents;
  readonly #byFolder = new Map<string, Promise<FolderPlace | null>>();
  readonly #byTop = new Map<string, Promise<Repository | null>>();

  constructor(events: RepositoryEvents) {
    this.#events = events;
  }

  /** The place of a document; null where it is no file of this machine, or in no repository with a work tree. */
  async locate(uri: string): Promise<DocumentPlace | null> {
    const file = fileOf(uri);
    if (file === null) return null;
    const found = await this.#find(dirname(file));
    return found && { repository: found.repository, path: `${found.prefix}${basename(file)}` };
  }

  /** The repository of a folder of the client. */
  async openFolder(uri: string): Promise<Repository | null> {
    const folder = fileOf(uri);
    return folder === null ? null : ((await this.#find(folder))?.repository ?? null);
  }

  /** The open repositories that hold one of these files. It does not call git: a client may name thousands of files. */
  async holding(uris: readonly string[]): Promise<Repository[]> {
    const files = uris.map(fileOf).filter((file) => file !== null);
    const isBelow = (file: string, folder: string): boolean => file.startsWith(join(folder, sep));
    return (await this.repositories()).filter(({ root, session }) =>
      files.some((file) => isBelow(file, root) || isBelow(file, session.project.root)),
    );
  }

  /** Every repository that is open. */
  async repositories(): Promise<Repository[]> {
    return (await Promise.all(this.#byTop.values())).filter((one) => one !== null);
  }

  async close(): Promise<void> {
    for (const repository of await this.repositories()) await repository.close();
  }

  #find(folder: string): Promise<FolderPlace | null> {
    const known = this.#byFolder.get(folder);
    if (known) return known;
    const found = this.#look(folder);
    this.#byFolder.set(folder, found);
    // A folder without a repository may get one.
    void found.then((one) => one === null && this.#byFolder.delete(folder));
    return found;
  }

  async #look(folder: string): Promise<FolderPlace | null> {
    const git = await openGit(folder).catch(() => null);
    // A repository without a work tree may be the `.git` of one that has it.
    if (git === null || git.isBare) return this.#lookAbove(folder);
    const { top, prefix } = git;
    const repository = this.#byTop.get(top) ?? this.#open(top, spelledTop(folder, prefix, top));
    this.#byTop.set(top, repository);
    const opened = await repository;
    if (opened === null) this.#byTop.delete(top);
    return opened && { repository: opened, prefix };
  }

  /** A document may be new, and its folder too. */
  async #lookAbove(folder: string): Promise<FolderPlace | null> {
    const above = dirname(folder);
    const found = above === folder ? null : await this.#find(above);
    return found && { ...found, prefix: `${found.prefix}${basename(folder)}/` };
  }

  async #open(top: string, root: string): Promise<Repository | null> {
    const project = await openProject({ root: top });
    if (!project.ok) return null;
    const thread = this.#events.inThisThread ? null : CheckThread.for(project.value);
    return new Repository({ root, session: new CheckSession(project.value, thread) }, this.#events);
  }
}

type FolderPlace = { readonly repository: Repository; readonly prefix: string };

/** The work tree as the client spells it, which may be through a link. */
function spelledTop(folder: string, prefix: string, top: string): string {
  if (prefix === "") return folder;
  const below = `/${prefix.slice(0, -1)}`;
  const spelled = folder.replaceAll("\\", "/");
  return spelled.endsWith(below) ? folder.slice(0, -below.length) : top;
}

/** The address of a file of a repository: the one that the client uses, where the file is open. */
export function uriOf({ repository, path }: DocumentPlace): string {
  return repository.documents.get(path)?.uri ?? pathToFileURL(join(repository.root, path)).href;
}

function fileOf(uri: string): string | null {
  try {
    return uri.startsWith("file:") ? fileURLToPath(uri) : null;
  } catch {
    return null;
  }
}
