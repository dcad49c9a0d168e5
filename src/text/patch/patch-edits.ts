import { defined } from "../model/defined.ts";
import type { Edit } from "../model/edit.ts";
import type { Hunk, HunkLine } from "../model/hunk.ts";
import { accept, type Outcome } from "../model/outcome.ts";
import { type Names, stripNames } from "./git-names.ts";
import type { GitHeader } from "./git-section.ts";
import { malformed } from "./malformed.ts";
import { type FileStep, inOrder } from "./order.ts";

/** The part of a patch about one file. Names are as written. */
export type Section = {
  /** Line of the patch on which it begins. */
  readonly line: number;
  /** Which of several patches in one text it belongs to. */
  readonly part: number;
  readonly hunks: readonly Hunk[];
  readonly git?: GitHeader;
  names?: Names;
  /** Which side carries the date by which `diff` marks a missing file. */
  readonly epoch?: { readonly old: boolean; readonly new: boolean };
};

type PatchOptions = { readonly path?: string; readonly strip?: number };

/**
 * The edits of a patch in the order in which they can be made one after the other. A rename with hunks is the
 * hunks on the old name and then the move; a deletion is the removal of the whole content and then of the file.
 */
export function editsOf(sections: readonly Section[], options: PatchOptions): Outcome<readonly Edit[]> {
  const steps: FileStep[] = [];
  for (const section of sections) {
    const names = namesOf(section, options);
    if (!names.ok) return names;
    const step = stepOf(section, names.value);
    if (!step.ok) return step;
    steps.push(step.value);
  }
  if (options.path !== undefined && new Set(steps.map(({ path }) => path)).size > 1)
    return malformed("a patch for several files", sections[1]!.line);
  return accept(inOrder(steps));
}

function namesOf(section: Section, options: PatchOptions): Outcome<Names> {
  const { git } = section;
  const strip = options.strip;
  const written = section.names && missingAtEpoch(section, stripNames(section.names, strip));
  if (git?.transfer) {
    if (options.path !== undefined)
      return malformed(`a patch that makes a ${git.transfer.how}`, section.line);
    const { from, to } = git.transfer;
    const bare = strip === undefined || strip < 1 ? 0 : strip - 1;
    const named = stripNames({ old: from, new: to }, bare);
    if (written && (written.old !== named.old || written.new !== named.new))
      return malformed("a file header that names other files than the rename", section.line);
    return accept(named);
  }
  const header = git?.names && stripNames(git.names, strip);
  const same = header && header.old === header.new ? header.old : null;
  if (written && same !== null && ![written.old, written.new].every((name) => name === null || name === same))
    return malformed("a file header that names another file than the line above it", section.line);
  const names = written ?? (same === null ? null : { old: same, new: same });
  if (!names)
    return options.path === undefined
      ? malformed("a file without a name", section.line)
      : accept(onBothSides(options.path));
  return options.path === undefined ? accept(names) : checkPath(names, options.path, section.line);
}

const onBothSides = (path: string): Names => ({ old: path, new: path });

/** `diff` without git marks a file that is not there by its date. */
function missingAtEpoch({ epoch, hunks }: Section, names: Names): Names {
  const all = (kind: HunkLine["kind"]): boolean =>
    hunks.every(({ lines }) => lines.every((line) => line.kind === kind));
  if (epoch?.old && names.new !== null && all("added")) return { old: null, new: names.new };
  if (epoch?.new && names.old !== null && all("removed")) return { old: names.old, new: null };
  return names;
}

/** The names, when they can mean the one file that the caller asked to patch. */
function checkPath(names: Names, path: string, line: number): Outcome<Names> {
  const given = [names.old, names.new].filter((name) => name !== null);
  if (!given.some((name) => means(name, path)) && !given.every((name) => placeholders.has(name)))
    return malformed(`a patch for ${given.at(-1)}, not for ${path}`, line);
  return accept({ old: names.old === null ? null : path, new: names.new === null ? null : path });
}

