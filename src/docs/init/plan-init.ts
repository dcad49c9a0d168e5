import { hostKinds } from "../../hosts/registry.ts";
import type { Edit } from "../../text/model/edit.ts";
import { accept, type Outcome } from "../../text/model/outcome.ts";
import type { Reader } from "../../workspace/workspace.ts";
import { configPath } from "../config.ts";
import { findLinks, linkEdit } from "./attention-links.ts";
import { type CiHost, findCiHost, planCi } from "./ci-files.ts";
import { planMcp } from "./mcp-entries.ts";
import { type Survey, type SurveyFigures, summarise, surveyFolder } from "./survey.ts";

export const parts = ["configuration", "attention", "ci", "mcp"] as const;

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
  readonly version: string;
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
  if (wants("configuration")) add("configuration", [configEdit(survey)]);
  if (wants("attention")) {
    const texts = new Map(survey.pages.map(({ path, text }) => [path, text]));
    add(
      "attention",
      (await findLinks(survey)).map((links) => linkEdit(links, texts.get(links.path)!)),
    );
  }
  const host = options.ci ?? findCiHost(survey);
  if (wants("ci") && options.hasGit && survey.pages.length > 0) {
    const { edit, note } = await planCi(survey, host, options.version);
    add("ci", [edit]);
    if (edit && note) notes.push(note);
    if (host === "none" && options.ci === undefined)
      notes.push(`Suture found no CI configuration; ${ciOptions} writes one.`);
  }
  if (!options.hasGit) notes.push("This folder is in no git repository; `suture check` compares commits.");
  if (wants("mcp")) {
    const planned = await planMcp(survey, options.version);
    add("mcp", planned.edits);
    notes.push(...planned.notes);
  }
  return accept({ steps, notes, found: { ...summarise(survey), ci: host } });
}

/** Every page is checked, also in folders that come later; the file shows how to leave something out. */
function configEdit({ paths, pages }: Survey): Edit | null {
  if (paths.has(configPath) || pages.length === 0) return null;
  const config = { docs: { exclude: [] }, code: { exclude: [] } };
  return {
    path: configPath,
    target: { file: "create" },
    text: `${JSON.stringify(config, null, 2)}\n`,
    reason: "say what is left out of the check",
    evidence: [],
  };
}

const ciOptions = hostKinds.map((kind) => `\`--ci ${kind}\``).join(" or ");
