import { configPath } from "../../tools/config-path.ts";
import { witnessText } from "../../wording/agent-hooks.ts";
import { findIgnored } from "../../workspace/git/ignored.ts";
import { createRunner, createStarter } from "../../workspace/git/run-git.ts";
import { findWorkTree, findWorkTreeOf, stampOf, type WorkTree } from "../../workspace/git/work-tree.ts";
import { sha256 } from "../../workspace/hash/sha256.ts";
import type { Origin } from "../../workspace/journal/entries.ts";
import type { PathPolicy } from "../../workspace/paths/paths.ts";
import { openWorkspace, type Reader, type Workspace } from "../../workspace/workspace.ts";
import type { Answer, HookCall, HookClient, ToolCall } from "../clients/client.ts";
import { type FileMoment, judgeEdit } from "./judge.ts";
import { KeptFiles } from "./kept-file.ts";
import { originOf } from "./origin.ts";
import { readClaim, type ToolClaim } from "./tool-claim.ts";

const largestFile = 8_000_000;
const mostFiles = 20;

/** A call of a tool in a repository, and the files it names there. */
type WitnessedCall = {
  readonly workspace: Workspace;
  readonly kept: KeptFiles;
  readonly claim: ToolClaim;
  /** Relative to the root. */
  readonly paths: readonly string[];
  /** The work tree that the session works in, where the call names files of another one. */
  readonly own: string | null;
  /** The id that pairs the hook before a call with the hook after it. */
  readonly id: string;
};

/** Before a tool: keeps the bytes of the files that it is about to edit. */
export async function witnessBefore(call: HookCall): Promise<void> {
  await withCall(call, async ({ workspace, kept, claim, paths, id, own }) => {
    if (claim.does === "read") return;
    for (const path of paths) {
      const found = await look(workspace, path);
      if (found === "unreadable") continue;
      const isUnseen = own === null && kept.hasSeenOther(path, found.version);
      kept.keep(id, { path, moment: found.moment, isUnseen });
    }
  });
}

/** After a tool: compares its effect with its input, records the edit in the journal, and reports any other change. */
export async function witnessAfter(call: HookCall, client: HookClient, command: string): Promise<Answer> {
  const told: string[] = [];
  await withCall(call, async (witnessed) => {
    for (const path of witnessed.paths)
      told.push(...(await judgeFile(call, client, { ...witnessed, path, command })));
  });
  return told.length === 0 ? {} : client.tell(told.join("\n"));
}

async function judgeFile(
  call: HookCall,
  client: HookClient,
  {
    workspace,
    kept,
    claim,
    path,
    id,
    own,
    command,
  }: WitnessedCall & { readonly path: string; readonly command: string },
): Promise<string[]> {
  const now = await look(workspace, path);
  if (now === "unreadable") return [];
  if (own === null) kept.see(path, now.version);
  const before = claim.does === "read" ? null : kept.take(id, path);
  if (!before || isSame(before.moment, now.moment)) return [];
  const collateral = judgeEdit(claim, before.moment, now.moment);
  const task = taskOf(call);
  const rivals = await findOtherSession(workspace, path, task);
  const entry = await record(
    workspace,
    { path, before: before.moment },
    { author: client.name, task, origin: originOf(call, call.tool?.name ?? "a tool") },
  );
  const { isUnseen } = before;
  if (collateral.length === 0 && !isUnseen && rivals.length === 0 && own === null) return [];
  const stray = own === null ? null : { own, tree: workspace.root };
  return [witnessText({ path, collateral, isUnseen, rivals, stray, entry, command })];
}

/** The task under which the journal keeps the edits of a session. */
export function taskOf({ client, session }: HookCall): string {
  return `${client}-${sha256(session ?? "").slice(0, 8)}`;
}

/** Opens what a call needs; nothing where the tool names no file of a repository, or none that is kept. */
async function withCall(call: HookCall, work: (witnessed: WitnessedCall) => Promise<void>): Promise<void> {
  const claim = call.tool && readClaim(call.tool);
  if (!claim || !call.tool || !call.cwd || call.cwd.includes("\0")) return;
  const tree = findWorkTree(call.cwd);
  if (!tree) return;
  const named = claim.does === "patch" ? claim.paths : [claim.path];
  const kept = new KeptFiles(tree.common, call.session);
  const id = callId(call.tool);
  for (const [top, place] of placesOf(tree, call.cwd, named.slice(0, mostFiles))) {
    const isOwn = top === tree.top;
    const own = isOwn ? null : tree.top;
    await withPlace(place, { kept, claim, own, id: isOwn ? id : `${id} in ${top}` }, work);
  }
}

type Place = { readonly tree: WorkTree; readonly names: string[] };