function means(name: string, path: string): boolean {
  return name === path || path.endsWith(`/${name}`) || name.endsWith(`/${path}`);
}

/** Names that models and manuals write where the file is clear anyway. */
const placeholders = new Set([
  "a",
  "b",
  "old",
  "new",
  "original",
  "modified",
  "updated",
  "before",
  "after",
  "file",
]);

function stepOf(section: Section, names: Names): Outcome<FileStep> {
  const { git, hunks, line } = section;
  const step = { path: names.old ?? names.new!, part: section.part, ids: git?.ids };
  if (git?.created || names.old === null) return createStep(section, names.new ?? names.old!, step);
  if (git?.deleted || names.new === null) return deleteStep(section, names.old, step);
  const changes: Edit[] = hunks.length > 0 ? [edit(names.old, { target: { hunks: based(section) } })] : [];
  if (git?.transfer) {
    const { how } = git.transfer;
    const path = how === "copy" ? names.new : names.old;
    return accept({
      ...step,
      transfer: { how, edit: edit(names.old, { target: { file: how }, to: names.new }) },
      changes: changes.map((change) => ({ ...change, path })),
      after: modeEdits(git, names.new),
    });
  }
  const path = modified(names.old, names.new);
  const other = path === names.old ? names.new : names.old;
  const target = { hunks: based(section), ...defined({ otherPath: other === path ? undefined : other }) };
  const edits = [...(hunks.length > 0 ? [edit(path, { target })] : []), ...modeEdits(git, path)];
  if (edits.length === 0) return malformed("a file without any hunk", line);
  return accept({ ...step, path, changes: edits, after: [] });
}

/** The hunks with the id of the text they were made for. Only this id can confirm the place of a bare insertion. */
function based({ hunks, git }: Section): readonly Hunk[] {
  const base = git?.ids?.old;
  // An id that repeats one digit is invented.
  return base && base.length >= 7 && !/^(.)\1*$/.test(base)
    ? hunks.map((hunk) => ({ ...hunk, base }))
    : hunks;
}

function modeEdits(git: GitHeader | undefined, path: string): Edit[] {
  return git?.mode ? [edit(path, { target: { file: "mode" }, mode: git.mode })] : [];
}

/** Which of two names is the file's: the new one, unless it is the old one with a suffix, such as `.new`. */
function modified(old: string, now: string): string {
  return now.length > old.length && now.startsWith(old) ? old : now;
}

function createStep(
  section: Section,
  path: string,
  step: Pick<FileStep, "path" | "part" | "ids">,
): Outcome<FileStep> {
  const { hunks, git, line } = section;
  const lines = hunks.flatMap((hunk) => hunk.lines);
  if (hunks.length > 1 || lines.some(({ kind }) => kind !== "added"))
    return malformed("a new file that has an old content", line);
  const open = lines.at(-1)?.noNewline || lines.length === 0;
  const text = lines.map((each) => each.text).join("\n") + (open ? "" : "\n");
  const mode = git?.created === "executable" ? { mode: git.created } : {};
  return accept({
    ...step,
    path,
    changes: [edit(path, { target: { file: "create" }, text, ...mode })],
    after: [],
  });
}

function deleteStep(
  section: Section,
  path: string,
  step: Pick<FileStep, "path" | "part" | "ids">,
): Outcome<FileStep> {
  const { hunks, line } = section;
  const lines = hunks.flatMap((hunk) => hunk.lines);
  if (hunks.length > 1 || lines.some(({ kind }) => kind !== "removed"))
    return malformed("a deleted file that has a new content", line);
  const whole: Hunk = { source: line, ...hunks[0], lines, whole: true };
  const changes = [edit(path, { target: { hunks: [whole] } }), edit(path, { target: { file: "delete" } })];
  return accept({ ...step, path, changes, after: [] });
}

type Bare<E> = E extends unknown ? Omit<E, "path" | "reason" | "evidence"> : never;

function edit(path: string, asked: Bare<Edit>): Edit {
  return { path, reason: "", evidence: [], ...asked } as Edit;
}
