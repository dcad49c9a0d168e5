import { posix } from "node:path";
import { z } from "zod";
import { isGenerated } from "../../drift/pages/policies.ts";
import type { Redact } from "../../text/match/secrets.ts";
import { defined } from "../../text/model/defined.ts";
import { parseJson } from "../../text/model/json.ts";
import { accept, type Outcome } from "../../text/model/outcome.ts";
import { documentationText } from "../../wording/agents.ts";
import { describeCommits } from "../context/change-context.ts";
import { describeProject } from "../context/project-brief.ts";
import type { RepositoryIndex } from "../context/repository-index.ts";
import { contextBudget, gatherSources } from "../context/source-context.ts";
import type { FactFile } from "../gates/known-facts.ts";
import type { CostBudget } from "../model/budget.ts";
import type { Metadata } from "../model/metadata.ts";
import type { Models } from "../model/models.ts";
import { askFor } from "../model/structured.ts";
import { planPages } from "../prompts/plan-pages.ts";
import { researchProject } from "../prompts/research-project.ts";
import type { StepTracker } from "../run/agent-run.ts";
import type { ReadTools } from "../run/read-tools.ts";
import { purposeOf } from "./page-purpose.ts";

export type PlannedPage = {
  readonly path: string;
  readonly description: string;
  readonly type: string;
  readonly relevantPaths: readonly string[];
  readonly originalPath?: string;
  /** The commit before the change that it was planned for, where an earlier run planned it. */
  readonly since?: string;
};

/** The pages to work on, and the planned pages that code refused, each with its reason. */
export type PagePlan = {
  readonly pages: readonly PlannedPage[];
  readonly refused: readonly { readonly path: string; readonly why: string }[];
};

const pageSchema = z.object({
  path: z.string().min(1),
  description: z.string().default(""),
  type: z.string().default("guide"),
  relevantPaths: z.array(z.string()).default([]),
  originalPath: z.string().nullish(),
});
const schema = z.array(pageSchema).max(200);
/** A plan as a run keeps it. A planner cannot say which change it is for. */
const stored = z.array(
  pageSchema.extend({
    since: z
      .string()
      .regex(/^[0-9a-f]{40,64}$/)
      .optional(),
  }),
);

type PlanRequest = {
  readonly models: Models;
  readonly project: string;
  readonly folder: string;
  readonly index: RepositoryIndex;
  readonly redact: Redact;
  /** The change: cut to size, fenced and without secrets. */
  readonly diff: string;
  readonly changed: readonly string[];
  readonly messages: readonly string[];
  readonly force: boolean;
  readonly contextLength?: number | null | undefined;
  readonly budget: CostBudget;
  readonly metadata: Metadata;
  readonly signal?: AbortSignal | undefined;
  readonly steps: StepTracker;
  /** Tools with which the planner looks around. */
  readonly reading?: ReadTools | undefined;
};

const maxListed = 400;
const openingLines = 12;
const mostHeadings = 20;

/** Plans the pages: a researcher describes the project, a planner names pages, and code checks the plan. */
export async function planDocumentation(asked: PlanRequest): Promise<Outcome<PagePlan>> {
  const { models, project, folder, index, budget, metadata, signal } = asked;
  const shared = { budget, metadata, signal, onStep: asked.steps.answered, maxOutputTokens: 2000 };
  const files = index.code.slice(0, maxListed);
  const entries = [...new Set([...asked.changed, ...files.filter(isEntry)])].slice(0, 8);
  const budgetOfSource = contextBudget(models.researcher, asked.contextLength);
  const { text: source } = await gatherSources(index, entries, { skeletons: true, budget: budgetOfSource });
  const about = asked.redact(await describeProject(project, index));
  const research = researchProject({ project, about, files, source: asked.redact(source) });
  const brief = await models.researcher.ask({ ...research, ...shared, temperature: 0.2 });
  if (!brief.ok) return brief;
  const existing = await readPages(index, folder);
  const pages = existing.slice(0, maxListed).map(({ path, text }) => ({ path, opening: openingOf(text) }));
  const messages = describeCommits(asked.messages);
  const { diff, force } = asked;
  const reading = asked.reading?.request() ?? {};
  const prompt = planPages({
    ...{ project, folder, brief: brief.value.text, pages, files, diff, messages, force },
    reads: reading.tools !== undefined,
  });
  const planned = await askFor(
    models.planner,
    { ...prompt, ...shared, ...reading, temperature: 0.1 },
    schema,
  );
  if (!planned.ok) return planned;
  const plan = checkPlan(planned.value.value, folder, index.paths);
  return accept(force ? withEveryPage(plan, existing, folder) : plan);
}

