import type { HookClient } from "../../../agent-hooks/clients/client.ts";
import { findClient, targetNames } from "../../../agent-hooks/clients/registry.ts";
import { type Installed, installHooks, uninstallHooks } from "../../../agent-hooks/install/install.ts";
import { type HookScope, locateHookFile, type UserMachine } from "../../../agent-hooks/install/scope.ts";
import { findStatus, findUsedClients, type HookStatus } from "../../../agent-hooks/install/status.ts";
import { defined } from "../../../text/model/defined.ts";
import type { Outcome } from "../../../text/model/outcome.ts";
import { unsafeHooks } from "../../../wording/npx-command.ts";
import { openGit } from "../../../workspace/git/git.ts";
import { openReader } from "../../../workspace/workspace.ts";
import { type Call, exit, isSet, textOf } from "../../command.ts";
import { paintDiff } from "../../terminal/paint.ts";
import { usageError } from "../../usage-error.ts";
import { decline } from "../../with-project.ts";
import { callName } from "./call-name.ts";

/** The machine that this process runs on. */
export function thisMachine(): UserMachine {
  return { home: process.getBuiltinModule("node:os").homedir(), env: process.env };
}

export async function install(call: Call): Promise<number> {
  const { options } = call;
  const named = { root: await rootOf(call), absolute: isSet(options, "user") };
  const choice = {
    command: textOf(options, "command") ?? callName(named),
    witness: !isSet(options, "no-witness"),
    dryRun: isSet(options, "dry-run"),
  };
  return withClients(call, (client, place) => installHooks(client, place, choice));
}

export function uninstall(call: Call): Promise<number> {
  return withClients(call, (client, place) =>
    uninstallHooks(client, place, { dryRun: isSet(call.options, "dry-run") }),
  );
}

type HookChange = (
  client: HookClient,
  place: ReturnType<typeof locateHookFile>,
) => Promise<Outcome<Installed>>;

/** Changes the hook file of each client that is meant, and says what became of it. */
async function withClients(call: Call, change: HookChange): Promise<number> {
  const { options, terminal } = call;
  const root = await rootOf(call);
  const machine = thisMachine();
  const chosen = await chooseClients(call, root, machine);
  if (typeof chosen === "number") return chosen;
  const scope: HookScope = isSet(options, "user") ? "user" : "project";
  const done: Installed[] = [];
  for (const client of chosen) {
    const place = locateHookFile(client, { scope, root, machine });
    const changed = await change(client, place);
    if (!changed.ok) return decline(terminal, "agent", changed.refusal);
    if (!done.some((one) => one.place.path === place.path)) done.push(changed.value);
  }
  report(call, done, { root, machine });
  return exit.done;
}

/** The clients that `--target` names; without it, those that are used here. */
async function chooseClients(
  { options, terminal }: Call,
  root: string,
  machine: UserMachine,
): Promise<readonly HookClient[] | number> {
  const target = textOf(options, "target");
  const names = `The clients are ${targetNames.join(", ")}.`;
  if (target !== undefined) {
    const client = findClient(target);
    return client ? [client] : usageError(terminal, `there is no client ${target}`, names);
  }
  const opened = await openReader(root);
  if (!opened.ok) return decline(terminal, "agent", opened.refusal);
  await using reader = opened.value;
  const listed = await reader.list({});
  const used = findUsedClients(listed.ok ? listed.value.paths : [], machine);
  return used.length > 0
    ? used
    : usageError(terminal, "no coding agent is known here; name one with --target", names);
}

function report(
  { options, terminal }: Call,
  done: readonly Installed[],
  place: { readonly root: string; readonly machine: UserMachine },
): void {
  const files = done.map(({ client, place: { root, path }, entry, diff }) => ({
    client: client.name,
    file: process.getBuiltinModule("node:path").join(root, path),
    ...defined({ entry: entry ?? undefined }),
    changed: diff !== "",
    diff,
  }));
  const ignored = findStatus(place).filter((status) => status.ignored !== null);
  if (terminal.json) {
    terminal.printJson({ success: true, files, ignored });
    return;
  }
  for (const { client, entry, diff, place: file } of done) {
    if (diff !== "") terminal.printPainted(paintDiff(diff, terminal));
    const undo =
      place.root === file.root ? `suture undo ${entry}` : `suture undo ${entry} --root ${file.root}`;
    if (entry !== null) terminal.remark(`${client.title}: written. Take it back with: ${undo}`);
    else terminal.remark(`${client.title}: ${diff === "" ? "nothing to change" : "nothing was written"}.`);
  }
  if (!isSet(options, "dry-run")) for (const status of ignored) terminal.remark(ignoredText(status));
}

/** Says which clients have our hooks, and which of them will not run them. */
export async function status(call: Call): Promise<number> {
  const { terminal, options } = call;
  const target = textOf(options, "target");
  const wanted = target === undefined ? undefined : findClient(target);
  if (target !== undefined && !wanted)
    return usageError(terminal, `there is no client ${target}`, `The clients are ${targetNames.join(", ")}.`);
  const all = findStatus({ root: await rootOf(call), machine: thisMachine() });
  const hooks = all.filter(({ client }) => !wanted || wanted.name === client);
  if (terminal.json) terminal.printJson({ success: true, hooks });
  else for (const one of hooks.filter(isTold)) terminal.print(statusText(one));
  return exit.done;
}

/** A client is named with its project, and with its user's settings where something is there. */
function isTold({ scope, events }: HookStatus): boolean {
  return scope === "project" || events.length > 0;
}

function statusText(one: HookStatus): string {
  const { title, file, events, ignored, isUnsafe } = one;
  if (events.length === 0) return `${title}: not installed (${file})`;
  const said = `${title}: ${events.join(", ")} (${file})`;
  const notes = [...(ignored === null ? [] : [ignoredText(one)]), ...(isUnsafe ? [unsafeText(one)] : [])];
  return [said, ...notes].join("\n  ");
}

function unsafeText({ title, file, client, scope }: HookStatus): string {
  return `${unsafeHooks.what(title, file)}; ${unsafeHooks.remedy(client, scope)}`;
}

/** That a client will not run its hooks, and what helps. */
export function ignoredText({ title, ignored }: HookStatus): string {
  return `${title} will not run the hooks: ${ignored?.what}. To change that, ${ignored?.remedy}.`;
}

async function rootOf({ options }: Call): Promise<string> {
  const folder = textOf(options, "root") ?? ".";
  const git = await openGit(folder);
  return git && !git.isBare ? git.top : process.getBuiltinModule("node:path").resolve(folder);
}
