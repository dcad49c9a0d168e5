import { compareTexts } from "../../text/diff/compare.ts";
import type { Edit } from "../../text/model/edit.ts";
import { accept, type Outcome } from "../../text/model/outcome.ts";
import type { Snapshot } from "../../text/model/snapshot.ts";
import { type Applied, applyEdits } from "../../tools/apply-edits.ts";
import { openContext } from "../../tools/context.ts";
import type { Context } from "../../tools/tool.ts";
import { openGit } from "../../workspace/git/git.ts";
import type { HookClient } from "../clients/client.ts";
import { forgetSessions } from "../session/store.ts";
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
export async function uninstallHooks(
  client: HookClient,
  place: HookFilePlace,
  options: HookInstallOptions,
): Promise<Outcome<Installed>> {
  const removed = await rewrite(client, place, options, (text) =>
    text === null ? accept(null) : removeHooks(text, client),
  );
  const repository = options.dryRun ? null : await (await openGit(place.root))?.commonFolder();
  if (removed.ok && repository) forgetSessions(repository);
  return removed;
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
  const made = after.value === null ? await findInstallation(context, read.value) : undefined;
  const applied: Outcome<Applied | null> =
    edits.length === 0
      ? accept(null)
      : await applyEdits(context, edits, {
          reason: `hooks of ${client.title}`,
          dry_run: dryRun || made !== undefined,
        });
  if (!applied.ok) return applied;
  const diff = applied.value?.diff ?? "";
  if (!made || dryRun) return accept({ client, place, entry: applied.value?.entry?.id ?? null, diff });
  const undone = await context.workspace!.undo({ entry: made.id }, { author: context.author });
  return undone.ok ? accept({ client, place, entry: undone.value.id, diff }) : undone;
}

/** The entry that made a file, if the file is still the same. Its undo removes the folders that it made, too. */
async function findInstallation({ reader, task }: Context, { path, version }: Snapshot) {
  const [newest] = await reader.history({ path });
  const file = newest?.files.find((one) => one.path === path);
  const isMade = newest?.task === task && file?.before === null && file.after?.version === version;
  return isMade && !newest.undone ? newest : undefined;
}

function editsBetween(path: string, before: string | null, after: string | null): Edit[] {
  const shared = { path, reason: "hooks of Suture", evidence: [] };
  if (before === after) return [];
  if (after === null) return [{ ...shared, target: { file: "delete" } }];
  if (before === null) return [{ ...shared, target: { file: "create" }, text: after }];
  return compareTexts(before, after).map(({ region, text }) => ({ ...shared, target: { region }, text }));
}
