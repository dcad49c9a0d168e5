import { basename, resolve } from "node:path";
import { newRunId } from "../../docs/audit.ts";
import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import { type ContextOptions, openContext } from "../../tools/context.ts";
import { type Closable, closable } from "../../workspace/lifetime.ts";
import type { Reader } from "../../workspace/workspace.ts";
import { openLedger } from "../model/budget.ts";
import { openEmbedding } from "../model/embedding.ts";
import type { Limits } from "../model/model.ts";
import { type Crew, openCrew } from "../model/models.ts";
import { startTracing } from "../model/tracing.ts";
import type { Bench, Progress } from "./agent-run.ts";
import { createRedact, secretsIn } from "./redact.ts";
import { openRepository } from "./repository.ts";
import { type Environment, readUserConfig, resolveSettings, type Settings } from "./settings.ts";

export type BenchOptions = {
  readonly root: string;
  readonly environment: Environment;
  readonly model?: string | undefined;
  readonly maxCostUsd?: number | undefined;
  readonly review?: boolean | undefined;
  /** Rules only: whatever models are configured, none is opened. */
  readonly rulesOnly?: boolean | undefined;
  /** Only look: then there is no workspace, and nothing can be written. */
  readonly readOnly?: boolean | undefined;
  readonly limits?: Partial<Limits> | undefined;
  readonly report: (event: Progress) => void;
  readonly signal?: AbortSignal | undefined;
  readonly policy?: ContextOptions["policy"];
  /** For tests: another machine than this one. */
  readonly files?: ContextOptions["files"];
};

export type OpenBench = Closable & { readonly bench: Bench; readonly settings: Settings };

/** Sets a run up: the user's settings, the models they chose, the files, the history, and the purse. */
export async function openBench(options: BenchOptions): Promise<Outcome<OpenBench>> {
  const { environment, signal } = options;
  const root = resolve(options.root);
  const settings = await findSettings(options, root);
  if (!settings.ok) return settings;
  const secrets = [...new Set([...secretsIn(environment), ...Object.values(settings.value.apiKeys)])];
  const redact = createRedact(secrets);
  const crew = await chooseCrew(settings.value, options, redact);
  if (!crew.ok) return crew;
  const embed = await openEmbedding(settings.value, redact);
  if (!embed.ok) return embed;
  const { randomBytes } = process.getBuiltinModule("node:crypto");
  const run = newRunId(new Date().toISOString(), randomBytes(8).toString("hex"));
  const context = await openContext({
    root,
    profile: "docs",
    author: "suture",
    run,
    ...(options.files === undefined ? {} : { files: options.files }),
    ...(options.policy === undefined ? {} : { policy: options.policy }),
    ...(options.readOnly ? { mode: "research" } : {}),
    ...(signal === undefined ? {} : { signal }),
  });
  if (!context.ok) return context;
  const { reader } = context.value;
  const untraced = settings.value.telemetry ? await startTracing() : null;
  if (untraced !== null) options.report({ kind: "note", subject: "tracing", text: untraced });
  const bench: Bench = {
    context: context.value,
    run,
    repository: await openRepository(root, reader),
    crew: crew.value,
    embed: embed.value,
    ledger: openLedger({ maxCostUsd: options.maxCostUsd }),
    redact,
    secrets,
    project: (await projectName(reader)) ?? basename(root),
    report: ({ text, ...event }) => options.report({ ...event, text: redact(text) }),
    now: () => new Date(),
    ...(signal === undefined ? {} : { signal }),
  };
  return accept({ bench, settings: settings.value, ...closable(() => context.value.close()) });
}

async function findSettings(
  { environment, model, rulesOnly }: BenchOptions,
  root: string,
): Promise<Outcome<Settings>> {
  if (rulesOnly) return resolveSettings({ environment: {} });
  const config = await readUserConfig(environment, root);
  return config.ok ? resolveSettings({ environment, config: config.value, model }) : config;
}

/** No model is no trouble; a model that cannot be used, or paid for, is. */
async function chooseCrew(
  settings: Settings,
  { limits, review, maxCostUsd }: BenchOptions,
  redact: Bench["redact"],
): Promise<Outcome<Crew | null>> {
  if (!settings.models.writer) return accept(null);
  const crew = await openCrew(settings, {
    redact,
    ...(limits === undefined ? {} : { limits }),
    ...(review === undefined ? {} : { review }),
  });
  if (!crew.ok || maxCostUsd === undefined) return crew;
  const unpriced = Object.values(crew.value).find((model) => model !== null && model.price === null);
  if (!unpriced) return crew;
  const what = `a cost ceiling was set, but nobody has said what ${unpriced.name} costs`;
  return refuse({
    code: "malformed",
    what,
    hint: 'Add it to "prices" in the user configuration: dollars for a million tokens in and out.',
  });
}

async function projectName(reader: Reader): Promise<string | null> {
  const read = await reader.read("package.json");
  if (!read.ok || read.value.text === null) return null;
  try {
    const { name } = JSON.parse(read.value.text) as { name?: unknown };
    return typeof name === "string" && name !== "" ? name : null;
  } catch {
    return null;
  }
}
