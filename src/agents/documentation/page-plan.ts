import { posix } from "node:path";
import { z } from "zod";
import { accept, type Outcome } from "../../text/model/outcome.ts";
import { gatherSources } from "../context/source-context.ts";
import type { Ledger } from "../model/budget.ts";
import type { Metadata } from "../model/metadata.ts";
import type { Crew } from "../model/models.ts";
import { askFor } from "../model/structured.ts";
import { planPages } from "../prompts/plan-pages.ts";
import { researchProject } from "../prompts/research-project.ts";
import type { Steps } from "../run/agent-run.ts";
import type { Redact } from "../run/redact.ts";
import type { Survey } from "./survey.ts";

export type PlannedPage = {
  readonly path: string;
  readonly description: string;
  readonly type: string;
  readonly relevantPaths: readonly string[];
  readonly originalPath?: string;
};

/** Pages to work on, and planned ones that may not be: each with why. */
export type PagePlan = {
  readonly pages: readonly PlannedPage[];
  readonly refused: readonly { readonly path: string; readonly why: string }[];
};

const schema = z
  .array(
    z.object({
      path: z.string().min(1),
      description: z.string().default(""),
      type: z.string().default("guide"),
      relevantPaths: z.array(z.string()).default([]),
      originalPath: z.string().nullish(),
    }),
  )
  .max(200);

type Asked = {
  readonly crew: Crew;
  readonly project: string;
  readonly folder: string;
  readonly survey: Survey;
  readonly redact: Redact;
  /** The change, already cut to size, fenced and without secrets. */
  readonly diff: string;
  readonly changed: readonly string[];
  readonly ledger: Ledger;
  readonly metadata: Metadata;
  readonly signal?: AbortSignal | undefined;
  readonly steps: Steps;
};

const mostListed = 400;
const openingLines = 12;

/** Which pages need work: a researcher says what the project is, a planner names pages, and code decides which of them may be. */
export async function planDocumentation(asked: Asked): Promise<Outcome<PagePlan>> {
  const { crew, project, folder, survey, ledger, metadata, signal } = asked;
  const shared = {
    ledger,
    metadata,
    onStep: asked.steps.answered,
    ...(signal === undefined ? {} : { signal }),
  };
  const listed = survey.code.slice(0, mostListed);
  const entry = [...new Set([...asked.changed, ...listed.filter(isEntry)])].slice(0, 8);
  const { text: source } = await gatherSources(survey, entry, { skeletons: true });
  const research = researchProject({ project, files: listed, source: asked.redact(source) });
  const brief = await crew.researcher.ask({
    ...research,
    ...shared,
    maxOutputTokens: 2000,
    temperature: 0.2,
  });
  if (!brief.ok) return brief;
  const existing = survey.documents.filter((path) => path.startsWith(`${folder}/`));
  const pages: { path: string; opening: string }[] = [];
  for (const path of existing.slice(0, mostListed))
    pages.push({
      path,
      opening: ((await survey.read(path)) ?? "").split("\n").slice(0, openingLines).join("\n"),
    });
  const prompt = planPages({
    project,
    folder,
    brief: brief.value.text,
    pages,
    files: listed,
    diff: asked.diff,
  });
  const planned = await askFor(
    crew.planner,
    { ...prompt, ...shared, maxOutputTokens: 2000, temperature: 0.1 },
    schema,
  );
  if (!planned.ok) return planned;
  return accept(checkPlan(planned.value.value, folder, survey.paths));
}

function isEntry(path: string): boolean {
  return /(^|\/)(index|main|cli|app|lib|mod|__init__|__main__)\.\w+$/.test(path);
}

/** A page stays in its folder and is a document; paths it is about must exist; none is planned twice. */
export function checkPlan(
  planned: z.infer<typeof schema>,
  folder: string,
  paths: readonly string[],
): PagePlan {
  const known = new Set(paths);
  const pages = new Map<string, PlannedPage>();
  const refused: { path: string; why: string }[] = [];
  for (const page of planned) {
    const path = tidyPath(page.path);
    const why = whyNot(path, folder);
    if (why !== null) {
      refused.push({ path: page.path, why });
      continue;
    }
    if (pages.has(path!)) continue;
    const original = tidyPath(page.originalPath ?? "");
    pages.set(path!, {
      path: path!,
      description: page.description,
      type: page.type,
      relevantPaths: [...new Set(page.relevantPaths.map((each) => tidyPath(each) ?? ""))].filter((each) =>
        known.has(each),
      ),
      ...(original && original !== path && known.has(original) && whyNot(original, folder) === null
        ? { originalPath: original }
        : {}),
    });
  }
  return { pages: [...pages.values()], refused };
}

/** One spelling of a relative path; `null` for what is not one. Nothing is decoded or expanded. */
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
  if (path === null || !path.startsWith(`${folder}/`)) return `it is not inside ${folder}/`;
  return /\.mdx?$/.test(path) ? null : "it is not a Markdown page";
}
