import { compareTexts } from "../../text/diff/compare.ts";
import type { Edit } from "../../text/model/edit.ts";
import { accept, type Outcome } from "../../text/model/outcome.ts";
import { type Applied, applyEdits } from "../../tools/apply-edits.ts";
import { openContext } from "../../tools/context.ts";
import type { HookClient } from "../clients/client.ts";
import { addHooks, type HookChoice, removeHooks } from "./hook-file.ts";
import type { HookFilePlace } from "./scope.ts";

/** The result for a client's hook file. `entry: null`: it was right already, or this was a preview. */
export type Installed = {
  readonly client: HookClient;
  readonly place: HookFilePlace;
  readonly entry: string | null;
  readonly diff: string;
};

export type HookInstallOptions = { readonly dryRun: boolean };

/** Puts our hooks into a client's file, in a transaction that `suture undo` takes back. */
export function installHooks(
  client: HookClient,
  place: HookFilePlace,
  options: HookInstallOptions & HookChoice,
): Promise<Outcome<Installed>> {
  return rewrite(client, place, options, (text) => addHooks(text, client, options));
}

/** Takes our hooks out of a client's file. A file that held nothing else is removed. */
export function uninstallHooks(
  client: HookClient,
  place: HookFilePlace,
  options: HookInstallOptions,
): Promise<Outcome<Installed>> {
  return rewrite(client, place, options, (text) =>
    text === null ? accept(null) : removeHooks(text, client),
  );
}

async function rewrite(
  client: HookClient,
  place: HookFilePlace,
  { dryRun }: HookInstallOptions,
  change: (text: string | null) => Outcome<string | null>,
): Promise<Outcome<Installed>> {
  // The person who runs the command has agreed to this one file.
  const policy = { consent: (path: string) => path === place.path };
  const opened = await openContext({ root: place.root, author: "person", task: "agent-install", policy });
  if (!opened.ok) return opened;
  await using context = opened.value;
  const read = await context.reader.read(place.path);
  if (!read.ok) return read;
  const after = change(read.value.text);
  if (!after.ok) return after;
  const edits = editsBetween(place.path, read.value.text, after.value);
  const applied: Outcome<Applied | null> =
    edits.length === 0
      ? accept(null)
      : await applyEdits(context, edits, { reason: `hooks of ${client.title}`, dry_run: dryRun });
  if (!applied.ok) return applied;
  return accept({ client, place, entry: applied.value?.entry?.id ?? null, diff: applied.value?.diff ?? "" });
}

function editsBetween(path: string, before: string | null, after: string | null): Edit[] {
  const shared = { path, reason: "hooks of Suture", evidence: [] };
  if (before === after) return [];
  if (after === null) return [{ ...shared, target: { file: "delete" } }];
  if (before === null) return [{ ...shared, target: { file: "create" }, text: after }];
  return compareTexts(before, after).map(({ region, text }) => ({ ...shared, target: { region }, text }));
}
