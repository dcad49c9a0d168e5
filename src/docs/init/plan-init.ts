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

/** What setting a folder up would write, part by part; nothing that is there already is written again. */
export type InitPlan = {
  readonly steps: readonly { readonly part: InitPart; readonly edit: Edit }[];
  readonly notes: readonly string[];
  readonly found: SurveyFigures & { readonly ci: CiHost };
};

export type InitOptions = {
  readonly version: string;
  readonly without?: readonly InitPart[];
  /** The host to write a CI file for; the one whose files are there where nothing is said. */
  readonly ci?: CiHost;
  /** A folder without history has no change to check. */
  readonly hasGit: boolean;
};

export async function planInit(reader: Reader, options: InitOptions): Promise<Outcome<InitPlan>> {
  const surveyed = await surveyFolder(reader);
  if (!surveyed.ok) return surveyed;
  const survey = surveyed.value;
  const wants = (part: InitPart): boolean => !options.without?.includes(part);
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
      notes.push(`No CI host is known here; ${ciOptions} writes a file for one.`);
  }
  if (!options.hasGit) notes.push("This folder is in no git repository; `suture check` compares commits.");
  if (wants("mcp")) {
    const planned = await planMcp(survey);
    add("mcp", planned.edits);
    notes.push(...planned.notes);
  }
  return accept({ steps, notes, found: { ...summarise(survey), ci: host } });
}

/** Names the places where pages are, so that a folder of other texts that comes later is not taken for documentation. */
function configEdit({ paths, pages }: Survey): Edit | null {
  if (paths.has(configPath) || pages.length === 0) return null;
  const config = { docs: { include: placesOf(pages.map(({ path }) => path)) } };
  return {
    path: configPath,
    target: { file: "create" },
    text: `${JSON.stringify(config, null, 2)}\n`,
    reason: "say which pages are checked",
    evidence: [],
  };
}

const ciOptions = hostKinds.map((kind) => `\`--ci ${kind}\``).join(" or ");

const mostPlaces = 12;

/** Globs for the pages: those beside the root by their ending, the others by their folder. */
function placesOf(pages: readonly string[]): string[] {
  const globs = pages.map((path) => {
    const names = path.split("/");
    const extension = /\.[a-z]+$/i.exec(path)![0];
    if (names.length === 1) return `*${extension}`;
    const isWorkspace = /^(packages|apps|crates|libs|services|modules|plugins|components)$/.test(names[0]!);
    return isWorkspace ? `${names[0]}/**/*${extension}` : `${names[0]}/**`;
  });
  const distinct = [...new Set(globs)].sort();
  return distinct.length > mostPlaces ? ["**"] : distinct;
}