/** The existing pages of a folder. */
function readPages(index: RepositoryIndex, folder: string): Promise<FactFile[]> {
  const existing = index.documents.filter((path) => path.startsWith(`${folder}/`));
  return Promise.all(existing.map(async (path) => ({ path, text: (await index.read(path)) ?? "" })));
}

/** A plan with the existing pages that the planner left out. What a program generates is not written by hand. */
function withEveryPage(
  { pages, refused }: PagePlan,
  existing: readonly FactFile[],
  folder: string,
): PagePlan {
  const isPlanned = new Set(pages.map(({ path }) => path));
  const omitted = existing.filter(
    ({ path, text }) => !isPlanned.has(path) && whyNot(path, folder) === null && !isGenerated(text),
  );
  const added = omitted.map(({ path, text }) => ({
    path,
    description: purposeOf(path, text),
    type: "guide",
    relevantPaths: [],
  }));
  return { pages: [...pages, ...added], refused };
}

/** The first lines of a page and the headings below them. */
function openingOf(text: string): string {
  const lines = text.split("\n");
  const headings = lines.slice(openingLines).filter((line) => /^#{2,3} \S/.test(line));
  const more = headings.length - mostHeadings;
  const below = [...headings.slice(0, mostHeadings), ...(more > 0 ? [`(${more} more headings)`] : [])];
  return [...lines.slice(0, openingLines), ...(lines.length > openingLines ? ["…"] : []), ...below].join(
    "\n",
  );
}

function isEntry(path: string): boolean {
  return /(^|\/)(index|main|cli|app|lib|mod|__init__|__main__)\.\w+$/.test(path);
}

/** The pages of a stored plan, checked like those of a planner; none where the text is no plan. */
export function parsePlan(text: string, folder: string, paths: readonly string[]): readonly PlannedPage[] {
  const parsed = stored.safeParse(parseJson(text));
  return parsed.success ? checkPlan(parsed.data, folder, paths).pages : [];
}

/** A page is a Markdown file in its folder and is planned once. Its sources must exist. */
export function checkPlan(
  planned: z.infer<typeof stored>,
  folder: string,
  paths: readonly string[],
): PagePlan {
  const known = new Set(paths);
  const pages = new Map<string, PlannedPage>();
  const refused: { path: string; why: string }[] = [];
  for (const page of planned) {
    const path = tidyPath(page.path);
    const why = whyNot(path, folder);
    if (path === null || why !== null) refused.push({ path: page.path, why: why ?? "" });
    else if (!pages.has(path)) pages.set(path, checkPage(page, path, { folder, known }));
  }
  return { pages: [...pages.values()], refused };
}

function checkPage(
  { description, type, relevantPaths, originalPath, since }: z.infer<typeof stored>[number],
  path: string,
  { folder, known }: { readonly folder: string; readonly known: ReadonlySet<string> },
): PlannedPage {
  const sources = relevantPaths.map((each) => tidyPath(each) ?? "").filter((each) => known.has(each));
  const page = {
    ...{ path, description, type, relevantPaths: [...new Set(sources)] },
    ...defined({ since }),
  };
  const original = tidyPath(originalPath ?? "");
  const moves =
    original !== null && original !== path && known.has(original) && whyNot(original, folder) === null;
  return moves ? { ...page, originalPath: original } : page;
}

/** The normal form of a relative path; `null` for any other path. Nothing is decoded or expanded. */
function tidyPath(path: string): string | null {
  if (
    path === "" ||
    path.startsWith("/") ||
    path.includes("\\") ||
    path.includes("\0") ||
    /^[a-z]:/i.test(path)
  )
    return null;
  const tidy = posix.normalize(path);
  return tidy.startsWith("..") || tidy === "." ? null : tidy;
}

function whyNot(path: string | null, folder: string): string | null {
  if (path === null || !path.startsWith(`${folder}/`)) return documentationText.outsideFolder(folder);
  return /\.mdx?$/.test(path) ? null : documentationText.notMarkdown;
}
