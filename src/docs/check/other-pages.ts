import type { DocumentText } from "../../drift/change/change.ts";
import type { Finding } from "../../drift/findings.ts";
import { defined } from "../../text/model/defined.ts";
import { accept, type Outcome } from "../../text/model/outcome.ts";
import type { DocumentsRoot } from "../documents.ts";
import { type HeadFiles, openHeadFiles } from "./head-files.ts";
import { BlobTexts } from "./memory.ts";
import { type Ends, locateWhole } from "./range.ts";
import { rememberGit } from "./remembered-git.ts";
import type { Unknown } from "./report.ts";

/** The documents of another clone, and the state of it that is read. */
export type OtherDocuments = Pick<DocumentsRoot, "git" | "reader"> & { readonly ends: Ends };

/** The state of another clone whose pages are read: its work tree where there is one, else its last commit. */
export async function locateDocuments({ git, reader }: DocumentsRoot): Promise<Outcome<OtherDocuments>> {
  const remembered = rememberGit(git);
  const whole = await locateWhole(remembered);
  if (!whole.ok) return whole;
  const { base } = whole.value;
  const ends = reader === null ? { ...whole.value, head: base } : whole.value;
  return accept({ git: remembered, reader, ends });
}

/**
 * The files of another clone as if they lay in a folder of the code's repository. Links between pages lead to pages of
 * their own clone, and paths that a page names from the top lead to the code.
 */
export class OtherPages {
  readonly files: HeadFiles;
  readonly #folder: string;

  constructor(files: HeadFiles, folder: string) {
    this.files = files;
    this.#folder = folder;
  }

  /** Every file of the clone, as a path of the joint tree. */
  get tree(): readonly string[] {
    return [...this.files.ids.keys()].map((path) => this.jointPath(path));
  }

  jointPath(path: string): string {
    return `${this.#folder}/${path}`;
  }

  jointDocument(page: DocumentText): DocumentText {
    return { ...page, path: this.jointPath(page.path) };
  }

  /** The path in the clone; null for a path of the code. */
  ownPath(path: string): string | null {
    return path.startsWith(`${this.#folder}/`) ? path.slice(this.#folder.length + 1) : null;
  }

  /** A finding of the joint tree with the paths of the clone. */
  ownFinding(finding: Finding): Finding {
    const own = (text: string): string => this.#own(text);
    const { old, new: fresh, owner } = finding.message;
    return {
      ...finding,
      path: own(finding.path),
      message: {
        ...finding.message,
        ...defined({
          old: old === undefined ? undefined : own(old),
          new: fresh === undefined ? undefined : own(fresh),
          owner: owner === undefined ? undefined : own(owner),
        }),
      },
      ...(finding.thing && { thing: { ...finding.thing, path: own(finding.thing.path) } }),
      evidence: finding.evidence.map((one) => ({ ...one, path: own(one.path) })),
      edits: finding.edits.map((edit) => ({ ...edit, path: own(edit.path) })),
    };
  }

  ownUnknown({ path, why }: Unknown): Unknown {
    return { path: this.#own(path), why };
  }

  #own(path: string): string {
    return this.ownPath(path) ?? path;
  }
}

/** Opens the pages of another clone beside the files of the code. */
export async function openOtherPages(
  { git, reader, ends: { base, head } }: OtherDocuments,
  code: HeadFiles,
): Promise<OtherPages> {
  const changes = head === base ? [] : await git.changes(base, head);
  const files = await openHeadFiles(
    { git, reader, base, head, changes },
    { proves: () => true, texts: new BlobTexts() },
  );
  return new OtherPages(files, freeFolder(code));
}

/** A folder that the code does not have, and whose name says nothing about the pages in it. */
function freeFolder({ ids }: HeadFiles): string {
  const taken = new Set([...ids.keys()].map((path) => path.split("/", 1)[0]));
  let name = "documents";
  while (taken.has(name)) name += "-";
  return name;
}
