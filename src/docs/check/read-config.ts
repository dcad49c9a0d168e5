import { defined } from "../../text/model/defined.ts";
import { accept, type Outcome } from "../../text/model/outcome.ts";
import { configPath } from "../../tools/config-path.ts";
import type { Git } from "../../workspace/git/git.ts";
import type { Config, ParsedConfig } from "../config.ts";
import type { Project } from "../project.ts";
import type { OtherDocuments } from "./other-pages.ts";
import type { Ends } from "./range.ts";

/** The configuration that holds for a check: that of the head, or of the trusted commit where the project says so. */
export async function readConfig(
  { reader, settings }: Pick<Project, "reader" | "settings">,
  git: Git,
  { head, trusted }: Ends,
): Promise<Outcome<ParsedConfig>> {
  const isOpen = head === "worktree" || head === "index";
  const read = settings === "head" && isOpen ? await reader?.read(configPath) : undefined;
  const text = read?.ok ? read.value.text : await readAt(git, settings === "base" || isOpen ? trusted : head);
  if (text === null) return accept({ config: {}, warnings: [] });
  // Most repositories have no configuration, and the library that reads its schema takes long to load.
  const { parseConfig } = await import("../config.ts");
  return parseConfig(text);
}

/**
 * The configuration of a check whose pages are in another clone. The settings of `docs` come from the clone of the pages,
 * those of `code` from the clone of the code, and either can leave findings out.
 */
export async function jointConfig(
  { settings }: Pick<Project, "settings">,
  { config: code, warnings }: ParsedConfig,
  docs: OtherDocuments,
): Promise<Outcome<ParsedConfig>> {
  const read = await readConfig({ reader: docs.reader, settings }, docs.git, docs.ends);
  if (!read.ok) return read;
  const pages = read.value.config;
  const config: Config = {
    ...defined({ docs: pages.docs, code: code.code }),
    rules: lowestTiers(code.rules, pages.rules),
    dismissed: [...(code.dismissed ?? []), ...(pages.dismissed ?? [])],
  };
  return accept({ config, warnings: [...warnings, ...read.value.warnings] });
}

const tiers = ["certain", "likely", "possible", "off"] as const;

function lowestTiers(a: Config["rules"] = {}, b: Config["rules"] = {}): NonNullable<Config["rules"]> {
  const lowest: NonNullable<Config["rules"]> = { ...a };
  for (const [rule, tier = "certain"] of Object.entries(b))
    lowest[rule] = tiers[Math.max(tiers.indexOf(tier), tiers.indexOf(lowest[rule] ?? "certain"))]!;
  return lowest;
}

async function readAt(git: Git, revision: string): Promise<string | null> {
  const file = (await git.tree(revision)).find(({ path }) => path === configPath);
  const bytes = file && (await git.blobs([file.id])).get(file.id);
  return bytes ? new TextDecoder().decode(bytes) : null;
}
