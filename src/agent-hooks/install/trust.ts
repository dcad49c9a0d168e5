import { plainValue, readRoot } from "../../syntax/data/json-edit.ts";
import { parseToml } from "../../syntax/data/toml.ts";
import { isRecord } from "../../text/model/json.ts";
import { readUserFile } from "../../workspace/files/user-file.ts";
import type { ClientName, HookClient, HookEvent } from "../clients/client.ts";
import { type HookFilePlace, type HookScope, type UserMachine, userFolder } from "./scope.ts";

/** Why a client will not run a hook that is in its file, and what helps. */
export type Ignored = { readonly what: string; readonly remedy: string };

/** A hook file that has our hooks. */
export type InstalledFile = {
  readonly client: HookClient;
  readonly scope: HookScope;
  /** The root of the project. */
  readonly root: string;
  readonly place: HookFilePlace;
  readonly text: string;
  readonly events: readonly HookEvent[];
};

/** Why a client would skip our hooks, as far as its own files say; `null` where they give no reason. */
export function findIgnored(file: InstalledFile, machine: UserMachine): Ignored | null {
  return judges[file.client.name]?.(file, machine) ?? null;
}

type Judge = (file: InstalledFile, machine: UserMachine) => Ignored | null;

const judges: Readonly<Partial<Record<ClientName, Judge>>> = {
  claude: judgeClaude,
  codex: judgeCodex,
  gemini: judgeGemini,
  copilot: judgeCopilot,
};

function judgeClaude({ client, root, text }: InstalledFile, machine: UserMachine): Ignored | null {
  const folder = userFolder(client.file.user, machine);
  const settings = [
    readJson(join(folder, "settings.json")),
    readJson(join(root, ".claude/settings.local.json")),
    parseJson(text),
  ];
  return settings.some(({ disableAllHooks }) => disableAllHooks === true)
    ? {
        what: "`disableAllHooks` is set in its settings",
        remedy: "remove `disableAllHooks` from the settings",
      }
    : null;
}

/** Codex runs a hook only after a person has reviewed it, and a project's hooks only in a trusted project. */
function judgeCodex(
  { client, scope, root, place, events }: InstalledFile,
  machine: UserMachine,
): Ignored | null {
  const config = readToml(join(userFolder(client.file.user, machine), "config.toml"));
  const project = mapAt(config, "projects", root);
  if (scope === "project" && project.trust_level !== "trusted")
    return { what: "the project is not trusted", remedy: "open Codex here and trust the folder" };
  const state = mapAt(config, "hooks", "state");
  const source = join(place.root, place.path);
  const isTrusted = (event: HookEvent): boolean =>
    Object.entries(state).some(
      ([key, value]) =>
        key.startsWith(`${source}:${snakeCase(client.events[event])}:`) &&
        isRecord(value) &&
        typeof value.trusted_hash === "string" &&
        value.enabled !== false,
    );
  return events.every(isTrusted)
    ? null
    : { what: "Codex has not trusted the hooks", remedy: "run `/hooks` in Codex and trust them" };
}

function judgeGemini({ client, scope, root, text }: InstalledFile, machine: UserMachine): Ignored | null {
  const folder = userFolder(client.file.user, machine);
  const settings = [readJson(join(folder, "settings.json")), parseJson(text)];
  const hooks = settings.map((one) => mapAt(one, "hooksConfig"));
  if (hooks.some(({ enabled }) => enabled === false))
    return { what: "hooks are switched off", remedy: "set `hooksConfig.enabled` to true in its settings" };
  if (hooks.some(({ disabled }) => Array.isArray(disabled) && disabled.includes("suture")))
    return { what: "the hook is disabled", remedy: "run `/hooks enable suture` in Gemini CLI" };
  if (scope === "user") return null;
  const wantsTrust = settings.some((one) => mapAt(one, "security", "folderTrust").enabled === true);
  const folders = readJson(join(folder, "trustedFolders.json"));
  return wantsTrust && !isTrustedFolder(root, folders)
    ? { what: "the folder is not trusted", remedy: "open Gemini CLI here and trust the folder" }
    : null;
}

function isTrustedFolder(root: string, folders: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(folders).some(
    ([folder, level]) => (level === "TRUST_FOLDER" || level === "TRUST_PARENT") && isWithin(root, folder),
  );
}

function judgeCopilot({ client, scope, root }: InstalledFile, machine: UserMachine): Ignored | null {
  const folder = userFolder(client.file.user, machine);
  const [config, settings] = [readJson(join(folder, "config.json")), readJson(join(folder, "settings.json"))];
  if (settings.disableAllHooks === true)
    return {
      what: "`disableAllHooks` is set in its settings",
      remedy: "remove `disableAllHooks` from the settings",
    };
  const trusted = [config.trustedFolders, config.trusted_folders, settings.trustedFolders].flatMap((list) =>
    Array.isArray(list) ? list.filter((one) => typeof one === "string") : [],
  );
  return scope === "user" || trusted.some((one) => isWithin(root, one))
    ? null
    : { what: "the folder is not trusted", remedy: "open Copilot CLI here and trust the folder" };
}

function isWithin(path: string, folder: string): boolean {
  const { relative, isAbsolute } = process.getBuiltinModule("node:path");
  const between = relative(folder, path);
  return between === "" || (!between.startsWith("..") && !isAbsolute(between));
}

function snakeCase(name: string): string {
  return name.replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}

function join(...names: readonly string[]): string {
  return process.getBuiltinModule("node:path").join(...names);
}

type ClientSettings = Readonly<Record<string, unknown>>;

function mapAt(value: ClientSettings, ...keys: readonly string[]): ClientSettings {
  const found = keys.reduce<unknown>((map, key) => (isRecord(map) ? map[key] : undefined), value);
  return isRecord(found) ? found : {};
}

function readJson(path: string): ClientSettings {
  return parseJson(readUserFile(path) ?? "{}");
}

function parseJson(text: string): ClientSettings {
  const root = readRoot(text);
  const value = root ? plainValue(text, root) : {};
  return isRecord(value) ? value : {};
}

function readToml(path: string): ClientSettings {
  const parsed = parseToml(readUserFile(path) ?? "");
  return "value" in parsed && isRecord(parsed.value) ? parsed.value : {};
}