/** The files of a call by their work trees: its own, and others of the same repository. */
function placesOf(own: WorkTree, cwd: string, named: readonly string[]): ReadonlyMap<string, Place> {
  const { resolve } = process.getBuiltinModule("node:path");
  const places = new Map<string, Place>();
  for (const name of named.filter((each) => !each.includes("\0"))) {
    const file = resolve(cwd, name);
    const nearest = findWorkTreeOf(file);
    // A submodule is part of the tree around it.
    const tree = nearest?.common === own.common ? nearest : own;
    const place = places.get(tree.top) ?? { tree, names: [] };
    place.names.push(...relativePath(tree.top, cwd, file));
    places.set(tree.top, place);
  }
  return places;
}

async function withPlace(
  { tree, names }: Place,
  shared: Omit<WitnessedCall, "workspace" | "paths">,
  work: (witnessed: WitnessedCall) => Promise<void>,
): Promise<void> {
  const paths: string[] = [];
  for (const path of names) if (await isWanted(tree, shared.kept, path)) paths.push(path);
  if (paths.length === 0) return;
  const opened = await openWorkspace(tree.top, {
    sizeLimit: largestFile,
    patience: 3000,
    policy: allButSecrets,
  });
  if (!opened.ok) return;
  await using workspace = opened.value;
  if (!(await wantsWitness(workspace))) return;
  await work({ ...shared, workspace, paths });
}

/** The client has asked its user already, so the journal may record any file. Secrets are not even looked at. */
const allButSecrets: PathPolicy = { consent: (_path, concern) => concern !== "secrets" };

/** Whether a file may be kept: git does not ignore it. Git is asked once for each file, unless its rules may differ. */
async function isWanted(tree: WorkTree, kept: KeptFiles, path: string): Promise<boolean> {
  const { basename, dirname, join } = process.getBuiltinModule("node:path");
  const stamp = stampOf(tree);
  if (kept.isTrusted(path, stamp)) return true;
  // A submodule has rules of its own.
  const file = join(tree.top, path);
  const nearest = findWorkTree(dirname(file));
  const [top, name] =
    nearest && nearest.top !== tree.top ? [dirname(file), basename(file)] : [tree.top, path];
  const ignored = await findIgnored(createRunner(createStarter(top)), [name]);
  if (!ignored || ignored.size > 0) return false;
  kept.trust(path, stamp);
  return true;
}

/** Whether the project wants edits witnessed. Parsed without the schema, which would take longer than the edit. */
export async function wantsWitness(reader: Reader): Promise<boolean> {
  const config = await reader.read(configPath);
  try {
    const value = JSON.parse((config.ok && config.value.text) || "{}") as { agents?: { witness?: unknown } };
    return value.agents?.witness !== false;
  } catch {
    return true;
  }
}

/** The client's id of the call; else its input, which is the same before and after. */
function callId({ id, name, input }: ToolCall): string {
  return id ?? `${name} ${JSON.stringify(input)}`;
}

/** A path inside the root, as the journal names it; nothing for one outside. */
function relativePath(top: string, cwd: string, name: string): string[] {
  const { resolve, relative, isAbsolute, sep } = process.getBuiltinModule("node:path");
  if (name.includes("\0")) return [];
  const path = relative(top, resolve(cwd, name));
  return path === "" || path.startsWith("..") || isAbsolute(path) ? [] : [path.split(sep).join("/")];
}

type LookedFile = { readonly moment: FileMoment; readonly version: string };

/** The file as it is now. Links, secrets and files that are too large are not looked at. */
async function look(reader: Reader, path: string): Promise<LookedFile | "unreadable"> {
  const read = await reader.read(path, { strayBytes: "keep" });
  if (!read.ok) return "unreadable";
  const { bytes, mode, version } = read.value;
  return { moment: bytes === null ? null : { bytes, mode: mode ?? 0o644 }, version };
}

function isSame(a: FileMoment, b: FileMoment): boolean {
  if (!a || !b) return a === b;
  return a.mode === b.mode && Buffer.compare(a.bytes, b.bytes) === 0;
}

/** The agent session that made the newest edit of a file, if it is another one. */
async function findOtherSession(reader: Reader, path: string, task: string): Promise<string[]> {
  const history = await reader.history({ path, limit: 5 });
  const [last] = history.filter(({ undone }) => !undone);
  return last?.task !== undefined && last.task !== task && /^[a-z]+-[0-9a-f]{8}$/.test(last.task)
    ? [`${last.author} (entry ${last.id})`]
    : [];
}

/** Puts the edit into the journal; answers with its number. */
async function record(
  workspace: Workspace,
  change: { readonly path: string; readonly before: FileMoment },
  who: { readonly author: string; readonly task: string; readonly origin: Origin },
): Promise<string | null> {
  const reason = `${who.origin.tool} of ${who.author}`;
  const done = await workspace.recordOutside([change], { ...who, reason });
  return done.ok ? done.value.id : null;
}
