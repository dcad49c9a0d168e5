import type { PackageSource } from "../../hosts/package-source.ts";
import { hostKinds } from "../../hosts/registry.ts";
import type { Edit } from "../../text/model/edit.ts";
import { accept, type Outcome } from "../../text/model/outcome.ts";
import { initWords } from "../../wording/init.ts";
import type { Reader } from "../../workspace/workspace.ts";
import { findLinks, linkEdit } from "./attention-links.ts";
import { type CiHost, findCiHost, planCi } from "./ci-files.ts";
import { planMcp } from "./mcp-entries.ts";
import { type SurveyFigures, summarise, surveyFolder } from "./survey.ts";

export const parts = ["attention", "ci", "mcp"] as const;

export type InitPart = (typeof parts)[number];

/** Parts that are written only on request: links go into front matter, which the build of a page may refuse. */
export const optionalParts: readonly InitPart[] = ["attention"];

/** The files that a setup would write, part by part. Existing files are not written again. */
export type InitPlan = {
  readonly steps: readonly { readonly part: InitPart; readonly edit: Edit }[];
  readonly notes: readonly string[];
  readonly found: SurveyFigures & { readonly ci: CiHost };
};

export type InitOptions = {
  /** Where a runner or a client gets Suture from; null where that is not known, and then no file names it. */
  readonly source: PackageSource | null;
  readonly without?: readonly InitPart[];
  /** Parts to write that are left out otherwise. */
  readonly with?: readonly InitPart[];
  /** The host to write a CI file for; by default the host whose CI files exist. */
  readonly ci?: CiHost;
  /** A folder without history has no change to check. */
  readonly hasGit: boolean;
};

export async function planInit(reader: Reader, options: InitOptions): Promise<Outcome<InitPlan>> {
  const surveyed = await surveyFolder(reader);
  if (!surveyed.ok) return surveyed;
  const survey = surveyed.value;
  const wants = (part: InitPart): boolean =>
    !options.without?.includes(part) &&
    (!optionalParts.includes(part) || options.with?.includes(part) === true);
  const steps: { part: InitPart; edit: Edit }[] = [];
  const notes: string[] = [];
  const add = (part: InitPart, edits: readonly (Edit | null)[]): void => {
    for (const edit of edits) if (edit) steps.push({ part, edit });
  };
  if (survey.pages.length === 0) notes.push("There are no pages yet, so there is nothing to check.");
  if (wants("attention")) {
    const texts = new Map(survey.pages.map(({ path, text }) => [path, text]));
    add(
      "attention",
      (await findLinks(survey)).map((links) => linkEdit(links, texts.get(links.path)!)),
    );
  }
  const host = options.ci ?? findCiHost(survey);
  const { source } = options;
  const needsSource = (wants("ci") && host !== "none") || wants("mcp");
  if (source === null && needsSource) notes.push(initWords.noSource);
  if (wants("ci") && source !== null && options.hasGit && survey.pages.length > 0) {
    const { edit, note } = await planCi(survey, host, source);
    add("ci", [edit]);
    if (edit && note) notes.push(note);
    if (host === "none" && options.ci === undefined)
      notes.push(`Suture found no CI configuration; ${ciOptions} writes one.`);
  }
  if (!options.hasGit) notes.push("This folder is in no git repository; `suture check` compares commits.");
  if (wants("mcp") && source !== null) {
    const planned = await planMcp(survey, source);
    add("mcp", planned.edits);
    notes.push(...planned.notes);
  }
  return accept({ steps, notes, found: { ...summarise(survey), ci: host } });
}

const ciOptions = hostKinds.map((kind) => `\`--ci ${kind}\``).join(" or ");
