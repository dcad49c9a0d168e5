import { basename, resolve } from "node:path";
import { newRunId } from "../../docs/record/audit.ts";
import { outlineDocument } from "../../syntax/formats/outline.ts";
import { createRedact, secretsIn } from "../../text/match/secrets.ts";
import { defined } from "../../text/model/defined.ts";
import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import { type ContextOptions, openContext } from "../../tools/context.ts";
import { modelText } from "../../wording/agents.ts";
import { type Closable, closable } from "../../workspace/lifetime.ts";
import type { Reader } from "../../workspace/workspace.ts";
import { headingTitle } from "../context/heading-title.ts";
import { findReadme } from "../context/project-brief.ts";
import { CostBudget } from "../model/budget.ts";
import { openEmbedding } from "../model/embedding.ts";
import type { Limits } from "../model/model.ts";
import { type Models, openModels } from "../model/models.ts";
import { startTracing } from "../model/tracing.ts";
import type { AgentRun, RunProgress } from "./agent-run.ts";
import { openGitRepository } from "./repository.ts";
import { type EnvironmentVariables, readUserConfig, resolveSettings, type Settings } from "./settings.ts";

export type AgentRunOptions = {
  readonly root: string;
  readonly environment: EnvironmentVariables;
  readonly model?: string | undefined;
  readonly maxCostUsd?: number | undefined;
  /** Seconds for one answer of a model. */
  readonly timeout?: number | undefined;
  readonly review?: boolean | undefined;
  /** Rules only: no configured model is opened. */
  readonly rulesOnly?: boolean | undefined;
  /** Without a workspace, nothing can be written. */
  readonly readOnly?: boolean | undefined;
  readonly limits?: Partial<Limits> | undefined;
  readonly report: (event: RunProgress) => void;
  readonly signal?: AbortSignal | undefined;
  readonly policy?: ContextOptions["policy"];
  /** Other files than those of this machine. */
  readonly files?: ContextOptions["files"];
};

export type OpenAgentRun = Closable & { readonly run: AgentRun; readonly settings: Settings };

/** Opens a run: the user's settings, the chosen models, the files, the history and the budget. */
export async function openAgentRun(options: AgentRunOptions): Promise<Outcome<OpenAgentRun>> {
  const root = resolve(options.root);
  const settings = await findSettings(options, root);
  if (!settings.ok) return settings;
  const apiKeys = Object.values(settings.value.apiKeys);
  const secrets = [...new Set([...secretsIn(options.environment), ...apiKeys])];
  const redact = createRedact(secrets);
  const models = await chooseModels(settings.value, options, redact);
  if (!models.ok) return models;
  const embed = await openEmbedding(settings.value, redact);
  if (!embed.ok) return embed;
  const id = createRunId();
  const context = await openContext(contextOptions(options, { root, run: id }));
  if (!context.ok) return context;
  const { reader } = context.value;
  const untraced = settings.value.telemetry ? await startTracing() : null;
  if (untraced !== null) options.report({ kind: "note", subject: "tracing", text: untraced });
  const run: AgentRun = {
    context: context.value,
    id,
    repository: await openGitRepository(root, reader),
    models: models.value,
    embed: embed.value,
    budget: new CostBudget({ maxCostUsd: options.maxCostUsd }),
    redact,
    secrets,
    project: (await projectName(reader)) ?? basename(root),
    report: ({ text, ...event }) => options.report({ ...event, text: redact(text) }),
    contextLength: settings.value.contextLength,
    now: () => new Date(),
    signal: options.signal,
  };
  return accept({ run, settings: settings.value, ...closable(() => context.value.close()) });
}

function createRunId(): string {
  const { randomBytes } = process.getBuiltinModule("node:crypto");
  return newRunId(new Date().toISOString(), randomBytes(8).toString("hex"));
}

function contextOptions(
  { files, policy, readOnly, signal }: AgentRunOptions,
  { root, run }: { readonly root: string; readonly run: string },
): ContextOptions {
  return {
    root,
    profile: "docs",
    author: "suture",
    strict: true,
    run,
    ...defined({ files, policy, mode: readOnly ? "research" : undefined, signal }),
  };
}

async function findSettings(
  { environment, model, rulesOnly, timeout }: AgentRunOptions,
  root: string,
): Promise<Outcome<Settings>> {
  if (rulesOnly) return resolveSettings({ environment: {} });
  const config = await readUserConfig(environment, root);
  return config.ok ? resolveSettings({ environment, config: config.value, model, timeout }) : config;
}

/** A run works without a model. A model that cannot be used or paid for is refused. */
async function chooseModels(
  settings: Settings,
  { limits, review, maxCostUsd }: AgentRunOptions,
  redact: AgentRun["redact"],
): Promise<Outcome<Models | null>> {
  if (!settings.models.writer) return accept(null);
  const models = await openModels(settings, { redact, limits, review });
  if (!models.ok || maxCostUsd === undefined) return models;
  const unpriced = Object.values(models.value).find((model) => model !== null && model.price === null);
  if (!unpriced) return models;
  return refuse({
    code: "malformed",
    what: modelText.unknownPrice(unpriced.name),
    hint: modelText.unknownPriceHint,
  });
}

/** Where the manifests of several languages say the name of a project. */
const manifests: Readonly<Record<string, (text: string) => string | undefined>> = {
  "package.json": nameInJson,
  "pyproject.toml": (text) => /^name\s*=\s*["']([^"'\n]+)["']/m.exec(text)?.[1],
  "setup.cfg": (text) => /^name[^\S\n]*=[^\S\n]*(\S(?:[^\n]*\S)?)/m.exec(text)?.[1],
  "setup.py": (text) => /\bname\s*=\s*["']([^"'\n]+)["']/.exec(text)?.[1],
  "composer.json": nameInJson,
  "Cargo.toml": (text) => /^name\s*=\s*"([^"\n]+)"/m.exec(text)?.[1],
  "go.mod": (text) => /^module\s+(?:\S*\/)?([^\s/]+?)(?:\/v\d+)?\s*$/m.exec(text)?.[1],
};

/** The name in a manifest, or the title of the README. */
async function projectName(reader: Reader): Promise<string | null> {
  for (const [manifest, nameIn] of Object.entries(manifests)) {
    const read = await reader.read(manifest);
    const name = read.ok && read.value.text !== null ? nameIn(read.value.text) : undefined;
    if (name !== undefined) return name;
  }
  const listed = await reader.list();
  const readme = listed.ok ? findReadme(listed.value.paths) : null;
  const read = readme === null ? null : await reader.read(readme);
  return read?.ok && readme !== null ? titleOf(readme, read.value.text ?? "") : null;
}

const longestTitle = 60;

/** The first heading of a page without its marks, if it is short enough for a name. */
function titleOf(path: string, text: string): string | null {
  const heading = outlineDocument(path, text).blocks.find(({ kind }) => kind === "heading");
  const title = heading ? text.slice(heading.content.start, heading.content.end) : "";
  const words = headingTitle(title.replace(/<[^<>]*>|[`*_]/g, ""));
  return words === "" || words.length > longestTitle ? null : words;
}

function nameInJson(text: string): string | undefined {
  try {
    const { name } = JSON.parse(text) as { name?: unknown };
    return typeof name === "string" && name !== "" ? name : undefined;
  } catch {
    return undefined;
  }
}
