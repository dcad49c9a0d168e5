import { dataAt } from "../../syntax/data/data.ts";
import { addItem, addMember, plainValue, readRoot, removeValue } from "../../syntax/data/json-edit.ts";
import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import { isTakenFromFolder } from "../../wording/npx-command.ts";
import type { HookClient, HookEvent } from "../clients/client.ts";

export type HookChoice = {
  /** The command that calls Suture: `suture`, `npx …`. */
  readonly command: string;
  /** Whether the edits of built-in tools are witnessed. */
  readonly witness: boolean;
};

/** Seconds after which a client ends a hook; Suture's own limits are lower. */
const patience: Readonly<Record<HookEvent, number>> = { start: 30, stop: 30, before: 10, after: 10 };

/** A hook of ours, in the words of any client: its command calls `suture agent`. */
const own = /(suture|cli\/main\.[jt]s)\b.*\bagent (start|stop|before|after)\b(?!-)/;

/** A client's hook file with our hooks in it. What it held before stays as it is, to the byte. */
export function addHooks(text: string | null, client: HookClient, choice: HookChoice): Outcome<string> {
  const hooks = wantedHooks(client, choice);
  if (text === null || text.trim() === "") {
    const groups = Object.fromEntries(hooks.map(({ event, entry }) => [event, [entry]]));
    return accept(`${JSON.stringify({ ...client.fileKeys, hooks: groups }, null, 2)}\n`);
  }
  let current: string | null = text;
  for (const [key, value] of Object.entries(client.fileKeys ?? {}))
    if (!hasKey(current, key)) current = addMember(current ?? "", [key], value);
  for (const { event, entry } of hooks) {
    // A hook that could start a program of the project gives way to one that cannot.
    for (const place of findOwn(current, event, isTakenFromFolder).reverse())
      current = current && removeValue(current, ["hooks", event], place);
    if (current === null) break;
    if (findOwn(current, event).length === 0) current = addItem(current, ["hooks", event], entry);
  }
  return current === null ? unreadable(client) : accept(current);
}

/** The same file without our hooks; `null` where nothing else was in it. */
export function removeHooks(text: string, client: HookClient): Outcome<string | null> {
  let current: string | null = text;
  for (const event of Object.values(client.events)) {
    for (const place of findOwn(current, event).reverse())
      current = current && removeValue(current, ["hooks", event], place);
    if (current !== null && isEmpty(current, "hooks", event))
      current = removeValue(current, ["hooks"], event);
  }
  if (current !== null && isEmpty(current, "hooks")) current = removeValue(current, [], "hooks");
  if (current === null) return unreadable(client);
  return accept(isBare(current, client) ? null : current);
}

/** The events for which a file has a hook of ours. */
export function installedEvents(text: string | null, { events }: HookClient): HookEvent[] {
  const names = Object.entries(events) as [HookEvent, string][];
  return names.filter(([, name]) => findOwn(text, name).length > 0).map(([event]) => event);
}

function wantedHooks(client: HookClient, { command, witness }: HookChoice) {
  const target = client.isShared ? "" : ` --target ${client.name}`;
  const commandOf = (event: HookEvent): string =>
    `${command} agent ${event}${target}${event === "stop" && witness ? " --record" : ""}`;
  const events: readonly HookEvent[] = witness ? ["start", "stop", "before", "after"] : ["start", "stop"];
  return events.map((event) => ({
    event: client.events[event],
    entry: client.entry({
      command: commandOf(event),
      seconds: patience[event],
      ...matcherOf(client, event),
    }),
  }));
}

function matcherOf({ editTools, readTools }: HookClient, event: HookEvent): { readonly matcher?: string } {
  if (event === "before") return { matcher: editTools };
  if (event !== "after") return {};
  return { matcher: readTools === undefined ? editTools : `${readTools}|${editTools}` };
}

/** Whether a file has a hook of ours that could start a program of the project. */
export function hasUnsafeHook(text: string | null, { events }: HookClient): boolean {
  return Object.values(events).some((event) => findOwn(text, event, isTakenFromFolder).length > 0);
}

/** The places of our hooks in the list of an event; of some only, by their words. */
function findOwn(text: string | null, event: string, isMeant = (_words: string): boolean => true): number[] {
  const root = text === null ? null : readRoot(text);
  const list = dataAt(root ?? undefined, "hooks", event);
  return (list?.items ?? []).flatMap((item, i) => {
    const words = JSON.stringify(plainValue(text ?? "", item));
    return own.test(words) && isMeant(words) ? [i] : [];
  });
}

function hasKey(text: string | null, key: string): boolean {
  return dataAt((text === null ? null : readRoot(text)) ?? undefined, key) !== undefined;
}

function isEmpty(text: string, ...keys: readonly string[]): boolean {
  const node = dataAt(readRoot(text) ?? undefined, ...keys);
  return node !== undefined && (node.items ?? node.entries ?? [null]).length === 0;
}

/** Whether a file has only what we would write beside hooks. */
function isBare(text: string, { fileKeys = {} }: HookClient): boolean {
  const keys = readRoot(text)?.entries?.map(({ key }) => key) ?? [];
  return keys.every((key) => key in fileKeys);
}

function unreadable({ title }: HookClient): Outcome<never> {
  return refuse({
    code: "malformed",
    what: `the settings of ${title} cannot be read as JSON, or have something else under "hooks"`,
  });
}
