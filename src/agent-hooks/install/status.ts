import { isUserFolder, readUserFile } from "../../workspace/files/user-file.ts";
import type { ClientName, HookClient, HookEvent } from "../clients/client.ts";
import { clients } from "../clients/registry.ts";
import { hasUnsafeHook, installedEvents } from "./hook-file.ts";
import { type HookScope, locateHookFile, type UserMachine, userFolder } from "./scope.ts";
import { findIgnored, type Ignored } from "./trust.ts";

/** Whether a client has our hooks in one of its files. */
export type HookStatus = {
  readonly client: ClientName;
  readonly title: string;
  readonly scope: HookScope;
  readonly file: string;
  /** The events it has a hook for; none where nothing is installed. */
  readonly events: readonly HookEvent[];
  /** Why the client will not run them, as far as its own files say. */
  readonly ignored: Ignored | null;
  /** Whether a hook could start a program of the project, as those of older versions can. */
  readonly isUnsafe: boolean;
};

/** The place that a status is asked for. */
export type StatusPlace = { readonly root: string; readonly machine: UserMachine };

/** The installed parts of every client, in the project and for the user. */
export function findStatus(place: StatusPlace): HookStatus[] {
  const scopes: readonly HookScope[] = ["project", "user"];
  return clients.flatMap((client) => scopes.map((scope) => statusOf(client, scope, place)));
}

function statusOf(client: HookClient, scope: HookScope, { root, machine }: StatusPlace): HookStatus {
  const place = locateHookFile(client, { scope, root, machine });
  const file = process.getBuiltinModule("node:path").join(place.root, place.path);
  const text = readUserFile(file) ?? "";
  const events = installedEvents(text, client);
  const ignored =
    events.length === 0 ? null : findIgnored({ client, scope, root, place, text, events }, machine);
  const isUnsafe = hasUnsafeHook(text, client);
  return { client: client.name, title: client.title, scope, file, events, ignored, isUnsafe };
}

/** The clients that are used in a project, or installed on this machine. */
export function findUsedClients(paths: readonly string[], machine: UserMachine): readonly HookClient[] {
  return clients.filter(
    ({ file }) => paths.some((path) => file.sign.test(path)) || isUserFolder(userFolder(file.user, machine)),
  );
}
